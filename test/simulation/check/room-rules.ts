import type { Violation } from "../log.ts";
import {
  hasPartialListing,
  keysBelow,
  spansDuring,
  violation,
  wasAbsent,
  type Course,
  type History,
  type Write,
} from "./history.ts";
import { endsOf, keyOf } from "./places.ts";

/**
 * Limits, and paths and keys: what is written had room when the command looked. Calls at once may overshoot, and make
 * `a` beside `a/b`: what counts is some instant before the write, not the write's own.
 */
export function* roomRules(history: History): Generator<Violation> {
  for (const course of history.courses) yield* judgeMerges(history, course);
  for (const commit of history.commits) {
    const course = history.courses[commit.operation];
    if (course === undefined || commit.after === undefined) continue;
    const { command } = course.operation.input;
    if (command !== "rename") yield* judgeLimits(history, course, commit);
    if (commit.before === undefined && (command === "create" || command === "rename")) {
      yield* judgeNeighbours(history, course, commit);
    }
  }
}

function* judgeLimits(history: History, course: Course, { before, after, key, sent }: Write): Generator<Violation> {
  const { settings, memories } = history.log;
  if (hasPartialListing(course) || !key.startsWith(memories)) return; // its pages show several instants
  const { id } = course.operation;
  const counts = history.counts.filter(({ from, to }) => from <= sent.sentAt && to > course.calledAt);
  const files = Number(before === undefined);
  if (files > 0 && !counts.some((count) => count.files + files <= settings.files)) {
    yield violation(
      "went over the limit",
      id,
      `${key} was created, and there were never fewer than ${settings.files} files`,
    );
  }
  const bytes = Buffer.byteLength(after?.text ?? "") - Buffer.byteLength(before?.text ?? "");
  if (bytes > 0 && !counts.some((count) => count.bytes + bytes <= settings.totalBytes)) {
    yield violation(
      "went over the limit",
      id,
      `${key} grew by ${bytes} bytes, and there was never room in ${settings.totalBytes}`,
    );
  }
}

/** No file above it, each at some instant, and nothing below it, since both are asked by requests of their own. */
function* judgeNeighbours(history: History, course: Course, { key, sent }: Write): Generator<Violation> {
  const { input, id } = course.operation;
  const top = keyOf(
    history.log.memories,
    input.command === "rename" ? input.new_path : input.command === "create" ? input.path : "",
  );
  const above = keysAbove(history.log.memories, top);
  // The top of a directory that is renamed must be no file either.
  for (const file of key === top ? above : [...above, top]) {
    if (wasAbsent(history, file, course.calledAt, sent.sentAt)) continue;
    yield violation("wrote below a file", id, `${key} was written, and ${file} was a file all the time`);
  }
  if (key !== top) return; // of a directory
  const below = keysBelow(history, `${key}/`).find((one) => !wasAbsent(history, one, course.calledAt, sent.sentAt));
  if (below !== undefined) {
    yield violation("wrote over a directory", id, `${key} was written, and ${below} was there all the time`);
  }
}

/** A directory goes where nothing is, or where somebody's half-done rename of the same directory is: its copies are marked. */
function* judgeMerges(history: History, course: Course): Generator<Violation> {
  const ends = endsOf(history.log.memories, course.operation);
  const first = course.commits.find(({ method }) => method === "PUT");
  // Where it has taken over a copy first, that was half a rename.
  if (ends === undefined || first === undefined || first.before !== undefined || first.key === ends.target) return;
  const spans = keysBelow(history, `${ends.target}/`).map((key) =>
    spansDuring(history, key, course.calledAt, first.sent.sentAt),
  );
  const standing = spans.flatMap(([span, ...more]) => (more.length === 0 && span?.state ? [span.state] : []));
  const isMarked = spans.flat().some(({ state }) => state?.movedFrom !== undefined);
  if (standing.length > 0 && !isMarked) {
    yield violation(
      "renamed onto a directory",
      course.operation.id,
      `${standing.map(({ key }) => key).join()} stood there all the time`,
    );
  }
}

function keysAbove(memories: string, key: string): readonly string[] {
  const names = key.slice(memories.length).split("/");
  return names.slice(1).map((_, index) => memories + names.slice(0, index + 1).join("/"));
}
