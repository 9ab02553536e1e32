import { createLRU } from "lru.min";
import type { KeptFile } from "./known-files.ts";
import type { ShownInTurn } from "./shown-files.ts";

type RememberedFile = KeptFile | ShownInTurn;

/** A least recently used cache of files under names, bounded in bytes and in number. */
export interface FileCache {
  get(name: string): RememberedFile | undefined;
  /** As `get`, but does not count as a use. */
  peek(name: string): RememberedFile | undefined;
  set(name: string, file: RememberedFile): void;
  delete(name: string): void;
  names(): Iterable<string>;
}

/** Each entry costs something, however small it is; a scope has 1,000 files by default, each known and shown. */
const mostEntries = 10_000;
/** No file takes more than this part of the budget: one image would send all notes away. */
const largestShare = 1 / 8;

/**
 * The one cache of a memory, for all its users: what this process knows of files in the store, and what each conversation was shown of them.
 * Both hold the same bytes most of the time, which count once. Nothing that is right depends on what is kept here.
 */
export function createFileCache(budget: number): FileCache {
  const holders = new Map<Uint8Array, number>();
  let bytes = 0;
  const hold = ({ body }: RememberedFile): void => {
    if (body === undefined) return;
    const before = holders.get(body) ?? 0;
    if (before === 0) bytes += body.byteLength;
    holders.set(body, before + 1);
  };
  const release = ({ body }: RememberedFile): void => {
    if (body === undefined) return;
    const left = (holders.get(body) ?? 0) - 1;
    if (left > 0) return void holders.set(body, left);
    holders.delete(body);
    bytes -= body.byteLength;
  };
  /** Of a file that was shown its version at least: nothing that came after it may be overwritten. */
  const keptOf = (file: RememberedFile): RememberedFile | undefined => {
    if ((file.body?.byteLength ?? 0) <= budget * largestShare) return file;
    return "turn" in file ? { ...file, body: undefined } : undefined;
  };
  const create = (): ReturnType<typeof createLRU<string, RememberedFile>> =>
    // Called for what is replaced and deleted, too.
    createLRU({ max: mostEntries, onEviction: (_, file) => release(file) });
  let files: ReturnType<typeof create> | undefined; // it takes room for all of them at once
  return {
    get: (name) => files?.get(name),
    peek: (name) => files?.peek(name),
    set(name, file) {
      if (budget === 0) return;
      files ??= create();
      const kept = keptOf(file);
      if (kept === undefined) return void files.delete(name);
      hold(kept);
      files.set(name, kept);
      // eslint-disable-next-line no-unmodified-loop-condition -- an eviction takes the bytes off
      while (bytes > budget) files.evict(1);
    },
    delete: (name) => void files?.delete(name),
    names: () => files?.keys() ?? [],
  };
}
