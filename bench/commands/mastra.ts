import type { MemoryToolHandlers } from "@anthropic-ai/sdk/helpers/beta/memory";
import { FileNotFoundError } from "@mastra/core/workspace";
import { S3Filesystem } from "@mastra/s3";
import { sideOfHandlers } from "./handlers.ts";
import { credentials, region, type Address, type Side } from "./side.ts";
import { directoryRows, exists, insertAfter, missing, numberedLines, replaceOnce } from "./texts.ts";

/**
 * `@mastra/s3`: each command made from the fewest of its `S3Filesystem`'s public methods that do the work. It has no
 * conditions: `writeFile({ overwrite: false })` and `moveFile({ overwrite: false })` look, then write.
 */
export function mastra({ endpoint, bucket }: Address): Side {
  const filesystem = new S3Filesystem({ bucket, region, endpoint, forcePathStyle: true, ...credentials });
  return sideOfHandlers("@mastra/s3", (user) => handlers(filesystem, `users/${user}`));
}

function handlers(files: S3Filesystem, home: string): MemoryToolHandlers {
  const read = async (path: string): Promise<string> =>
    String(await files.readFile(home + path, { encoding: "utf-8" }));
  const list = async (path: string): Promise<string> => {
    const entries = await files.readdir(home + path, { recursive: true });
    if (entries.length === 0 && path !== "/memories") throw missing(path);
    return directoryRows(
      path,
      entries.map(({ name, size = 0 }) => ({ name, size })),
    );
  };
  return {
    async view({ path }) {
      if (path === "/memories") return list(path);
      try {
        return numberedLines(path, await read(path));
      } catch (error) {
        if (error instanceof FileNotFoundError) return list(path);
        throw error;
      }
    },
    async create({ path, file_text }) {
      await files.writeFile(home + path, file_text, { overwrite: false });
      return `File created successfully at: ${path}`;
    },
    async str_replace({ path, old_str, new_str }) {
      await files.writeFile(home + path, replaceOnce(await read(path), path, old_str, new_str));
      return "The memory file has been edited.";
    },
    async insert({ path, insert_line, insert_text }) {
      await files.writeFile(home + path, insertAfter(await read(path), insert_line, insert_text));
      return `The file ${path} has been edited.`;
    },
    async delete({ path }) {
      if (!(await files.exists(home + path))) throw missing(path);
      await files.deleteFile(home + path);
      return `Successfully deleted ${path}`;
    },
    async rename({ old_path, new_path }) {
      if (await files.exists(home + new_path)) throw exists(new_path);
      try {
        await files.moveFile(home + old_path, home + new_path);
      } catch (error) {
        if (!(error instanceof FileNotFoundError)) throw error;
        const entries = await files.readdir(home + old_path, { recursive: true });
        if (entries.length === 0) throw missing(old_path);
        await Promise.all(
          entries.map(({ name }) => files.moveFile(`${home}${old_path}/${name}`, `${home}${new_path}/${name}`)),
        );
      }
      return `Successfully renamed ${old_path} to ${new_path}`;
    },
  };
}
