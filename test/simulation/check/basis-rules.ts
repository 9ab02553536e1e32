import type { State, Violation } from "../log.ts";
import { statesDuring, violation, type Course, type History, type Write } from "./history.ts";
import { basesIn, basesOfCommit, knowledgeOf, type Knowledge } from "./knowledge.ts";
import { keyOf, pathOf } from "./places.ts";
import { insertAfter, linesOf } from "./texts.ts";

/**
 * Concurrency, "What is done again": a line number means a line of what the conversation saw last, and an overwrite replaces what
 * it saw last; else what the call itself has read.
 */
export function* basisRules(history: History): Generator<Violation> {
  const knowledge = knowledgeOf(history);
  for (const course of history.courses) {
    const { id, input } = course.operation;
    const known = knowledge.get(id);
    if (known === undefined) continue; // it has sent nothing
    if (input.command === "create") yield* judgeOverwrite(course, known);
    if (input.command !== "insert") continue;
    const key = keyOf(history.log.memories, pathOf(input));
    for (const commit of course.commits) {
      yield* judgePosition(course, commit, [...new Set(basesOfCommit(history, course, commit, known))]);
    }
    yield* judgeRefusal(history, course, key, [...new Set(basesIn(course, key, known))]);
  }
}

function* judgePosition(
  { operation }: Course,
  { before, after, key }: Write,
  bases: readonly string[],
): Generator<Violation> {
  const { input, id } = operation;
  if (input.command !== "insert" || before === undefined || after === undefined) return;
  const found = bases.map((basis) => findPlace(before.text, basis, input.insert_line));
  const isRight = found.some(
    ({ places, isCertain }) =>
      (!isCertain && places.length === 0) ||
      places.some((place) => insertAfter(before.text, place, input.insert_text) === after.text),
  );
  if (isRight) return;
  const expected = found.map(({ places }) => places.join() || "to be refused").join(" or ");
  yield violation(
    "inserted at the wrong line",
    id,
    `after line ${input.insert_line} of ${JSON.stringify(bases)}: ${key} became ${JSON.stringify(after.text)}, expected after line ${expected}`,
  );
}

interface Found {
  /** After which lines of the present text it may go; none: it is to be refused. */
  readonly places: readonly number[];
  /** A line diff has only one answer. */
  readonly isCertain: boolean;
}

/** Line 0 is the top, the last line the end; any other is looked for, and then the one that followed it. */
function findPlace(text: string, basis: string, line: number): Found {
  const lines = linesOf(text);
  const seen = linesOf(basis);
  if (line > seen.length) return { places: [], isCertain: true };
  if (line === 0) return { places: [0], isCertain: true };
  if (line === seen.length) return { places: [lines.length], isCertain: true };
  const [before, after] = [seen[line - 1] ?? "", seen[line] ?? ""];
  // Lines are unique, or else the diff may match any of them.
  const isUnique = ![lines, seen].some((all) => isRepeated(all, before) || isRepeated(all, after));
  if (!isUnique) return { places: [], isCertain: false };
  const at = lines.indexOf(before);
  const next = lines.indexOf(after);
  // Where lines have changed places, which of them the diff keeps is left open.
  if (isReordered(lines, seen)) {
    return { places: [...(at === -1 ? [] : [at + 1]), ...(next === -1 ? [] : [next])], isCertain: false };
  }
  if (at !== -1) return { places: [at + 1], isCertain: true };
  return { places: next === -1 ? [] : [next], isCertain: true };
}

const isRepeated = (lines: readonly string[], line: string): boolean => lines.indexOf(line) !== lines.lastIndexOf(line);

function isReordered(lines: readonly string[], seen: readonly string[]): boolean {
  const places = seen.map((line) => lines.indexOf(line)).filter((place) => place !== -1);
  return places.some((place, index) => index > 0 && place < (places[index - 1] ?? 0));
}

/** Refused only where it cannot be told any more, or never could, where it belongs. */
function* judgeRefusal(history: History, course: Course, key: string, bases: readonly string[]): Generator<Violation> {
  const { answer, operation } = course;
  const { input, id } = operation;
  if (answer === undefined || input.command !== "insert") return;
  const states = statesDuring(history, key, course);
  if (answer.code === "invalid_input") {
    const lines = Number(/\[0, (\d+)\]/.exec(answer.content)?.[1]);
    const isTrue =
      lines < input.insert_line &&
      [...bases, ...states.map(({ text }) => text)].some((text) => linesOf(text).length === lines);
    if (!isTrue)
      yield violation("insert answered invalid_input untruly", id, `no text had so many lines: ${answer.content}`);
  }
  if (answer.code === "conflict" && answer.content.includes("since you viewed it")) {
    const isLost = states.some(({ text }: State) =>
      bases.some((basis) => isUnplaceable(text, basis, input.insert_line)),
    );
    if (!isLost)
      yield violation("insert answered conflict untruly", id, `its line was there to be found: ${answer.content}`);
  }
}

function isUnplaceable(text: string, basis: string, line: number): boolean {
  const { places, isCertain } = findPlace(text, basis, line);
  return places.length === 0 || !isCertain;
}

function hasSeenNone({ requests }: Course, key: string): boolean {
  const firstPut = requests.find(({ method }) => method === "PUT")?.sentAt ?? Infinity;
  const looks = requests.filter(
    ({ method, keys, response, sentAt }) =>
      response === "answered" &&
      sentAt < firstPut &&
      (method === "LIST" ? key.startsWith(keys[0] ?? "-") : method === "GET" && keys[0] === key),
  );
  const isWhole = looks.some(({ read }) => read?.isPartial === false);
  return isWhole && !looks.some(({ read }) => read?.saw.some((state) => state.key === key));
}

/** Concurrency, "What a conversation was shown": an overwrite demands that version, or, without one, what its call read. */
function* judgeOverwrite(course: Course, known: Knowledge): Generator<Violation> {
  for (const { before, key } of course.commits) {
    if (before === undefined || known.versions.includes(before.version)) continue;
    // What it knew may have been forgotten. But where the first look of this call showed that there was none, that is known.
    if (known.mayBeAny && !hasSeenNone(course, key)) continue;
    const detail = `${key} was replaced in ${before.version} (${JSON.stringify(before.text)}), the conversation saw ${known.versions.join()}`;
    yield violation("overwrote what nobody saw", course.operation.id, detail);
  }
}
