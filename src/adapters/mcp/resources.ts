import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ListResourcesResult,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
} from "@modelcontextprotocol/server";
import type { FileInfo } from "../../core/files.ts";
import type { UserMemory } from "../../core/memory.ts";
import { compareUtf8 } from "../../core/utf8-order.ts";
import { isMemoryError } from "../../errors.ts";
import { pathOf, uriOf, uriTemplate } from "./resource-uri.ts";

/** As many as one request of S3 lists. */
const pageSize = 1000;

/** A listing has no place to go on from: each page looks at all files before it, so there is an end to it. */
const mostFiles = 10_000;

export const resourceTemplates: ResourceTemplateType[] = [
  {
    uriTemplate,
    name: "memory-file",
    title: "A memory file",
    description: "Any file of the memory, by its path below /memories",
  },
];

/** One page of the files, in the order of their paths. The cursor is the URI of the last one before it. */
export async function listResources(
  { files }: UserMemory,
  cursor: string | undefined,
  signal: AbortSignal,
): Promise<ListResourcesResult> {
  const after = cursor === undefined ? "" : pathOf(cursor);
  if (after === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such cursor.");
  const resources: Resource[] = [];
  let seen = 0;
  for await (const file of files.list({ signal })) {
    seen += 1;
    if (seen > mostFiles) break;
    const last = resources.at(-1);
    if (last !== undefined && resources.length === pageSize) return { resources, nextCursor: last.uri };
    if (compareUtf8(file.path, after) > 0) resources.push(resourceOf(file));
  }
  return { resources };
}

/** A file as it is, without line numbers: text, or an image that `view` can show. */
export async function readResource(
  userMemory: UserMemory,
  uri: string,
  signal: AbortSignal,
): Promise<ReadResourceResult> {
  const path = pathOf(uri);
  if (path === undefined) throw new ResourceNotFoundError(uri);
  try {
    const file = await userMemory.files.read(path, { signal });
    if (file === undefined) throw new ResourceNotFoundError(uri);
    const mimeType = isImage(path) ? "text/plain" : mimeTypeOf(path);
    return { contents: [{ uri, mimeType, text: file.text }] };
  } catch (error) {
    if (!isMemoryError(error)) throw error;
    if (error.code === "not_text") {
      const image = await readImage(userMemory, path, signal);
      if (image !== undefined) return { contents: [{ uri, ...image }] };
    }
    const nothingThere = ["not_found", "invalid_path", "is_a_directory"].includes(error.code);
    throw nothingThere ? new ResourceNotFoundError(uri) : error;
  }
}

async function readImage(
  userMemory: UserMemory,
  path: string,
  signal: AbortSignal,
): Promise<{ readonly mimeType: string; readonly blob: string } | undefined> {
  const { content } = await userMemory.execute({ command: "view", path }, { signal });
  const image = typeof content === "string" ? undefined : content.find(({ type }) => type === "image");
  return image?.type === "image" ? { mimeType: image.source.media_type, blob: image.source.data } : undefined;
}

function resourceOf({ path, size, modified }: FileInfo): Resource {
  return {
    uri: uriOf(path),
    name: path,
    mimeType: mimeTypeOf(path),
    size,
    annotations: { lastModified: modified.toISOString() },
  };
}

/** By its name alone, as a listing knows no more. */
function mimeTypeOf(path: string): string {
  if (isImage(path)) return /\.png$/i.test(path) ? "image/png" : "image/jpeg";
  return /\.md$/i.test(path) ? "text/markdown" : "text/plain";
}

function isImage(path: string): boolean {
  return /\.(?:png|jpe?g)$/i.test(path);
}
