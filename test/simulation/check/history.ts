import type { EpisodeLog, LogEvent, Operation, RequestMethod, Response, State, Violation } from "../log.ts";

/**
 * One log, indexed once, for all rules. An instant is a place in `log.events`: what a commit at instant `i` made
 * stands from `i` on.
 */

type EventOf<Kind extends LogEvent["kind"]> = Extract<LogEvent, { readonly kind: Kind }> & { readonly at: number };
export type Answer = EventOf<"answer">;
export type Read = EventOf<"read">;
export type Write = EventOf<"write"> & { readonly sent: Sent };

/** One request of an operation, and all that became of it. */
export interface Sent {
  readonly operation: number;
  readonly method: RequestMethod;
  readonly keys: readonly string[];
  readonly sentAt: number;
  /** What the store decided of each key, perhaps long after the worker stopped waiting. */
  readonly writes: Write[];
  read: Read | undefined;
  response: Response | undefined;
  /** `Infinity` where the worker has never heard of it again. */
  respondedAt: number;
  failedKeys: readonly string[];
}

/** What became of one operation. */
export interface Course {
  readonly operation: Operation;
  readonly writeId: string | undefined;
  readonly requests: Sent[];
  /** What its requests wrote, the late ones too. */
  readonly commits: Write[];
  /** `Infinity` where it was never begun. */
  calledAt: number;
  answer: Answer | undefined;
  hasDied: boolean;
  /** The last instant at which its answer may have been right. */
  endsAt: number;
}

/** What stood at a key from one commit to the next: `from` ≤ instant < `to`. */
export interface Span {
  readonly from: number;
  readonly to: number;
  readonly state: State | undefined;
}

/** How many files the scope held, and their bytes, from one commit to the next. */
export interface Count {
  readonly from: number;
  readonly to: number;
  readonly files: number;
  readonly bytes: number;
}

export interface History {
  readonly log: EpisodeLog;
  /** By operation. */
  readonly courses: readonly Course[];
  /** Every commit, in order. */
  readonly commits: readonly Write[];
  /** Every key that ever held anything. */
  readonly spans: ReadonlyMap<string, readonly Span[]>;
  readonly counts: readonly Count[];
}

export type Rule = (history: History) => Iterable<Violation>;

export function indexLog(log: EpisodeLog): History {
  const courses = log.operations.map((operation): Course => ({
    operation,
    writeId: log.writeIds.get(operation.id),
    requests: [],
    commits: [],
    calledAt: Infinity,
    answer: undefined,
    hasDied: false,
    endsAt: log.events.length,
  }));
  const commits: Write[] = [];
  const requests = new Map<number, Sent>();
  for (const [at, event] of log.events.entries()) {
    if (event.kind === "fault") continue;
    const course = courses[event.operation];
    if (course === undefined)
      throw new TypeError(`The log tells of an operation ${event.operation} that it does not list.`);
    if (event.kind === "call") course.calledAt = at;
    else if (event.kind === "death") course.hasDied = true;
    else if (event.kind === "answer") {
      course.answer = { ...event, at };
      course.endsAt = at;
    } else if (event.kind === "request") {
      const sent = newRequest(event, at);
      requests.set(event.request, sent);
      course.requests.push(sent);
    } else {
      const sent = requests.get(event.request);
      if (sent === undefined) throw new TypeError(`The log tells of a request ${event.request} that was never sent.`);
      const commit = note(sent, event, at);
      if (commit !== undefined) {
        course.commits.push(commit);
        commits.push(commit);
      }
    }
  }
  return { log, courses, commits, spans: spansOf(log, commits), counts: countsOf(log, commits) };
}

function newRequest(event: Extract<LogEvent, { kind: "request" }>, at: number): Sent {
  const { operation, method, keys } = event;
  const fate = { read: undefined, response: undefined, respondedAt: Infinity, failedKeys: [] };
  return { operation, method, keys, sentAt: at, writes: [], ...fate };
}

/** Adds to a request what is told of it; answers the commit, if it is one. */
function note(
  sent: Sent,
  event: Extract<LogEvent, { kind: "read" | "write" | "response" }>,
  at: number,
): Write | undefined {
  if (event.kind === "read") {
    sent.read = { ...event, at };
    return undefined;
  }
  if (event.kind === "response") {
    sent.response = event.response;
    sent.respondedAt = at;
    sent.failedKeys = event.failedKeys ?? [];
    return undefined;
  }
  const write = { ...event, at, sent };
  sent.writes.push(write);
  return event.decision === "committed" ? write : undefined;
}

function spansOf(log: EpisodeLog, commits: readonly Write[]): ReadonlyMap<string, readonly Span[]> {
  const spans = new Map<string, { from: number; to: number; state: State | undefined }[]>();
  for (const state of log.initial) spans.set(state.key, [{ from: -1, to: Infinity, state }]);
  for (const { key, at, after } of commits) {
    let ofKey = spans.get(key);
    if (ofKey === undefined) spans.set(key, (ofKey = [{ from: -1, to: Infinity, state: undefined }]));
    const last = ofKey.at(-1);
    if (last !== undefined) last.to = at;
    ofKey.push({ from: at, to: Infinity, state: after });
  }
  return spans;
}

