import type { Decision, State, Violation } from "../log.ts";
import {
  hasPartialListing,
  isUnanswered,
  keysBelow,
  spansDuring,
  statesDuring,
  statesSeen,
  violation,
  wasAbsent,
  wasEmpty,
  type Answer,
  type Course,
  type History,
} from "./history.ts";
import { keyOf, pathOf } from "./places.ts";
import { isFooled } from "./process-memory.ts";

/** What a delete and the view of a directory say: sets of single-file steps, each right at an instant of its own. */
export function* directoryAnswers(history: History): Generator<Violation> {
  for (const course of history.courses) {
    const { answer, operation } = course;
    const { input, id } = operation;
    if (input.command === "delete") yield* judgeRemoved(history, course);
    if (answer === undefined) continue;
    const complaint =
      input.command === "delete"
        ? judgeDelete(history, course, answer)
        : input.command === "view" && answer.content.startsWith("Here're the files")
          ? judgeListing(history, course, answer, keyOf(history.log.memories, input.path))
          : undefined;
    if (complaint === undefined) continue;
    const what = answer.code ?? "success";
    yield violation(`${input.command} answered ${what} untruly`, id, `${complaint}: ${answer.content}`);
  }
}

/** Concurrency, "A directory delete removes what it saw": a directory delete removes exactly the versions that its own listing saw. */
function* judgeRemoved(history: History, course: Course): Generator<Violation> {
  const own = keyOf(history.log.memories, pathOf(course.operation.input));
  if (course.commits.some(({ key }) => key === own) && course.commits.some(({ key }) => key !== own)) {
    yield violation("deleted a file and the directory beside it", course.operation.id, own);
  }
  for (const commit of course.commits) {
    const { key, before, sent, method, operation } = commit;
    if (method !== "BATCH" || before === undefined || isFooled(history, commit)) continue;
    const seen = [...statesSeen(course, key, sent.sentAt)];
    if (!seen.some(({ serial }) => serial === before.serial)) {
      yield violation(
        "deleted what it had not seen",
        operation,
        `${key} was deleted in ${before.version}, which no listing showed`,
      );
    }
  }
}

function judgeDelete(history: History, course: Course, answer: Answer): string | undefined {
  const { input } = course.operation;
  if (input.command !== "delete") return undefined;
  const key = keyOf(history.log.memories, input.path);
  const { calledAt, endsAt } = course;
  switch (answer.code) {
    case undefined:
      return judgeDeleted(history, course, key);
    case "not_found":
      if (!wasAbsent(history, key, calledAt, endsAt)) return "the file was there all the time";
      return wasEmpty(history, `${key}/`, course) ? undefined : "the directory was never empty";
    case "invalid_path":
      return key === history.log.memories ? undefined : "it is not the root";
    case "conflict":
      return judgeKept(history, course, key, answer);
    case "outcome_unknown":
    case "storage":
    case "aborted":
      return undefined;
    default:
      return "no such refusal";
  }
}

function judgeDeleted(history: History, course: Course, key: string): string | undefined {
  const { calledAt, endsAt } = course;
  if (course.commits.some((commit) => commit.key === key && commit.at <= endsAt)) return undefined;
  const wasCutOff = course.requests.some((sent) => sent.method === "DELETE" && isUnanswered(sent));
  if (wasCutOff) {
    // Gone is what was asked for, whoever did it.
    if (!wasAbsent(history, key, calledAt, endsAt)) return "the file was there all the time";
    return wasEmpty(history, `${key}/`, course)
      ? undefined
      : "a directory was there, which it may not take for the file";
  }
  const below = keysBelow(history, `${key}/`);
  if (below.every((one) => statesDuring(history, one, course).length === 0)) return "it has deleted nothing";
  const left = below.find((one) => stoodThroughout(history, course, one) !== undefined);
  if (left !== undefined) return `${left} was there all the time, and still is`;
  const kept = below.find((one) => lastDecisionOn(course, one) === "precondition failed");
  return kept === undefined ? undefined : `${kept} was changed and kept, and it does not say so`;
}

