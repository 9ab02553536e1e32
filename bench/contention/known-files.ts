import type { KnownFile, KnownFiles } from "../../src/core/known-files.ts";
import type { ObjectStore } from "../../src/core/object-store.ts";

/** When a worker that knows a file sends its edit unread. */
export interface DirectEdits {
  readonly name: string;
  /** Milliseconds after a lost race in which every edit reads first. */
  readonly quiet: number;
  /** So many edits in a row go on from the worker's own writes, then one reads. */
  readonly inARow: number;
}

export const readsFirst: DirectEdits = { name: "never", quiet: Infinity, inARow: 0 };

/** Against what the library does: it sends an edit of a known file unread, eight times in a row at most. */
export const directEdits: readonly DirectEdits[] = [
  readsFirst,
  { name: "at most 4 in a row", quiet: 0, inARow: 4 },
  { name: "not for 1 s after a lost race", quiet: 1_000, inARow: Infinity },
  { name: "not for 5 s after a lost race", quiet: 5_000, inARow: Infinity },
];

/** What one worker knows of its file, by such a rule. */
export function knownFilesBy(
  rule: DirectEdits,
  store: ObjectStore,
  now: () => number,
): { readonly store: ObjectStore; readonly known: KnownFiles } {
  let file: KnownFile | undefined;
  let lostAt = -Infinity;
  let unread = 0;
  return {
    store: {
      ...store,
      async get(key, options) {
        const found = await store.get(key, options);
        file = found.outcome === "found" ? found : undefined;
        unread = 0;
        return found;
      },
      async put(key, body, options) {
        file = undefined;
        const result = await store.put(key, body, options);
        if (result.outcome === "written") file = { version: result.version, metadata: options.metadata, body };
        else lostAt = now();
        unread += 1;
        return result;
      },
    },
    known: { get: () => (now() - lostAt < rule.quiet || unread > rule.inARow ? undefined : file) },
  };
}
