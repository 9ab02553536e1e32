import type { CommandInput } from "../../support/command-input.ts";
import type { State, Violation } from "../log.ts";
import { statesSeen, violation, type Course, type History, type Write, ownIdAt } from "./history.ts";
import { endsOf, sourceOf, type Ends } from "./places.ts";
import { basesOf } from "./process-memory.ts";
import { insertAfter, replaceOnce } from "./texts.ts";

/** Concurrency, "No lost update" and "Every write has an id": what each PUT left is what it should have made of what was there. */
export function* writeRules(history: History): Generator<Violation> {
  const markers = new Markers(history);
  const files = new Map<string, string>(); // by the id of a rename's write
  for (const commit of history.commits) {
    const course = history.courses[commit.operation];
    if (course === undefined) continue;
    yield* judgeCondition(history, commit);
    if (commit.after === undefined) continue;
    const ends = endsOf(history.log.memories, course.operation);
    if (ends !== undefined) {
      const id = commit.after.writeIds[0] ?? "";
      const file = files.get(id) ?? commit.key;
      files.set(id, file);
      if (file !== commit.key)
        yield violation("one id for two files", commit.operation, `${id} at ${file} and ${commit.key}`);
      yield* judgeCopy(course, commit, ends, markers);
    } else yield* judgeEdit(history, course, commit, commit.after);
  }
}

/** The store's own side, so that nothing else is judged on a store that does not honour conditions. */
function* judgeCondition({ courses }: History, { operation, key, condition, before }: Write): Generator<Violation> {
  const isMet =
    condition === "absent"
      ? before === undefined
      : before !== undefined && (condition === "exists" || condition === before.version);
  if (isMet) return;
  const command = courses[operation]?.operation.input.command ?? "";
  yield violation(
    "lost update",
    operation,
    `${command} wrote ${key} on the condition "${condition}", and there was ${shown(before)}`,
  );
}

function* judgeEdit(history: History, course: Course, commit: Write, after: State): Generator<Violation> {
  const { id, input } = course.operation;
  const expected = textAfter(input, commit, after.text);
  if (after.text !== expected) {
    const detail = `${input.command} left ${shown(after)} of ${shown(commit.before)}, expected ${JSON.stringify(expected)}`;
    yield violation("wrong text written", id, detail);
  }
  const bases = basesOf(history, commit);
  if (!bases.some((base) => sameIds(after.writeIds, idsAfter(course.writeId, base)))) {
    const detail = `${commit.key} carries ${after.writeIds.join()} after ${input.command}, before it ${shown(commit.before)}`;
    yield violation("write ids not carried on", id, detail);
  }
  // What replaces the whole content is no copy any more.
  const isReplacement = input.command === "create";
  if (!bases.some((base) => after.movedFrom === (isReplacement ? undefined : base?.movedFrom))) {
    yield violation(
      "wrong move marker after a write",
      id,
      `${commit.key} has the marker ${after.movedFrom} after ${input.command}`,
    );
  }
}

/** `undefined` where this command has no business writing over that. */
function textAfter(input: CommandInput, { before }: Write, written: string): string | undefined {
  switch (input.command) {
    case "create":
      return input.file_text;
    case "str_replace":
      return before && replaceOnce(before.text, input.old_str, input.new_str);
    case "insert": {
      if (before === undefined) return undefined;
      // Where it should have gone is another rule's; here, that nothing but the addition is new.
      for (let line = 0; ; line++) {
        const text = insertAfter(before.text, line, input.insert_text);
        if (text === undefined || text === written) return text;
      }
    }
    case "view":
    case "delete":
    case "rename":
      return undefined;
    default:
      return input satisfies never;
  }
}

/** Newest first, the last 16; a file of another tool has a stand-in made of its version. */
function idsAfter(own: string | undefined, base: State | undefined): readonly string[] {
  const others = base === undefined ? [] : writesOf(base).filter((id) => id !== own);
  return [own ?? "", ...others].slice(0, 16);
}

