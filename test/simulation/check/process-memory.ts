import type { State } from "../log.ts";
import { isWrite, statesSeen, type Course, type History, type Sent, type Write } from "./history.ts";
import { isAtOrBelow, endsOf } from "./places.ts";
import { mostWritesInARow } from "../../../src/core/known-files.ts";

/** What a process remembers of one file, told from the log alone: what it heard last, unless it has sent a write since. */
export interface Remembered {
  /** Whatever it may remember: the log does not tell which requests of a rename or delete it learns from. */
  readonly mayBe: readonly State[];
  /** What it remembers for certain. */
  readonly is: State | undefined;
}

/** What an operation's process remembered of a key when the operation sent its first request. */
export function rememberedOf(history: History, course: Course, key: string): Remembered {
  const by = course.requests[0]?.sentAt ?? course.endsAt;
  const others = history.courses.filter(({ operation }) => operation.process === course.operation.process);
  const moments = others.flatMap((other) => momentsOf(other, key, by)).sort((one, next) => one.at - next.at);
  let mayBe: readonly { readonly at: number; readonly state: State }[] = [];
  let is: { readonly at: number; readonly state: State } | undefined;
  let writes = 0; // in a row at most: reads and writes at once do not tell their order
  for (const { at, state, isCertain, since, isOwn } of moments) {
    if (state !== undefined && isOwn) writes += 1;
    if (since !== undefined) mayBe = mayBe.filter((known) => known.at > since);
    else if (isCertain) mayBe = [];
    if (state !== undefined) mayBe = [...mayBe, { at, state }];
    is = state !== undefined && isCertain && writes < mostWritesInARow ? { at, state } : undefined;
  }
  const { memories } = history.log;
  const movesIt = ({ operation, calledAt, endsAt }: Course): boolean => {
    const ends = endsOf(memories, operation);
    if (ends === undefined || calledAt > by || is === undefined || endsAt < is.at) return false;
    return isAtOrBelow(key, ends.source) || isAtOrBelow(key, ends.target);
  };
  return { mayBe: mayBe.map(({ state }) => state), is: others.some(movesIt) ? undefined : is?.state };
}

interface Moment {
  readonly at: number;
  /** What it heard; `undefined` where it forgets. */
  readonly state: State | undefined;
  /** Whether its memory hears of that, whatever the command is. */
  readonly isCertain: boolean;
  /** It has written that itself. */
  readonly isOwn: boolean;
  /** It forgets what it has heard up to then. */
  readonly since?: number;
}

function momentsOf(course: Course, key: string, by: number): readonly Moment[] {
  const { command } = course.operation.input;
  const isCertain = command !== "rename" && command !== "delete"; // a delete reads no bytes
  return course.requests.flatMap((sent): readonly Moment[] => {
    const { method, keys, sentAt, respondedAt, response, read, writes } = sent;
    if (method === "LIST" || !keys.includes(key) || sentAt >= by) return [];
    // A copy is forgotten when its source is read.
    const since = method === "PUT" && command === "rename" ? course.calledAt : sentAt;
    const gone = isWrite(sent) ? [{ at: sentAt, state: undefined, isCertain: true, isOwn: true, since }] : [];
    if (response !== "answered" || respondedAt >= by) return gone;
    if (method === "HEAD" && read?.saw.length !== 0) return gone;
    const written = writes.find((write) => write.key === key && write.decision === "committed")?.after;
    const state = isWrite(sent) ? written : read?.saw.find((seen) => seen.key === key);
    return isWrite(sent) && state === undefined
      ? gone
      : [...gone, { at: respondedAt, state, isCertain, isOwn: isWrite(sent) }];
  });
}

/** An edit that was sent before its own command had read the file: on what its process remembered. */
export function isUnread({ courses }: History, sent: Sent): boolean {
  const course = courses[sent.operation];
  const command = course?.operation.input.command;
  if (sent.method !== "PUT" || (command !== "create" && command !== "str_replace" && command !== "insert"))
    return false;
  // Of a create that never arrived nobody knows what it was to replace.
  if (command === "create" && sent.writes.every(({ condition }) => condition === "absent")) return false;
  const [key = ""] = sent.keys;
  return course?.requests.some((other) => isLook(other, key) && other.respondedAt < sent.sentAt) === false;
}

/** A read that was answered with the file itself, or with that there is none. */
export function isLook({ method, keys, response }: Sent, key: string): boolean {
  return method === "GET" && response === "answered" && keys[0] === key;
}

/** What a write may have been based on: what its operation was shown, and, where it went out unread, what its process remembered. */
function* basesSeen(history: History, course: Course, { key, sent }: Write): Generator<State> {
  yield* statesSeen(course, key, sent.sentAt);
  if (isUnread(history, sent)) yield* rememberedOf(history, course, key).mayBe;
}

/**
 * A → B → A, the limit that is documented: the version that the request named is the one that stood there, but
 * not the state that it was based on. Only where equal bytes have equal ETags.
 */
export function isFooled(history: History, write: Write): boolean {
  const { before } = write;
  return basesOf(history, write).some((state) => state?.serial !== before?.serial);
}

/** What the write was based on: what stood there, or, where equal bytes fooled it, what was seen. */
export function basesOf(history: History, write: Write): readonly (State | undefined)[] {
  const { before, condition, operation } = write;
  const course = history.courses[operation];
  if (history.log.settings.etags !== "content" || course === undefined) return [before];
  if (before === undefined || condition !== before.version) return [before];
  return [before, ...[...basesSeen(history, course, write)].filter(({ version }) => version === condition)];
}