function lastDecisionOn({ requests }: Course, key: string): Decision | undefined {
  const writes = requests.flatMap((sent) => (isUnanswered(sent, key) ? [] : sent.writes));
  return writes.findLast((write) => write.key === key)?.decision;
}

/** The one state that stood at the key from the call to the answer. */
export function stoodThroughout(history: History, { calledAt, endsAt }: Course, key: string): State | undefined {
  const [only, ...others] = spansDuring(history, key, calledAt, endsAt);
  return others.length === 0 ? only?.state : undefined;
}

/** "{k} files were changed meanwhile and were kept": each of them stands, and not as it was listed. */
function judgeKept(history: History, course: Course, key: string, { content }: Answer): string | undefined {
  const kept = /^(\d+) files in \S+ were changed meanwhile and were kept/.exec(content)?.[1];
  if (kept === undefined) {
    const hasLost = course.requests.some(({ writes }) => writes.some(({ decision }) => decision !== "committed"));
    return hasLost ? undefined : "no write of it lost a race";
  }
  const changed = keysBelow(history, `${key}/`).filter((one) =>
    spansDuring(history, one, course.calledAt, course.endsAt).some(
      ({ from, state }) => from > course.calledAt && state !== undefined,
    ),
  );
  const isTrue = Number(kept) >= 1 && Number(kept) <= changed.length;
  return isTrue ? undefined : `${changed.length} files were changed`;
}

/** Contract, "view, directory": two levels deep, directories end in `/`, sizes in bytes below 1,024. */
function judgeListing(history: History, course: Course, { content }: Answer, top: string): string | undefined {
  const { memories } = history.log;
  const prefix = top === memories ? memories : `${top}/`;
  const [, , ...rows] = content.split("\n");
  if (rows.some((row) => row.startsWith("["))) return "a few files are not too many to be listed";
  const listed = new Set<string>();
  for (const row of rows) {
    const [size = "", path = ""] = row.split("\t");
    const isDirectory = path.endsWith("/");
    const key = keyOf(memories, path);
    listed.add(isDirectory ? `${key}/` : key);
    const complaint = isDirectory
      ? judgeDirectoryRow(history, course, `${key}/`, size)
      : statesDuring(history, key, course).some(({ text }) => sizeOf(text) === size)
        ? undefined
        : `no such file of ${size} stood there`;
    if (complaint !== undefined) return `${row}: ${complaint}`;
  }
  if (listed.size !== rows.length) return "a row is there twice";
  for (const key of keysBelow(history, prefix)) {
    if (stoodThroughout(history, course, key) === undefined || !isShown(key.slice(prefix.length))) continue;
    const missing = rowsFor(key, prefix).find((row) => !listed.has(row));
    if (missing !== undefined) return `${missing} stood there all the time and is not listed`;
  }
  return undefined;
}

const sizeOf = (text: string): string => `${Buffer.byteLength(text)}B`;

const isShown = (name: string): boolean =>
  name.split("/").every((part) => !part.startsWith(".") && part !== "node_modules");

/** The rows that a key gives rise to, down to the second level. */
function rowsFor(key: string, prefix: string): readonly string[] {
  const [first = "", second, ...deeper] = key.slice(prefix.length).split("/");
  if (second === undefined) return [prefix + first];
  return [`${prefix}${first}/`, `${prefix}${first}/${second}${deeper.length > 0 ? "/" : ""}`];
}

/** A directory's bytes: no fewer than what stood below it all the time, no more than all that ever did. */
function judgeDirectoryRow(history: History, course: Course, prefix: string, size: string): string | undefined {
  let least = 0;
  let most = 0;
  for (const key of keysBelow(history, prefix)) {
    const sizes = spansDuring(history, key, course.calledAt, course.endsAt).map(({ state }) =>
      state === undefined ? 0 : Buffer.byteLength(state.text),
    );
    least += Math.min(...sizes);
    most += Math.max(...sizes);
  }
  if (most === 0) return "nothing was below it";
  const bytes = /^(\d+)B$/.exec(size)?.[1];
  if (bytes === undefined) return undefined; // not counted to the end, or in thousands
  const isPossible = Number(bytes) >= least && Number(bytes) <= most;
  return isPossible || hasPartialListing(course) ? undefined : `${least} to ${most} bytes were below it`;
}