export function writesOf({ writeIds, version }: State): readonly string[] {
  return writeIds.length > 0 ? writeIds : [`x-${version.replaceAll(/\W/g, "").slice(0, 20)}`];
}

const sameIds = (some: readonly string[], others: readonly string[]): boolean => some.join() === others.join();

const shown = (state: State | undefined): string =>
  state === undefined ? "nothing" : `${JSON.stringify(state.text)} (${state.version}; ${state.writeIds.join()})`;

/**
 * Concurrency, "The states of a rename": a PUT of a rename is a copy of what it read at the source, over nothing or over its own earlier
 * copy; or it takes over, unchanged, another worker's copy of that very source.
 */
function* judgeCopy(course: Course, commit: Write, ends: Ends, markers: Markers): Generator<Violation> {
  const { before, key, sent } = commit;
  const { id } = course.operation;
  const source = sourceOf(key, ends);
  const own = ownIdAt(course, key);
  const seen = [...statesSeen(course, source, sent.sentAt)];
  const original = seen.findLast((state) => isCopyOf(commit, state, own));
  const isOwn = before === undefined || before.writeIds[0] === own || wasOwn(course, commit);
  if (original !== undefined && isOwn) {
    yield* markers.learn(original, commit);
    return;
  }
  const found = [before, ...statesSeen(course, key, sent.sentAt)].filter(
    (state) => state !== undefined && isAdoptionOf(commit, state, own),
  );
  if (found.length === 0) {
    const detail = `rename left ${shown(commit.after)} at ${key} over ${shown(before)}`;
    yield violation("copy of nothing that it read", id, detail);
  } else if (!found.some((copy) => seen.some((state) => markers.isMarked(copy, state)))) {
    yield violation("took over what is no copy of its source", id, `${key} had the marker ${before?.movedFrom}`);
  }
}

const isCopyOf = ({ after }: Write, source: State, own: string | undefined): boolean =>
  after !== undefined &&
  after.text === source.text &&
  after.movedFrom !== undefined &&
  sameIds(after.writeIds, idsAfter(own, source));

const isAdoptionOf = ({ after, condition }: Write, found: State, own: string | undefined): boolean =>
  after !== undefined &&
  found.version === condition &&
  after.text === found.text &&
  after.movedFrom === found.movedFrom &&
  sameIds(after.writeIds, idsAfter(own, found));

/** Equal bytes may have come there under other ids: the condition cannot tell. */
function wasOwn(course: Course, { key, condition, sent }: Write): boolean {
  for (const state of statesSeen(course, key, sent.sentAt)) {
    if (state.version === condition && state.writeIds[0] === ownIdAt(course, key)) return true;
  }
  return false;
}

/** The markers that copies were given: a hash, so known only of what was copied in this episode. */
class Markers {
  readonly #known = new Map<string, string>();
  readonly #owners = new Map<string, string>();
  /** Left by earlier conversations: of what, nobody knows. */
  readonly #foreign: ReadonlySet<string | undefined>;

  constructor({ log }: History) {
    this.#foreign = new Set(log.initial.map(({ movedFrom }) => movedFrom));
  }

  /** The same source and write always give the same marker, and no other gives that one. */
  *learn(source: State, { operation, key, after }: Write): Generator<Violation> {
    const marker = after?.movedFrom ?? "";
    const name = nameOf(source);
    const known = this.#known.get(name) ?? marker;
    const owner = this.#owners.get(marker) ?? name;
    if (known !== marker || owner !== name) {
      yield violation("wrong move marker", operation, `the copy at ${key} of ${name} is marked as one of ${owner}`);
    }
    this.#known.set(name, marker);
    this.#owners.set(marker, name);
  }

  isMarked(copy: State | undefined, source: State): boolean {
    const known = this.#known.get(nameOf(source));
    return copy?.movedFrom !== undefined && (known === copy.movedFrom || this.#foreign.has(copy.movedFrom));
  }
}

/** The write alone does not do: a rename that brings its copy up to date leaves other bytes under the same id. */
const nameOf = ({ key, version, writeIds }: State): string => `${key} ${version} ${writeIds[0] ?? ""}`;
