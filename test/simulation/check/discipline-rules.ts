import type { Violation } from "../log.ts";
import {
  isUnanswered,
  isWrite,
  statesSeen,
  violation,
  type Course,
  type History,
  type Sent,
  ownIdAt,
} from "./history.ts";

/**
 * Concurrency, "A lost answer is recognised": after an answered failure or a reset connection the object is read back before anything is sent again;
 * after a time-out it is never sent again. And everything ends.
 */
export function* disciplineRules({ courses }: History): Generator<Violation> {
  for (const course of courses) {
    yield* judgeRepeats(course);
    yield* judgeEnd(course);
  }
}

function* judgeRepeats(course: Course): Generator<Violation> {
  const { requests, operation } = course;
  /** The last write to each key, and by now perhaps several that got no answer. */
  const writes = new Map<string, Sent>();
  for (const sent of requests) {
    if (!isWrite(sent)) continue;
    for (const key of sent.keys) {
      const last = writes.get(key);
      writes.set(key, sent);
      if (last === undefined) continue;
      const complaint = complaintOf(course, key, last, sent);
      if (complaint === undefined) continue;
      yield violation(
        complaint,
        operation.id,
        `${sent.method} ${key} after a ${last.method} that got ${last.response ?? "no answer"}`,
      );
    }
  }
}

function complaintOf(course: Course, key: string, last: Sent, next: Sent): string | undefined {
  if (last.respondedAt > next.sentAt) return "two writes to one key at once";
  if (!isUnanswered(last, key)) return undefined;
  const isUnsettled = last.response === "time-out" || last.response === "aborted";
  if (isUnsettled) {
    return isKnownAfter(course, key, last, next) ? undefined : "sent again after a time-out";
  }
  // What may have been done already is done again in the version that was read back, and in no other.
  if (next.method === "DELETE" && next.writes.some(({ condition }) => condition === "exists")) {
    return "sent again without its version";
  }
  if (isReadBetween(course, key, last, next)) return undefined;
  // Its own copy that a rename could not take away for certain may be brought up to date, where it still is the same.
  if (last.method === "DELETE" && next.method === "PUT" && course.operation.input.command === "rename")
    return undefined;
  return "sent again without reading back";
}

function* readsBetween({ requests }: Course, key: string, last: Sent, next: Sent): Generator<Sent> {
  for (const sent of requests) {
    const isBetween = sent.sentAt > last.respondedAt && sent.respondedAt < next.sentAt;
    if (!isBetween || sent.response !== "answered" || isWrite(sent)) continue;
    const [asked = ""] = sent.keys;
    if (sent.method === "LIST" ? key.startsWith(asked) : key === asked) yield sent;
  }
}

const isReadBetween = (course: Course, key: string, last: Sent, next: Sent): boolean =>
  readsBetween(course, key, last, next).next().done !== true;

/**
 * A time-out is settled where a read has shown this very write; for the batch of a rename also where it has shown a
 * state that was not there to be named: the next write is another one then, of what was read.
 */
function isKnownAfter(course: Course, key: string, last: Sent, next: Sent): boolean {
  const named = statesNamed(course, key, last.sentAt);
  const isRename = course.operation.input.command === "rename";
  for (const { read } of readsBetween(course, key, last, next)) {
    for (const state of read?.saw ?? []) {
      if (state.key !== key) continue;
      if (last.method === "PUT" && state.writeIds.includes(ownIdAt(course, key) ?? "")) return true;
      if (last.method === "BATCH" && isRename && !named.has(state.serial)) return true;
    }
  }
  return false;
}

const isListing = ({ method }: Sent): boolean => method === "LIST";

/** The states that it knew to be there. A listing shows no ids: equal bytes in it are what was read before. */
function statesNamed(course: Course, key: string, before: number): ReadonlySet<number> {
  const { requests } = course;
  const read = [...statesSeen({ ...course, requests: requests.filter((sent) => !isListing(sent)) }, key, before)];
  const listed = [...statesSeen({ ...course, requests: requests.filter(isListing) }, key, before)];
  const unread = listed.filter(({ version }) => !read.some((state) => state.version === version));
  return new Set([...read, ...unread].map(({ serial }) => serial));
}

/**
 * Twenty attempts, each with a listing of some short pages and four more requests, each read sent up to three times by
 * the SDK; for a directory that for each of its files, in three rounds. Nothing near it ever comes up: it is there to
 * find what goes round in circles.
 */
const mostRequests = 3_000;

function* judgeEnd({ requests, operation, answer, hasDied, calledAt }: Course): Generator<Violation> {
  const { id, input } = operation;
  if (calledAt === Infinity) return; // its worker died before
  if (requests.length > mostRequests)
    yield violation("too many requests", id, `${input.command} sent ${requests.length}`);
  if (answer === undefined) {
    if (!hasDied) yield violation("never answered", id, `${input.command} got no answer, and nobody died`);
    return;
  }
  for (const sent of requests) {
    if (sent.sentAt < answer.at) continue;
    // Reads that go out together are not waited for once one of them has failed: they change nothing.
    const isHarmless =
      !isWrite(sent) && answer.isError && requests.some((other) => !isWrite(other) && isUnanswered(other));
    if (!isHarmless) yield violation("request after the answer", id, `${sent.method} ${sent.keys.join()}`);
  }
}
