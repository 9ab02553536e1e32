import type { State, Violation } from "../log.ts";
import { stoodThroughout } from "./directory-answers.ts";
import {
  hasGone,
  isUnanswered,
  isWrite,
  keysBelow,
  spansDuring,
  statesDuring,
  statesSeen,
  violation,
  wasAbsent,
  wasDirectory,
  wasEmpty,
  type Answer,
  type Course,
  type History,
  type Write,
  ownIdAt,
} from "./history.ts";
import { writesOf } from "./write-rules.ts";
import { endsOf, isAtOrBelow, keyOf, sourceOf, type Ends } from "./places.ts";
import { isFooled } from "./process-memory.ts";

/** Concurrency, "The states of a rename": what it says of its two ends, as a copy step and a delete step a file. */
export function* renameAnswers(history: History): Generator<Violation> {
  yield* judgeTwins(history);
  for (const course of history.courses) {
    const ends = endsOf(history.log.memories, course.operation);
    if (ends === undefined || course.answer === undefined) continue;
    const complaint = judge(history, course, course.answer, ends);
    if (complaint === undefined) continue;
    // A → B → A: equal bytes have let one of its writes pass on what it had not seen, or another's on its copies.
    if (history.commits.some((commit) => isFooled(history, commit) && meets(commit, course, ends))) continue;
    const what = course.answer.code ?? "success";
    yield violation(`rename answered ${what} untruly`, course.operation.id, `${complaint}: ${course.answer.content}`);
  }
}

const meets = ({ operation, key }: Write, course: Course, ends: Ends): boolean =>
  operation === course.operation.id || isAtOrBelow(key, ends.source) || isAtOrBelow(key, ends.target);

function judge(history: History, course: Course, answer: Answer, ends: Ends): string | undefined {
  switch (answer.code) {
    case undefined:
      return judgeMoved(history, course, ends);
    case "not_found":
      return judgeMissing(history, course, ends);
    case "already_exists":
      return judgeOccupied(history, course, ends);
    case "invalid_path":
      return isAtOrBelow(ends.target, ends.source) ||
        ends.source === history.log.memories ||
        ends.target === history.log.memories
        ? undefined
        : "it is no rename into itself";
    case "conflict":
      return judgeConflict(history, course, answer, ends);
    case "not_a_directory": // judged with those of other commands
    case "outcome_unknown":
    case "storage":
    case "aborted":
      return undefined;
    default:
      return "no such refusal";
  }
}

/** Two renames that both answer success, and have both made copies of one and the same file: both stand there then. */
function* judgeTwins(history: History): Generator<Violation> {
  const copies = new Map<number, { readonly copy: Write; readonly course: Course }[]>();
  for (const course of history.courses) {
    const ends = endsOf(history.log.memories, course.operation);
    if (ends === undefined || course.answer?.isError !== false) continue;
    if (course.commits.some((commit) => isFooled(history, commit))) continue; // A → B → A
    for (const copy of placed(course).filter(({ before }) => before === undefined)) {
      const seen = [...statesSeen(course, sourceOf(copy.key, ends), copy.sent.sentAt)];
      // The id alone does not do: an edit that is delivered again may put it on another file.
      const isSource = (state: State): boolean =>
        writesOf(state)[0] === copy.after?.writeIds[1] && state.text === copy.after?.text;
      const read = seen.find(isSource)?.serial ?? -1;
      const others = copies.get(read) ?? [];
      copies.set(read, [...others, { copy, course }]);
      for (const other of others) {
        const instant = Math.max(course.endsAt, other.course.endsAt);
        const stands = ({ key, after }: Write): boolean =>
          spansDuring(history, key, instant, instant)[0]?.state === after;
        if (other.copy.key === copy.key || !stands(copy) || !stands(other.copy)) continue;
        const detail = `${copy.key} and ${other.copy.key}, by operation ${other.course.operation.id}, are copies of one file`;
        yield violation("moved to two names", course.operation.id, detail);
      }
    }
  }
}

/** Where its own write id is on what it has put at its destination: copies, and copies that it took over. */
const placed = ({ commits, endsAt }: Course): readonly Write[] =>
  commits.filter(({ method, at }) => method === "PUT" && at <= endsAt);

/**
 * Success: for every file that it has copied, the source was gone at an instant after that; and every file that stood
 * below the source all the time was one of them.
 */
function judgeMoved(history: History, course: Course, ends: Ends): string | undefined {
  const copies = placed(course);
  if (copies.length === 0) return "it has put nothing at its destination";
  for (const copy of copies) {
    const complaint = judgeStep(history, course, copy, sourceOf(copy.key, ends));
    if (complaint !== undefined) return complaint;
  }
  if (copies.some(({ key }) => key === ends.target)) return undefined; // a file, whatever is beside it
  const left = keysBelow(history, `${ends.source}/`).find((key) => stoodThroughout(history, course, key) !== undefined);
  return left === undefined ? judgeLastLook(course, copies, ends) : `${left} was there all the time, and still is`;
}

