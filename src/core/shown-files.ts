import type { FileCache } from "./file-cache.ts";
import type { MemoryPath } from "./memory-path.ts";
import { decodeText } from "./text/encoding.ts";

/** A file as a conversation was shown it: the bytes that Claude's line numbers mean. */
export interface ShownFile {
  /** `undefined` where others' changes are in the file that Claude was not shown. */
  readonly version: string | undefined;
  /** `undefined` for an image. */
  readonly body: Uint8Array | undefined;
}

/** A file that was shown, and in which turn of the conversation. */
export interface ShownInTurn extends ShownFile {
  readonly turn: number;
}

export interface ShownFiles {
  get(path: MemoryPath): { readonly version: string | undefined; readonly text: string | undefined } | undefined;
  /** Views of one path run in parallel: what an earlier turn showed does not take the place of what a later one did. */
  set(path: MemoryPath, file: ShownFile, turn: number): void;
  nextTurn(): number;
  forget(path: MemoryPath): void;
  /** The path and everything below it. */
  forgetAll(path: MemoryPath): void;
}

/**
 * What a `UserMemory` showed Claude last of each file. Nothing that is right depends on it: it tells the lines that an
 * insert means, and refuses to overwrite what this conversation never saw.
 */
export function createShownFiles(cache: FileCache, conversation: number): ShownFiles {
  let turns = 0;
  const home = `${conversation}\n`; // no key has a line feed
  const nameOf = (path: string): string => home + path;
  return {
    get(path) {
      const shown = cache.get(nameOf(path));
      return shown && { version: shown.version, text: shown.body && decodeText(shown.body) };
    },
    nextTurn() {
      turns += 1;
      return turns;
    },
    set(path, { version, body }, turn) {
      if (turnOf(cache.peek(nameOf(path))) <= turn) cache.set(nameOf(path), { version, body, turn });
    },
    forget(path) {
      cache.delete(nameOf(path));
    },
    forgetAll(path) {
      const below = nameOf(`${path}/`);
      const gone = [...cache.names()].filter((name) => name === nameOf(path) || name.startsWith(below));
      for (const name of gone) cache.delete(name);
    },
  };
}

function turnOf(file: ReturnType<FileCache["peek"]>): number {
  return file && "turn" in file ? file.turn : 0;
}
