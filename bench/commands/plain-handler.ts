/**
 * A memory on S3 as people write it in an afternoon: GET, change, PUT, without conditions. It stands here to be measured,
 * not to be used. What is wrong with it, each of which was seen in public code:
 *
 * - two edits of one file at once: the later PUT wipes out the earlier, and both report success
 * - `create` and `rename` look with a HEAD, then write: who comes between them is overwritten
 * - a PUT whose answer got lost is sent again by the SDK, over whatever came between
 * - no path guard: `/memories//a` and `/memories/a` are two files, and `/memories/../x` is a key like any other
 * - `/memories` alone is listed to its end; a directory that is deleted or renamed, to its first 1,000 keys
 * - `note` and `note/a.md` may both exist, and Claude sees one of them
 */
import type { MemoryToolHandlers } from "@anthropic-ai/sdk/helpers/beta/memory";
import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  paginateListObjectsV2,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from "@aws-sdk/client-s3";
import { sideOfHandlers } from "./handlers.ts";
import { credentials, region, type Address, type Side } from "./side.ts";
import { directoryRows, exists, insertAfter, missing, numberedLines, replaceOnce } from "./texts.ts";

export function plainHandler({ endpoint, bucket }: Address): Side {
  const client = new S3Client({ endpoint, region, credentials, forcePathStyle: true });
  return sideOfHandlers("plain GET/PUT handler", (user) => handlers(client, bucket, `users/${user}`));
}

const isMissing = (error: unknown): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;

function handlers(client: S3Client, bucket: string, home: string): MemoryToolHandlers {
  const object = (path: string): { Bucket: string; Key: string } => ({ Bucket: bucket, Key: home + path });
  const read = async (path: string): Promise<string> =>
    (await (await client.send(new GetObjectCommand(object(path)))).Body?.transformToString()) ?? "";
  const write = (path: string, text: string): Promise<unknown> =>
    client.send(new PutObjectCommand({ ...object(path), Body: text, ContentType: "text/plain" }));
  const isThere = (path: string): Promise<boolean> =>
    client.send(new HeadObjectCommand(object(path))).then(
      () => true,
      (error: unknown) => {
        if (isMissing(error)) return false;
        throw error;
      },
    );
  const below = async (path: string): Promise<readonly string[]> => {
    const { Contents = [] } = await client.send(
      new ListObjectsV2Command({ Bucket: bucket, Prefix: `${home}${path}/` }),
    );
    if (Contents.length === 0) throw missing(path);
    return Contents.map(({ Key = "" }) => Key.slice(home.length));
  };
  const list = async (path: string): Promise<string> => {
    const prefix = `${home}${path}/`;
    const entries: { name: string; size: number }[] = [];
    for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: prefix })) {
      for (const { Key = "", Size = 0 } of Contents) entries.push({ name: Key.slice(prefix.length), size: Size });
    }
    if (entries.length === 0 && path !== "/memories") throw missing(path);
    return directoryRows(path, entries);
  };
  const move = async (from: string, to: string): Promise<void> => {
    const source = `${bucket}/${encodeURIComponent(home + from)}`;
    await client.send(new CopyObjectCommand({ ...object(to), CopySource: source }));
    await client.send(new DeleteObjectCommand(object(from)));
  };
  return {
    async view({ path }) {
      if (path === "/memories") return list(path);
      try {
        return numberedLines(path, await read(path));
      } catch (error) {
        if (isMissing(error)) return list(path);
        throw error;
      }
    },
    async create({ path, file_text }) {
      if (await isThere(path)) throw exists(path);
      await write(path, file_text);
      return `File created successfully at: ${path}`;
    },
    async str_replace({ path, old_str, new_str }) {
      await write(path, replaceOnce(await read(path), path, old_str, new_str));
      return "The memory file has been edited.";
    },
    async insert({ path, insert_line, insert_text }) {
      await write(path, insertAfter(await read(path), insert_line, insert_text));
      return `The file ${path} has been edited.`;
    },
    async delete({ path }) {
      if (await isThere(path)) await client.send(new DeleteObjectCommand(object(path)));
      else {
        const Objects = (await below(path)).map((file) => ({ Key: home + file }));
        await client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects } }));
      }
      return `Successfully deleted ${path}`;
    },
    async rename({ old_path, new_path }) {
      if (await isThere(new_path)) throw exists(new_path);
      try {
        await move(old_path, new_path);
      } catch (error) {
        if (!isMissing(error)) throw error;
        const files = await below(old_path);
        await Promise.all(files.map((file) => move(file, new_path + file.slice(old_path.length))));
      }
      return `Successfully renamed ${old_path} to ${new_path}`;
    },
  };
}
