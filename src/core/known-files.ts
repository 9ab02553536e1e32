import type { FileCache } from "./file-cache.ts";
import type { Metadata, ObjectStore } from "./object-store.ts";

/** An object as this process last saw or wrote it. It may have changed since: good for a condition, never for an answer. */
export interface KnownFile {
  readonly version: string;
  readonly metadata: Metadata;
  readonly body: Uint8Array;
}

/** A file that is kept. */
export interface KeptFile extends KnownFile {
  /** When it was asked for. */
  readonly at: number;
  /** How often it was written on since it was read. */
  readonly writes: number;
}

/**
 * Milliseconds. What is known for longer is read again before it is written on: a condition vouches for the bytes alone,
 * and the same bytes may have come back with another history.
 */
const usedFor = 60_000;

/**
 * After so many writes in a row it is read again: who goes on from his own write needs one round trip where others need
 * two, and would win every race for the file as long as he has something to write.
 */
export const mostWritesInARow = 8;

export interface KnownFiles {
  get(key: string): KnownFile | undefined;
}

/** Where nothing is to be remembered: every edit reads first. */
export const nothingKnown: KnownFiles = { get: () => undefined };

/**
 * The same store, and what its answers tell: whatever a read or an acknowledged write shows is known from then on.
 * From the moment that a write, copy or delete goes out nothing is known of its key, so neither a lost race nor an
 * unknown outcome leaves anything behind.
 */
export function rememberingStore(
  store: ObjectStore,
  cache: FileCache,
  now: () => number,
): { readonly store: ObjectStore; readonly known: KnownFiles } {
  const remember = (key: string, { version, metadata, body }: KnownFile, at: number, writes: number): void =>
    cache.set(key, { version, metadata, body, at, writes });
  const keptOf = (key: string): KeptFile | undefined => {
    const file = cache.get(key);
    return file && "metadata" in file ? file : undefined;
  };
  const remembering: ObjectStore = {
    async get(key, options) {
      const at = now();
      const found = await store.get(key, options);
      if (found.outcome === "found") remember(key, found, at, 0);
      else cache.delete(key);
      return found;
    },
    async head(key, options) {
      const found = await store.head(key, options);
      if (found.outcome === "missing") cache.delete(key);
      return found;
    },
    async put(key, body, options) {
      const writes = (keptOf(key)?.writes ?? 0) + 1;
      cache.delete(key);
      const at = now();
      const result = await store.put(key, body, options);
      if (result.outcome === "written") {
        remember(key, { version: result.version, metadata: options.metadata, body }, at, writes);
      }
      return result;
    },
    copy(source, target, options) {
      cache.delete(target);
      return store.copy(source, target, options);
    },
    delete(key, options) {
      cache.delete(key);
      return store.delete(key, options);
    },
    deleteMany(objects, options) {
      for (const { key } of objects) cache.delete(key);
      return store.deleteMany(objects, options);
    },
    list: (options) => store.list(options),
  };
  const known: KnownFiles = {
    get(key) {
      const file = keptOf(key);
      const age = now() - (file?.at ?? 0);
      return file && age >= 0 && age < usedFor && file.writes < mostWritesInARow ? file : undefined;
    },
  };
  return { store: remembering, known };
}