/** A directory is listed again: it has looked once more between its last copy and its deletes, and has moved all that it saw there. */
function judgeLastLook({ requests }: Course, copies: readonly Write[], ends: Ends): string | undefined {
  const lastCopyAt = Math.max(...copies.map(({ at }) => at));
  const deletesAt =
    requests.find(({ method, sentAt }) => method === "BATCH" && sentAt > lastCopyAt)?.sentAt ?? Infinity;
  const looks = requests.filter(
    ({ method, keys, sentAt, response }) =>
      method === "LIST" &&
      response === "answered" &&
      sentAt > lastCopyAt &&
      sentAt < deletesAt &&
      keys[0] === `${ends.source}/`, // one of the whole scope looks for other copies
  );
  if (looks.length === 0) return "it has not looked again at what it leaves behind";
  const copied = new Set(copies.map(({ key }) => sourceOf(key, ends)));
  const seen = looks.flatMap(({ read }) => read?.saw ?? []).filter(({ key }) => key.startsWith(`${ends.source}/`));
  const left = seen.find(({ key }) => !copied.has(key));
  return left === undefined ? undefined : `it saw ${left.key}, and left it behind`;
}

function judgeStep(history: History, course: Course, copy: Write, source: string): string | undefined {
  const { calledAt, endsAt } = course;
  const isTakenOver = tookOver(course, copy.key);
  const isCutOff = course.requests.some(
    (sent) => sent.keys.includes(source) && isWrite(sent) && isUnanswered(sent, source),
  );
  if (!isTakenOver && !statesDuring(history, source, course).some(({ text }) => text === copy.after?.text)) {
    return `the text of its copy never stood at ${source}`;
  }
  const undone = undoOf(history, course, copy, source);
  if (undone !== undefined) return undone;
  // The source of a copy that was taken over may have gone before it, and where the delete got no answer, whoever
  // removed the source may have done so before. All that is known is that it has gone since this rename saw it.
  const from = isTakenOver || isCutOff ? calledAt : copy.at;
  if (!wasAbsent(history, source, from, endsAt))
    return isUndone(history, course, copy, source) ? undefined : `${source} was there all the time`;
  if (isTakenOver || isCutOff || isUndone(history, course, copy, source)) return undefined;
  if (course.commits.some(({ key, method }) => key === source && method !== "PUT")) return undefined;
  // Nothing got lost, and yet somebody else has removed the source: only who took this copy over may do so.
  const isTakenFromIt = history.commits.some(
    ({ key, method, before, operation }) =>
      key === copy.key &&
      method === "PUT" &&
      operation !== course.operation.id &&
      before?.writeIds[0] === ownIdAt(course, copy.key),
  );
  return isTakenFromIt ? undefined : `it has not removed ${source} itself`;
}

/** The copy was another worker's first: one of its writes there left the text as it was. */
const tookOver = (course: Course, target: string): boolean =>
  placed(course).some(
    ({ key, before, after }) => key === target && before !== undefined && before.text === after?.text,
  );

/** Its copy has come back to the source: it cannot tell that from having been finished, and then undone by another rename. */
function isUndone(history: History, course: Course, copy: Write, source: string): boolean {
  const own = ownIdAt(course, copy.key) ?? "";
  return statesDuring(history, source, course).some(({ writeIds }) => writeIds.includes(own));
}

/** Two renames in opposite directions, each of which takes the other for the one that goes on: then both names stand. */
function undoOf(history: History, course: Course, copy: Write, source: string): string | undefined {
  if (wasAbsent(history, source, copy.at, course.endsAt)) return undefined;
  const undoing = history.commits.findLast(
    ({ key, method, after, at, operation }) =>
      key === source &&
      method === "PUT" &&
      at <= course.endsAt &&
      operation !== course.operation.id &&
      after?.writeIds.includes(ownIdAt(course, copy.key) ?? "") === true,
  );
  const other = undoing && history.courses[undoing.operation];
  if (other === undefined || other.answer?.isError !== false) return undefined;
  const goesOn = other.commits.some(({ key, method }) => key === copy.key && method !== "PUT");
  return goesOn
    ? undefined
    : `${source} stands as well, and operation ${other.operation.id} says the same of ${copy.key}`;
}

/** The source was not there, and no copy of this rename's own stays behind. */
function judgeMissing(history: History, course: Course, ends: Ends): string | undefined {
  const { calledAt, endsAt } = course;
  if (!wasAbsent(history, ends.source, calledAt, endsAt)) return "the file was there all the time";
  // Once it was seen to be a file, what lies below its path is not looked at any more.
  const wasFile = statesDuring(history, ends.source, course).length > 0;
  if (!wasFile && !wasEmpty(history, `${ends.source}/`, course)) return "the directory was never empty";
  return judgeTakenBack(history, course);
}

/** Its own copies are gone again by the answer, by its own hand or another's. */
function judgeTakenBack(history: History, course: Course): string | undefined {
  const left = placed(course).find((copy) => !hasGone(history, copy, course.endsAt));
  return left === undefined ? undefined : `its copy at ${left.key} stays behind`;
}

