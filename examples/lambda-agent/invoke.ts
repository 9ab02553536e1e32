import { execFile } from "node:child_process";
import { promisify } from "node:util";

export interface Answer {
  readonly statusCode: number;
  /** The body, parsed. */
  readonly body: unknown;
}

const program = `
  const [name, milliseconds, events] = JSON.parse(process.argv[1]);
  const { handler } = await import("./" + name + ".mjs");
  const answers = [];
  for (const event of events) {
    const end = Date.now() + milliseconds;
    const { statusCode, body } = await handler(event, { getRemainingTimeInMillis: () => end - Date.now() });
    answers.push({ statusCode, body: JSON.parse(body) });
  }
  console.log(JSON.stringify(answers));
`;

/** Calls a function once for each event, in a process of its own that sees nothing but the bundle's folder. */
export async function invoke(
  folder: string,
  { name, events, milliseconds = 29_000 }: { name: string; events: readonly unknown[]; milliseconds?: number },
  environment: Readonly<Record<string, string>>,
): Promise<readonly Answer[]> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--eval", program, JSON.stringify([name, milliseconds, events])],
    { cwd: folder, env: environment },
  );
  return JSON.parse(stdout) as readonly Answer[];
}
