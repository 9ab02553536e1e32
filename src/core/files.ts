import { MemoryError } from "../errors.ts";
import { checkDeleteOptions, checkReadOptions, checkWriteOptions } from "./call-options.ts";
import { getFile, type Call } from "./call.ts";
import { listPages } from "./listing.ts";
import { isRoot, parseMemoryPath, type MemoryPath } from "./memory-path.ts";
import * as messages from "./messages.ts";
import type { PathQueue } from "./path-queue.ts";
import { decodeText, isWellFormed } from "./text/encoding.ts";
import { asMemoryError } from "./unexpected.ts";

export interface FileInfo {
  /** The canonical path, `/memories/…`. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly modified: Date;
  /** The ETag: opaque, compares with that of `read`. */
  readonly version: string;
}

export interface FileOptions {
  readonly signal?: AbortSignal;
}

/** What a write demands: that there is no such file yet, or that it is still this version. */
export type FileCondition = { readonly ifAbsent: true } | { readonly ifVersion: string };

/**
 * The files of a memory for the application: to seed, show, export and test them. The same guard, limits
 * and conditions as Claude's commands. Everything here throws a `MemoryError` where it cannot do
 * what was asked.
 */
export interface MemoryFiles {
  /** Every file, in UTF-8 byte order of the paths; one LIST per 1,000. */
  list(options?: FileOptions): AsyncIterable<FileInfo>;
  /** The text and its version; `undefined` if there is no such file. Throws `not_text` and `too_large`. */
  read(path: string, options?: FileOptions): Promise<{ readonly text: string; readonly version: string } | undefined>;
  /** Throws `already_exists` (`ifAbsent`), `conflict` or `not_found` (`ifVersion`), and what a limit refuses. */
  write(path: string, text: string, options: FileCondition & FileOptions): Promise<{ readonly version: string }>;
  /** Deletes one file. Throws `not_found`, and `conflict` if it is another version. */
  delete(path: string, options?: { readonly ifVersion?: string } & FileOptions): Promise<void>;
}

export interface FileCalls {
  /** A call of its own for each operation. */
  readonly start: (command: string, options: FileOptions) => Call;
  /** Throws `read_only` where a write is not allowed. */
  readonly assertWritable: (path: string) => void;
  readonly queue: PathQueue;
}

export function createMemoryFiles({ start, assertWritable, queue }: FileCalls): MemoryFiles {
  /** Runs in the order of the calls, like Claude's commands. */
  const inOrder = async <T>(path: MemoryPath, reads: boolean, call: Call, task: () => Promise<T>): Promise<T> => {
    try {
      return await queue.run([path], { reads, ...call.request }, task);
    } catch (error) {
      throw asMemoryError(error);
    }
  };
  return Object.freeze<MemoryFiles>({
    list(options = {}) {
      checkReadOptions("files.list", options);
      return listFiles(start("list", options));
    },
    async read(sent, options = {}) {
      checkReadOptions("files.read", options);
      const path = filePath(sent);
      const call = start("read", options);
      return inOrder(path, true, call, () => readFile(call, path, sent));
    },
    async write(sent, text, options) {
      const onExisting = checkWriteOptions(options);
      const path = filePath(sent);
      assertText(text);
      assertWritable(sent);
      const call = start("write", options);
      return inOrder(path, false, call, async () => {
        const { createFile } = await import("./commands/writing.ts");
        const { version } = await createFile(call, { path, sent, text, onExisting });
        return { version };
      });
    },
    async delete(sent, options = {}) {
      const version = checkDeleteOptions(options);
      const path = filePath(sent);
      assertWritable(sent);
      const call = start("delete", options);
      await inOrder(path, false, call, async () => {
        const { deleteFile } = await import("./commands/writing.ts");
        return deleteFile(call, path, sent, version);
      });
    },
  });
}

async function* listFiles({ store, keys, request }: Call): AsyncGenerator<FileInfo> {
  try {
    for await (const page of listPages(store, { prefix: keys.memories, ...request })) {
      for (const { key, size, modified, version } of page.objects) {
        const path = keys.pathOf(key);
        if (path !== undefined) yield { path, size, modified, version };
      }
    }
  } catch (error) {
    throw asMemoryError(error);
  }
}

async function readFile(
  call: Call,
  path: MemoryPath,
  sent: string,
): Promise<{ readonly text: string; readonly version: string } | undefined> {
  const key = call.keys.keyOf(path, sent);
  const found = await getFile(call, key);
  if (found.outcome === "missing") return undefined;
  if (found.outcome === "too_large") throw new MemoryError("too_large", messages.tooLargeTo("view", sent, found.size));
  const text = decodeText(found.body);
  if (text === undefined) throw new MemoryError("not_text", messages.notText(sent));
  return { text, version: found.version };
}

function filePath(sent: string): MemoryPath {
  if (typeof sent !== "string") throw new TypeError("files: the path must be a string such as /memories/notes.md.");
  const path = parseMemoryPath(sent);
  if (isRoot(path)) throw new MemoryError("is_a_directory", messages.isADirectory(sent));
  return path;
}

function assertText(text: unknown): void {
  if (typeof text !== "string") throw new TypeError("files.write: the text must be a string.");
  if (!isWellFormed(text)) throw new MemoryError("invalid_input", `Error: ${messages.illFormedField("text")}`);
}