function judgeOccupied(history: History, course: Course, ends: Ends): string | undefined {
  const own = ownIdAt(course, ends.target);
  if (ends.source === ends.target) return undefined;
  // Its own copy that somebody has written on since, or moved away and back, is another file by now.
  const isTaken = statesDuring(history, ends.target, course).some(({ writeIds }) => writeIds[0] !== own);
  if (!isTaken && !wasDirectory(history, `${ends.target}/`, course)) return "the destination was free";
  return judgeTakenBack(history, course);
}

function judgeConflict(history: History, course: Course, { content }: Answer, ends: Ends): string | undefined {
  if (/nothing was changed by this command/.test(content)) {
    const hasLost = course.requests.some(({ writes }) => writes.some(({ decision }) => decision !== "committed"));
    const wasChanged = spansDuring(history, ends.source, course.calledAt, course.endsAt).length > 1;
    return hasLost || wasChanged ? judgeTakenBack(history, course) : "nobody else had changed it";
  }
  const counted = /^(\d+)(?: of (\d+))? files (were moved by someone else|that were added or changed)/.exec(content);
  if (counted !== null) {
    const [, some, all = some, what] = counted;
    return judgeCount(history, course, ends, {
      some: Number(some),
      all: Number(all),
      isGone: what?.startsWith("were") ?? false,
    });
  }
  return judgeKept(history, course, content, ends);
}

interface Told {
  readonly some: number;
  readonly all: number;
  /** Else they stayed at the source. */
  readonly isGone: boolean;
}

/** No more files than ever were below the source; gone are those that others removed, and those that stayed stood there. */
function judgeCount(history: History, course: Course, ends: Ends, { some, all, isGone }: Told): string | undefined {
  const { calledAt, endsAt } = course;
  const keys = keysBelow(history, `${ends.source}/`).filter((key) => statesDuring(history, key, course).length > 0);
  if (some < 1 || some > all || all > keys.length) return `there were ${keys.length} files`;
  const possible = keys.filter((key) =>
    isGone ? wasAbsent(history, key, calledAt, endsAt) : statesDuring(history, key, course).length > 0,
  );
  return some <= possible.length ? undefined : `it can have been ${possible.length} at most`;
}

/** Where it names what was kept or has gone, that is true at an instant. */
/** Its copy stays only beside what it has copied, perhaps edited since: every writer carries the ids of the ones before on. */
function wasReplaced(course: Course, source: string, target: string): boolean {
  const { requests, writeId } = course;
  const copy = placed(course).find(({ key }) => key === target);
  if (copy === undefined || copy.before !== undefined) return false;
  const copied = copy.after?.writeIds.find((id) => id !== writeId) ?? "";
  if (requests.some(({ method, keys }) => method === "DELETE" && keys.includes(target))) return false;
  const looks = requests.filter(
    ({ method, keys, read }) => method === "GET" && keys[0] === source && read && read.at > copy.at,
  );
  const state = looks.at(-1)?.response === "answered" ? looks.at(-1)?.read?.saw[0] : undefined;
  return state !== undefined && state.writeIds.length > 0 && !state.writeIds.includes(copied);
}

function judgeKept(history: History, course: Course, content: string, ends: Ends): string | undefined {
  if (/was not finished/.test(content)) return undefined;
  const pairs = placed(course).map(({ key, at }) => ({ source: sourceOf(key, ends), target: key, at }));
  if (pairs.length === 0) return "it has put nothing at its destination";
  const stood = (key: string): boolean => statesDuring(history, key, course).length > 0;
  const wasGone = (key: string, from: number): boolean => wasAbsent(history, key, from, course.endsAt);
  const [, twin] = /may be in both \S+ and (\S+);/.exec(content) ?? [];
  if (twin !== undefined) return stood(keyOf(history.log.memories, twin)) ? undefined : `nothing stood at ${twin}`;
  if (/were both moved or deleted/.test(content)) {
    const isTrue = pairs.some(({ source, target, at }) => wasGone(source, course.calledAt) && wasGone(target, at));
    return isTrue ? undefined : "one of the two was there all the time";
  }
  if (/was moved back to/.test(content)) {
    const cameBack = pairs.some(({ source, target }) =>
      statesDuring(history, source, course).some(({ writeIds }) => writeIds.includes(ownIdAt(course, target) ?? "")),
    );
    return cameBack ? undefined : "its copy never stood at the source";
  }
  if (/were kept/.test(content)) {
    if (!pairs.some(({ source, target }) => stood(source) && stood(target))) return "one of the two never stood";
    return wasReplaced(course, ends.source, ends.target)
      ? "it saw another file in the source's place, and its copy stays"
      : undefined;
  }
  if (!/was kept/.test(content)) return "no such conflict";
  return pairs.some(({ source, target }) => stood(source) || stood(target)) ? undefined : "neither stood there";
}
