import type { Answer, ConformanceCase } from "./conformance-case.ts";

/** The answers of a tool to the calls of a case, in the order of the calls. */
export async function carryOut(
  { calls, atOnce }: ConformanceCase,
  execute: (input: unknown) => Promise<Answer>,
): Promise<Answer[]> {
  if (atOnce === true) return Promise.all(calls.map(([input]) => execute(input)));
  const answers: Answer[] = [];
  for (const [input] of calls) answers.push(await execute(input));
  return answers;
}
