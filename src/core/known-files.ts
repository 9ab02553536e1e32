import type { FileCache } from "./file-cache.ts";
import type { Metadata, ObjectStore } from "./object-store.ts";

/** An object as this process last saw or wrote it. It may have changed since: good for a condition, never for an answer. */
export interface KnownFile {
  readonly version: string;
  readonly metadata: Metadata;
  readonly body: Uint8Array;
}

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
): { readonly store: ObjectStore; readonly known: KnownFiles } {
  const remember = (key: string, { version, metadata, body }: KnownFile): void =>
    cache.set(key, { version, metadata, body });
  const remembering: ObjectStore = {
    async get(key, options) {
      const found = await store.get(key, options);
      if (found.outcome === "found") remember(key, found);
      else cache.delete(key);
      return found;
    },
    async head(key, options) {
      const found = await store.head(key, options);
      if (found.outcome === "missing") cache.delete(key);
      return found;
    },
    async put(key, body, options) {
      cache.delete(key);
      const result = await store.put(key, body, options);
      if (result.outcome === "written") {
        remember(key, { version: result.version, metadata: options.metadata, body });
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
      const file = cache.get(key);
      return file && "metadata" in file ? file : undefined;
    },
  };
  return { store: remembering, known };
}
