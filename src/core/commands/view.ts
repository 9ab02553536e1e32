import { MemoryError } from "../../errors.ts";
import { getFile, type Call } from "../call.ts";
import { viewDirectory } from "../directory-view.ts";
import { isRoot, looksLikeDirectory, type MemoryPath } from "../memory-path.ts";
import * as messages from "../messages.ts";
import type { GetResult } from "../object-store.ts";
import type { TextBlock, ImageBlock } from "../result.ts";
import { decodeText } from "../text/encoding.ts";
import { encodeBase64, imageMediaType, maximumImageBytes } from "../text/image.ts";
import { viewText } from "../text/numbered-view.ts";

export type ViewContent = string | readonly (TextBlock | ImageBlock)[];

/**
 * A file is 1 GET. A directory is 1 LIST per 1,000 files; where the name does not tell which of the
 * two it is, both go out at once, and the exact file wins. The root is never anything but a directory.
 */
export async function view(
  call: Call,
  path: MemoryPath,
  sent: string,
  range: readonly [number, number] | undefined,
): Promise<ViewContent> {
  const { store, keys, limits, request } = call;
  const directory = async (): Promise<string | undefined> =>
    viewDirectory(store, keys, path, sent, { viewCharacters: limits.viewCharacters, ...request });
  const file = async (): Promise<GetResult> => getFile(call, keys.keyOf(path, sent));

  if (isRoot(path)) return (await directory()) ?? "";
  if (looksLikeDirectory(path)) {
    const [found, listing] = await Promise.all([file(), directory()]);
    return found.outcome === "missing"
      ? orMissing(call, path, sent, listing)
      : viewFile(call, sent, path, found, range);
  }
  const found = await file();
  return found.outcome === "missing"
    ? orMissing(call, path, sent, await directory())
    : viewFile(call, sent, path, found, range);
}

function orMissing({ shown }: Call, path: MemoryPath, sent: string, listing: string | undefined): string {
  if (listing !== undefined) return listing;
  shown.forgetAll(path);
  throw new MemoryError("not_found", messages.doesNotExist(sent));
}

function viewFile(
  call: Call,
  sent: string,
  path: MemoryPath,
  found: Exclude<GetResult, { outcome: "missing" }>,
  range: readonly [number, number] | undefined,
): ViewContent {
  if (found.outcome === "too_large") {
    throw new MemoryError("too_large", messages.tooLargeTo("view", sent, found.size));
  }
  const mediaType = imageMediaType(path, found.body);
  if (mediaType !== undefined) {
    if (found.size > maximumImageBytes)
      throw new MemoryError("too_large", messages.tooLargeTo("view", sent, found.size));
    call.shown.set(path, { version: found.version, body: undefined }, call.turn);
    return [{ type: "image", source: { type: "base64", media_type: mediaType, data: encodeBase64(found.body) } }];
  }
  const text = decodeText(found.body);
  if (text === undefined) throw new MemoryError("not_text", messages.notText(sent));
  const shown = viewText(sent, text, {
    ...(range === undefined ? {} : { viewRange: range }),
    viewCharacters: call.limits.viewCharacters,
    fileLines: call.limits.fileLines,
  });
  call.shown.set(path, found, call.turn);
  return shown;
}
