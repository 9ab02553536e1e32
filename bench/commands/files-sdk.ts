import type { MemoryToolHandlers } from "@anthropic-ai/sdk/helpers/beta/memory";
import { Files, FilesError, type StoredFile } from "files-sdk";
import { s3, type S3Adapter } from "files-sdk/s3";
import { sideOfHandlers } from "./handlers.ts";
import { credentials, region, type Address, type Side } from "./side.ts";
import { directoryRows, exists, insertAfter, missing, numberedLines, replaceOnce } from "./texts.ts";

type Bucket = Files<S3Adapter>;
const keyOf = (home: string, path: string): string => home + path;
const isMissing = (error: unknown): boolean => error instanceof FilesError && error.code === "NotFound";

function open({ endpoint, bucket }: Address): Bucket {
  const adapter = s3({ bucket, region, endpoint, forcePathStyle: true, credentials, conditional: true });
  return new Files({ adapter });
}

/** `files-sdk` by its plain methods: look, then write. */
export function filesSdk(address: Address): Side {
  const files = open(address);
  return sideOfHandlers("files-sdk", (user) => plainHandlers(files, `users/${user}`));
}

/** `files-sdk` with the `condition` that its writes take: on what the command itself has just read. */
export function filesSdkWithConditions(address: Address): Side {
  const files = open(address);
  return sideOfHandlers("files-sdk, conditional", (user) => conditionalHandlers(files, `users/${user}`));
}

async function below(files: Bucket, home: string, path: string): Promise<readonly StoredFile[]> {
  const found = await Array.fromAsync(files.listAll({ prefix: `${keyOf(home, path)}/` }));
  if (found.length === 0 && path !== "/memories") throw missing(path);
  return found;
}

async function view(files: Bucket, home: string, path: string): Promise<string> {
  const list = async (): Promise<string> => {
    const found = await below(files, home, path);
    const start = keyOf(home, path).length + 1;
    return directoryRows(
      path,
      found.map(({ key, size }) => ({ name: key.slice(start), size })),
    );
  };
  if (path === "/memories") return list();
  try {
    return numberedLines(path, await (await files.download(keyOf(home, path))).text());
  } catch (error) {
    if (isMissing(error)) return list();
    throw error;
  }
}

function plainHandlers(files: Bucket, home: string): MemoryToolHandlers {
  const key = (path: string): string => keyOf(home, path);
  const edit = async (path: string, change: (text: string) => string): Promise<void> => {
    const file = await files.download(key(path));
    await files.upload(key(path), change(await file.text()));
  };
  return {
    view: ({ path }) => view(files, home, path),
    async create({ path, file_text }) {
      if (await files.exists(key(path))) throw exists(path);
      await files.upload(key(path), file_text);
      return `File created successfully at: ${path}`;
    },
    async str_replace({ path, old_str, new_str }) {
      await edit(path, (text) => replaceOnce(text, path, old_str, new_str));
      return "The memory file has been edited.";
    },
    async insert({ path, insert_line, insert_text }) {
      await edit(path, (text) => insertAfter(text, insert_line, insert_text));
      return `The file ${path} has been edited.`;
    },
    async delete({ path }) {
      if (await files.exists(key(path))) await files.delete(key(path));
      else await files.delete((await below(files, home, path)).map((file) => file.key));
      return `Successfully deleted ${path}`;
    },
    async rename({ old_path, new_path }) {
      if (await files.exists(key(new_path))) throw exists(new_path);
      try {
        await files.move(key(old_path), key(new_path));
      } catch (error) {
        if (!isMissing(error)) throw error;
        const found = await below(files, home, old_path);
        await Promise.all(
          found.map((file) => files.move(file.key, key(new_path) + file.key.slice(key(old_path).length))),
        );
      }
      return `Successfully renamed ${old_path} to ${new_path}`;
    },
  };
}

function conditionalHandlers(files: Bucket, home: string): MemoryToolHandlers {
  const key = (path: string): string => keyOf(home, path);
  const edit = async (path: string, change: (text: string) => string): Promise<void> => {
    const file = await files.download(key(path));
    await files.upload(key(path), change(await file.text()), {
      condition: { type: "replace", etag: file.etag ?? "" },
    });
  };
  const remove = (file: StoredFile): Promise<void> => files.delete(file.key, { condition: { etag: file.etag ?? "" } });
  const move = async (file: StoredFile, to: string): Promise<void> => {
    await files.copy(file.key, to, {
      condition: { source: { etag: file.etag ?? "" }, destination: { type: "create" } },
    });
    await remove(file);
  };
  /** The file itself, or those below it. */
  const found = async (path: string): Promise<readonly StoredFile[]> => {
    try {
      return [await files.head(key(path))];
    } catch (error) {
      if (isMissing(error)) return below(files, home, path);
      throw error;
    }
  };
  return {
    view: ({ path }) => view(files, home, path),
    async create({ path, file_text }) {
      await files.upload(key(path), file_text, { condition: { type: "create" } });
      return `File created successfully at: ${path}`;
    },
    async str_replace({ path, old_str, new_str }) {
      await edit(path, (text) => replaceOnce(text, path, old_str, new_str));
      return "The memory file has been edited.";
    },
    async insert({ path, insert_line, insert_text }) {
      await edit(path, (text) => insertAfter(text, insert_line, insert_text));
      return `The file ${path} has been edited.`;
    },
    async delete({ path }) {
      await Promise.all((await found(path)).map(remove));
      return `Successfully deleted ${path}`;
    },
    async rename({ old_path, new_path }) {
      const from = key(old_path).length;
      await Promise.all((await found(old_path)).map((file) => move(file, key(new_path) + file.key.slice(from))));
      return `Successfully renamed ${old_path} to ${new_path}`;
    },
  };
}
