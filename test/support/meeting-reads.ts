import type { ObjectStore } from "../../src/index.ts";

/** A store that answers no read before there are two of them. */
export function meetingReads(store: ObjectStore): ObjectStore {
  const both = Promise.withResolvers<void>();
  let reading = 0;
  return {
    ...store,
    get: async (...call) => {
      reading += 1;
      if (reading === 2) both.resolve();
      await both.promise;
      return store.get(...call);
    },
  };
}
