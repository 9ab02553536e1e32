import { createFileCache } from "./file-cache.ts";
import { nothingKnown, rememberingStore, type KnownFiles } from "./known-files.ts";
import type { ObjectStore } from "./object-store.ts";
import { createRaces, type Races } from "./races.ts";
import { createShownFiles, type ShownFiles } from "./shown-files.ts";

interface StoreOptions {
  readonly store: ObjectStore;
  readonly cache: { readonly bytes: number; readonly directEdits: boolean };
}

/** A store and the one cache above it, for all users of a memory. */
export interface OpenStore {
  readonly store: ObjectStore;
  readonly known: KnownFiles;
  readonly races: Races;
  /** What a conversation that begins now will have been shown. */
  readonly openShownFiles: () => ShownFiles;
}

export function openStore({ store, cache: { bytes, directEdits } }: StoreOptions, now: () => number): OpenStore {
  const cache = createFileCache(bytes);
  let conversations = 0;
  return {
    ...(directEdits ? rememberingStore(store, cache, now) : { store, known: nothingKnown }),
    races: createRaces(),
    openShownFiles() {
      conversations += 1;
      return createShownFiles(cache, conversations);
    },
  };
}
