import { createLRU } from "lru.min";
import { isBelow, type MemoryPath } from "./memory-path.ts";
import { decodeText, encodeText } from "./text/encoding.ts";

/** A file as a conversation knows it: the bytes that Claude's line numbers mean. */
export interface ShownFile {
  /** `undefined` where others' changes are in the file that Claude was not shown. */
  readonly version: string | undefined;
  /** `undefined` for an image. */
  readonly text: string | undefined;
}

export interface ShownFiles {
  get(path: MemoryPath): ShownFile | undefined;
  /** Views of one path run in parallel: what an earlier turn showed does not take the place of what a later one did. */
  set(path: MemoryPath, file: ShownFile, turn: number): void;
  nextTurn(): number;
  forget(path: MemoryPath): void;
  /** The path and everything below it. */
  forgetAll(path: MemoryPath): void;
}

/** Bytes of all texts that one conversation keeps. */
const budget = 8 * 1024 * 1024;
/** A tenant has 1,000 files by default; each costs something, however small it is. */
const mostFiles = 1_000;

/**
 * What a `UserMemory` showed Claude last of each file, the least recently used forgotten first. Nothing that is right
 * depends on it: it tells the lines that an insert means, and refuses to overwrite what this conversation never saw.
 */
export function createShownFiles(): ShownFiles {
  interface Kept {
    readonly version: string | undefined;
    readonly body: Uint8Array | undefined;
    readonly turn: number;
  }
  let turns = 0;
  let bytes = 0;
  const sizeOf = ({ body }: Kept): number => body?.byteLength ?? 0;
  const create = (): ReturnType<typeof createLRU<MemoryPath, Kept>> =>
    // Called for what is replaced and deleted, too.
    createLRU({ max: mostFiles, onEviction: (_, kept) => void (bytes -= sizeOf(kept)) });
  let files: ReturnType<typeof create> | undefined; // it takes room for all of them at once, and most scopes need none
  return {
    get(path) {
      const kept = files?.get(path);
      return kept && { version: kept.version, text: kept.body && decodeText(kept.body) };
    },
    nextTurn() {
      turns += 1;
      return turns;
    },
    set(path, { version, text }, turn) {
      if ((files?.peek(path)?.turn ?? 0) > turn) return;
      const kept = { version, body: text === undefined ? undefined : encodeText(text), turn };
      files ??= create();
      files.set(path, kept);
      bytes += sizeOf(kept);
      // eslint-disable-next-line no-unmodified-loop-condition -- an eviction takes the bytes off
      while (bytes > budget) files.evict(1);
    },
    forget(path) {
      files?.delete(path);
    },
    forgetAll(path) {
      const gone = [...(files?.keys() ?? [])].filter((known) => known === path || isBelow(known, path));
      for (const known of gone) files?.delete(known);
    },
  };
}