function countsOf(log: EpisodeLog, commits: readonly Write[]): readonly Count[] {
  const isFile = (state: State | undefined): state is State =>
    state !== undefined && state.key.startsWith(log.memories) && !state.key.endsWith("/");
  const sizeOf = (state: State | undefined): number => (isFile(state) ? Buffer.byteLength(state.text) : 0);
  let files = log.initial.filter(isFile).length;
  let bytes = log.initial.reduce((sum, state) => sum + sizeOf(state), 0);
  const counts: { from: number; to: number; files: number; bytes: number }[] = [
    { from: -1, to: Infinity, files, bytes },
  ];
  for (const { at, before, after } of commits) {
    const last = counts.at(-1);
    if (last !== undefined) last.to = at;
    files += Number(isFile(after)) - Number(isFile(before));
    bytes += sizeOf(after) - sizeOf(before);
    counts.push({ from: at, to: Infinity, files, bytes });
  }
  return counts;
}

const never: readonly Span[] = [{ from: -1, to: Infinity, state: undefined }];

/** What stood at a key at any instant from `from` to `to`, both included. */
export function spansDuring({ spans }: History, key: string, from: number, to: number): readonly Span[] {
  return (spans.get(key) ?? never).filter((span) => span.from <= to && span.to > from);
}

/** Every state that stood at a key between call and answer. */
export function statesDuring(history: History, key: string, { calledAt, endsAt }: Course): readonly State[] {
  return spansDuring(history, key, calledAt, endsAt).flatMap(({ state }) => (state === undefined ? [] : [state]));
}

function stateAt(history: History, key: string, instant: number): State | undefined {
  return spansDuring(history, key, instant, instant)[0]?.state;
}

/** Whether nothing stood at the key at some instant from `from` to `to`. */
export function wasAbsent(history: History, key: string, from: number, to: number): boolean {
  return spansDuring(history, key, from, to).some(({ state }) => state === undefined);
}

/** Whether what an operation wrote has gone again by an instant: removed, or replaced by who did not see it (A → B → A). */
export function hasGone(history: History, { key, at, after }: Write, by: number): boolean {
  const own = after?.writeIds[0] ?? "";
  return spansDuring(history, key, at, by).some(({ state }) => state?.writeIds.includes(own) !== true);
}

/** The id that an operation writes at a key. A rename of a directory has one for each file, since an id must name a file. */
export function ownIdAt({ operation, writeId, commits }: Course, key: string): string | undefined {
  if (operation.input.command !== "rename") return writeId;
  return commits.find((commit) => commit.method === "PUT" && commit.key === key)?.after?.writeIds[0] ?? writeId;
}

/** Every key that ever held anything and starts with the prefix. */
export function keysBelow({ spans }: History, prefix: string): readonly string[] {
  return [...spans.keys()].filter((key) => key.startsWith(prefix));
}

/**
 * Whether nothing was below the prefix at some instant between call and answer. Where the operation's listing came in
 * several pages, which show several instants, it is enough that each key was absent at one.
 */
export function wasEmpty(history: History, prefix: string, course: Course): boolean {
  const { calledAt, endsAt } = course;
  const keys = keysBelow(history, prefix);
  if (hasPartialListing(course)) return keys.every((key) => wasAbsent(history, key, calledAt, endsAt));
  return instantsOf(history, course).some((instant) =>
    keys.every((key) => stateAt(history, key, instant) === undefined),
  );
}

/** Whether anything stood below the prefix at some instant between call and answer. */
export function wasDirectory(history: History, prefix: string, course: Course): boolean {
  return keysBelow(history, prefix).some((key) => statesDuring(history, key, course).length > 0);
}

/** The instants between call and answer at which something changed, its beginning included. */
function instantsOf({ commits }: History, { calledAt, endsAt }: Course): readonly number[] {
  return [calledAt, ...commits.filter(({ at }) => at > calledAt && at <= endsAt).map(({ at }) => at)];
}

export function hasPartialListing({ requests }: Course): boolean {
  return requests.some(({ read }) => read?.isPartial === true);
}

export const isWrite = ({ method }: Sent): boolean => method === "PUT" || method === "DELETE" || method === "BATCH";

/** The worker was never told what became of this request, for one key of it where one is named. */
export function isUnanswered({ response, failedKeys }: Sent, key?: string): boolean {
  return response !== "answered" || (key === undefined ? failedKeys.length > 0 : failedKeys.includes(key));
}

export function hasUnansweredWrite({ requests }: Course): boolean {
  return requests.some((sent) => isWrite(sent) && isUnanswered(sent));
}

export function hasUnansweredRequest({ requests }: Course): boolean {
  return requests.some((sent) => isUnanswered(sent));
}

/** The states of a key that the operation was shown, by reads or by its own answered writes, before an instant. */
export function* statesSeen({ requests }: Course, key: string, before: number): Generator<State> {
  for (const sent of requests) {
    if (sent.respondedAt >= before || sent.response !== "answered") continue;
    for (const state of sent.read?.saw ?? []) if (state.key === key) yield state;
    for (const { decision, after } of sent.writes) {
      if (decision === "committed" && after?.key === key) yield after;
    }
  }
}

export function violation(rule: string, operation: number | undefined, detail: string): Violation {
  return { rule, operation, detail };
}
