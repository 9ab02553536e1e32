import type { State, Violation } from "../log.ts";
import { hasUnansweredRequest, violation, type Course, type History, type Write, ownIdAt } from "./history.ts";
import { endsOf, isAtOrBelow, targetOf } from "./places.ts";
import { isFooled } from "./process-memory.ts";
import { saysWhatStands, tokensOf } from "./texts.ts";

/** A file that stands at two names, and no answer names both, though nobody died. */
export interface UnnamedDouble {
  readonly tokens: readonly string[];
  readonly keys: readonly string[];
  /** The renames that copied it. */
  readonly operations: readonly number[];
}

/** Where each word is, commit by commit: what the conservation rules are judged on. */
export interface Inventory {
  readonly violations: readonly Violation[];
  readonly unnamedDoubles: readonly UnnamedDouble[];
}

/**
 * Concurrency, "A rename loses nothing": a word only goes where a command that may remove it has removed it. And
 * concurrency, "A rename loses nothing": at the end it is at one name, unless an answer says otherwise.
 */
export function takeInventory(history: History): Inventory {
  const inventory = new WordCount(history);
  const violations: Violation[] = [];
  for (const commit of history.commits) {
    violations.push(...judgeRename(history, commit), ...inventory.follow(commit));
  }
  const doubles = inventory.doubles();
  return { violations: [...violations, ...doubles.violations], unnamedDoubles: doubles.unnamed };
}

/** Concurrency, "The states of a rename": the source goes only after its copy stood; a copy is removed only by who made it, as he made it. */
function* judgeRename(history: History, commit: Write): Generator<Violation> {
  const { operation, key, method, before, at } = commit;
  const course = history.courses[operation];
  const ends = course && endsOf(history.log.memories, course.operation);
  if (course === undefined || ends === undefined || method === "PUT" || before === undefined) return;
  if (!isAtOrBelow(key, ends.source)) {
    if (before.writeIds[0] === ownIdAt(course, key) || isFooled(history, commit)) return;
    yield violation(
      "removed another's copy",
      operation,
      `${key} carried ${before.writeIds.join()}, not newest ${ownIdAt(course, key)}`,
    );
    return;
  }
  const target = targetOf(key, ends);
  const hasPut = course.commits.some((put) => put.method === "PUT" && put.key === target && put.at < at);
  const hasStood = (history.spans.get(target) ?? []).some(
    ({ state, from }) => from < at && state?.text === before.text,
  );
  if (!hasPut || !hasStood) {
    yield violation(
      "source deleted before its copy stood",
      operation,
      `${key} was deleted, ${target} never had its text`,
    );
  }
}

class WordCount {
  readonly #history: History;
  /** Word → the keys that it is at. */
  readonly #places = new Map<string, Map<string, number>>();
  /** Words that somebody removed who may: by a delete, an overwrite or a str_replace. Copies of them may go, too. */
  readonly #removed = new Set<string>();
  /** The renames that have copied a word. */
  readonly #copiers = new Map<string, Set<number>>();

  constructor(history: History) {
    this.#history = history;
    for (const { key, text } of history.log.initial) for (const token of tokensOf(text)) this.#add(token, key);
  }

