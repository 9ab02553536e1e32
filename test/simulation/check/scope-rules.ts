import type { State, Violation } from "../log.ts";
import { violation, type History, type Write } from "./history.ts";
import { endsOf, isAtOrBelow, keyOf, pathOf } from "./places.ts";

/** Design, "One key, one owner" and "Every write states its condition": who may write where, and never without a condition. */
export function* scopeRules(history: History): Generator<Violation> {
  const versions = versionsOf(history);
  for (const { requests } of history.courses) {
    for (const { writes } of requests) for (const write of writes) yield* judgeCondition(history, write, versions);
  }
  for (const commit of history.commits) yield* judgePlace(history, commit);
  yield* judgeFinal(history);
}

/** Every version that anything in the bucket ever had. */
function versionsOf({ log, commits }: History): ReadonlySet<string> {
  const states = [...log.initial, ...commits.map(({ after }) => after)];
  return new Set(states.flatMap((state) => (state === undefined ? [] : [state.version])));
}

/** Also for what was refused: a write without a condition is a fault wherever it would have been carried out. */
function* judgeCondition(history: History, write: Write, versions: ReadonlySet<string>): Generator<Violation> {
  const { method, operation, condition, key } = write;
  const command = history.courses[operation]?.operation.input.command;
  const isVersion = versions.has(condition);
  // A rename removes what it has copied, a batch what a listing showed; only a delete removes whatever is there.
  const isAllowed =
    isVersion ||
    (method === "PUT" && condition === "absent" && (command === "create" || command === "rename")) ||
    (method === "DELETE" && condition === "exists" && command === "delete");
  if (!isAllowed) {
    yield violation("write without its condition", operation, `${method} ${key} was sent with "${condition}"`);
  }
}

function* judgePlace({ log, courses }: History, commit: Write): Generator<Violation> {
  const { operation: id, key, method } = commit;
  const operation = courses[id]?.operation;
  if (operation === undefined) return;
  if (!key.startsWith(log.memories)) {
    yield violation("key outside the scope", id, `${method} ${key} was carried out, outside ${log.memories}`);
    return;
  }
  const { input } = operation;
  const own = keyOf(log.memories, pathOf(input));
  const ends = endsOf(log.memories, operation);
  const isRemoval = method !== "PUT";
  const mayWrite =
    input.command === "delete"
      ? isRemoval && isAtOrBelow(key, own)
      : ends !== undefined
        ? isAtOrBelow(key, ends.target) || (isRemoval && isAtOrBelow(key, ends.source))
        : input.command !== "view" && !isRemoval && key === own;
  if (!mayWrite) yield violation("not its key to write", id, `${input.command} of ${own} did ${method} ${key}`);
}

/** The log itself: each commit is made on what the one before it left, and nothing else ever changes a key. */
function* judgeFinal({ log, commits }: History): Generator<Violation> {
  const standing = new Map<string, State>(log.initial.map((state) => [state.key, state]));
  for (const { operation, key, before, after } of commits) {
    if (standing.get(key)?.serial !== before?.serial) {
      yield violation("key changed without a commit", operation, `${key} was not what the commit before it had left`);
    }
    if (after === undefined) standing.delete(key);
    else standing.set(key, after);
  }
  for (const { key, serial } of log.final) {
    if (standing.get(key)?.serial !== serial) {
      yield violation("key changed without a commit", undefined, `${key} stands at the end, and no commit left it so`);
    }
    standing.delete(key);
  }
  for (const key of standing.keys()) {
    yield violation("key changed without a commit", undefined, `${key} is gone at the end, and no commit removed it`);
  }
}
