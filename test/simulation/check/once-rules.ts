import type { Violation } from "../log.ts";
import { spansDuring, violation, wasAbsent, type Course, type History, type Write } from "./history.ts";
import { keyOf, pathOf } from "./places.ts";
import { isFooled } from "./process-memory.ts";

/** A write that was carried out twice, as the documentation says that it may be. */
export interface Excuse {
  readonly operation: number;
  readonly reason: string;
}

/** Concurrency, "A lost answer is recognised" and "A delivery that is repeated". */
export function* onceRules(history: History): Generator<Violation> {
  for (const [writeId, commits] of commitsById(history)) {
    for (const [index, commit] of commits.entries()) {
      const first = commits[index - 1];
      if (first === undefined || excuseOf(history, first, commit) !== undefined) continue;
      const detail = `${commit.key} was written as ${writeId} by operation ${first.operation} and again`;
      yield violation("written twice", commit.operation, detail);
    }
  }
  for (const course of history.courses) yield* judgeRedelivery(history, course);
}

/** What {@link onceRules} lets pass, to be counted. */
export function* excusesOf(history: History): Generator<Excuse> {
  for (const commits of commitsById(history).values()) {
    for (const [index, commit] of commits.entries()) {
      const first = commits[index - 1];
      const reason = first && excuseOf(history, first, commit);
      if (reason !== undefined) yield { operation: commit.operation, reason };
    }
  }
}

/** Each intent's commits. A rename has several steps under one id, and no two renames share one. */
function commitsById({ commits, courses }: History): ReadonlyMap<string, readonly Write[]> {
  const byId = new Map<string, Write[]>();
  for (const commit of commits) {
    const command = courses[commit.operation]?.operation.input.command;
    const id = commit.after?.writeIds[0];
    if (id === undefined || command === "rename") continue;
    const others = byId.get(id);
    if (others === undefined) byId.set(id, [commit]);
    else others.push(commit);
  }
  return byId;
}

/** The documented ways for a write to come twice. */
function excuseOf(history: History, first: Write, second: Write): string | undefined {
  const course = history.courses[second.operation];
  if (course === undefined) return undefined;
  if (isFooled(history, second)) return "A → B → A";
  const { before } = second;
  const own = course.writeId ?? "";
  if (before?.writeIds.includes(own) === true) return undefined; // it stood there to be seen
  const isOtherFile = wasAbsent(history, second.key, first.at, second.at - 1);
  // A create that is sent again, or delivered again, puts the same id on a new file: an edit takes that for the old one,
  // whoever has edited it since.
  const seen = first.before?.writeIds ?? [];
  const isBackAgain = before?.writeIds.slice(-seen.length).join() === seen.join();
  const isAgain = course.operation.input.command === "create" || first.operation !== second.operation || isBackAgain;
  if (isOtherFile && isAgain) return "another file at its path by then";
  if (isForgotten(history, first, second, own)) return "A → B → A, and its id was forgotten";
  // Sixteen others have written since.
  return first.operation !== second.operation && before?.writeIds.length === 16
    ? "no longer among the last 16"
    : undefined;
}

/** An edit in between stood on equal bytes that its process knew of old, and carried their history on. */
function isForgotten({ commits, ...history }: History, first: Write, second: Write, own: string): boolean {
  const between = commits.filter(({ key, at }) => key === second.key && at > first.at && at < second.at);
  return between.some(
    (commit) =>
      commit.before?.writeIds.includes(own) === true &&
      commit.after?.writeIds.includes(own) === false &&
      isFooled({ commits, ...history }, commit),
  );
}

/** While the file carries the write all the time, another delivery of it writes nothing and answers success. */
function* judgeRedelivery(history: History, course: Course): Generator<Violation> {
  const { operation, answer, commits, writeId, calledAt, endsAt } = course;
  const { id, input } = operation;
  const isEdit = input.command === "create" || input.command === "str_replace" || input.command === "insert";
  if (!isEdit || answer === undefined || writeId === undefined) return;
  const spans = spansDuring(history, keyOf(history.log.memories, pathOf(input)), calledAt, endsAt);
  if (!spans.every(({ state }) => state?.writeIds.includes(writeId) === true)) return;
  // One that was cut off may arrive after the answer, when the file has gone: that is the other rule's.
  if (commits.some((commit) => commit.at <= endsAt && !isFooled(history, commit)))
    yield violation("redelivered and done again", id, `${input.command} wrote again: ${answer.content}`);
  // Out of attempts before it has read anything: the store could not decide (409).
  const isSpent = answer.code === "conflict" && course.requests.some(({ writes }) => writes.some(isUndecided));
  const isUncertain = answer.code === "storage" || answer.code === "aborted" || answer.code === "outcome_unknown";
  if (answer.isError && !isUncertain && !isSpent) {
    yield violation("redelivery refused", id, `the file carried ${writeId} all the time: ${answer.content}`);
  }
}

const isUndecided = ({ decision }: Write): boolean => decision === "undecided";