  /** Goes on by one commit; tells what it lost. So what is nowhere at the end has been removed by a command that may. */
  *follow(commit: Write): Generator<Violation> {
    const { key, before, after, operation } = commit;
    const command = this.#history.courses[operation]?.operation.input.command;
    const kept = new Set(tokensOf(after?.text ?? ""));
    for (const token of tokensOf(after?.text ?? "")) {
      this.#add(token, key);
      if (command === "rename") this.#copiersOf(token).add(operation);
    }
    // Equal bytes have fooled the condition: a limit that is documented.
    const mayRemove = command !== "rename" || isFooled(this.#history, commit);
    const lost: string[] = [];
    for (const token of tokensOf(before?.text ?? "")) {
      this.#take(token, key);
      if (kept.has(token)) continue;
      if (mayRemove) this.#removed.add(token);
      else if (!this.#removed.has(token) && this.#placesOf(token).size === 0) lost.push(token);
    }
    if (lost.length > 0) {
      const detail = `"${lost.join(" ")}" was last seen at ${key}, which ${commit.method} took away`;
      yield violation("lost by a rename", operation, detail);
    }
  }

  doubles(): { readonly violations: readonly Violation[]; readonly unnamed: readonly UnnamedDouble[] } {
    const violations = new Map<string, UnnamedDouble>();
    const unnamed = new Map<string, UnnamedDouble>();
    for (const [token, places] of this.#places) {
      const sum = [...places.values()].reduce((total, count) => total + count, 0);
      if (sum < 2 || this.#wasWrittenTwice(token)) continue;
      const operations = [...this.#copiersOf(token)];
      const excuse = places.size < sum ? "none" : this.#excuseOf([...operations, ...this.#movedTo(places)]);
      if (excuse === "named") continue;
      const found = excuse === "none" ? violations : unnamed;
      const keys = [...places.keys()];
      const name = `${keys.join()} ${operations.join()}`;
      found.set(name, { keys, operations, tokens: [...(found.get(name)?.tokens ?? []), token] });
    }
    return { violations: [...violations.values()].map(describeDouble), unnamed: [...unnamed.values()] };
  }

  /** Renames that have put something where it stands: an earlier text of it, perhaps. */
  #movedTo(places: ReadonlyMap<string, number>): readonly number[] {
    const puts = this.#history.commits.filter(({ key, method }) => method === "PUT" && places.has(key));
    return puts.map(({ operation }) => operation);
  }

  /** A rename that copied it died, said so, or at least did not hear everything. */
  #excuseOf(operations: readonly number[]): "named" | "unnamed" | "none" {
    const courses = operations.flatMap((id) => this.#history.courses[id] ?? []);
    if (courses.some((course) => course.hasDied || namesBoth(course))) return "named";
    return courses.some(hasUnansweredRequest) ? "unnamed" : "none";
  }

  /** The other rule on that, with its exceptions, has judged it. */
  #wasWrittenTwice(token: string): boolean {
    const countIn = (state: State | undefined): number =>
      tokensOf(state?.text ?? "").filter((one) => one === token).length;
    const writers = this.#history.commits.filter(
      ({ after, before, operation }) =>
        this.#history.courses[operation]?.operation.input.command !== "rename" && countIn(after) > countIn(before),
    );
    return new Set(writers.map(({ after }) => after?.writeIds[0])).size < writers.length;
  }

  #placesOf(token: string): Map<string, number> {
    return getOrMake(this.#places, token, () => new Map<string, number>());
  }

  #copiersOf(token: string): Set<number> {
    return getOrMake(this.#copiers, token, () => new Set<number>());
  }

  #add(token: string, key: string): void {
    const places = this.#placesOf(token);
    places.set(key, (places.get(key) ?? 0) + 1);
  }

  #take(token: string, key: string): void {
    const places = this.#placesOf(token);
    const left = (places.get(key) ?? 0) - 1;
    if (left > 0) places.set(key, left);
    else places.delete(key);
  }
}

function describeDouble({ tokens, keys, operations }: UnnamedDouble): Violation {
  const detail = `"${tokens.join(" ")}" stands at ${keys.join(" and ")}, copied by ${operations.join() || "nobody"}`;
  return violation("doubled", operations.at(-1), detail);
}

function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

/** An answer that names the two paths as such where something may stand; that of a time-out or an abort does, too. */
function namesBoth({ answer }: Course): boolean {
  if (answer === undefined || answer.code === undefined) return false;
  if (answer.code === "outcome_unknown" || answer.code === "aborted") return true;
  return saysWhatStands(answer.content);
}
