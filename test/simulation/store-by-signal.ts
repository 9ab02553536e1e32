import type { ObjectStore, RequestOptions } from "../../src/core/object-store.ts";

/**
 * The store that all operations of an episode share: it finds out by the signal which operation a call belongs to, and
 * hands it to that one's own store. A call without an operation's signal is an error of the core.
 */
export function storeBySignal(storeOf: (signal: AbortSignal | undefined) => ObjectStore): ObjectStore {
  const of = ({ signal }: RequestOptions): ObjectStore => storeOf(signal);
  return {
    get: async (key, options) => of(options).get(key, options),
    head: async (key, options) => of(options).head(key, options),
    put: async (key, body, options) => of(options).put(key, body, options),
    copy: async (source, target, options) => of(options).copy(source, target, options),
    delete: async (key, options) => of(options).delete(key, options),
    deleteMany: async (objects, options) => of(options).deleteMany(objects, options),
    list: async (options) => of(options).list(options),
  };
}
