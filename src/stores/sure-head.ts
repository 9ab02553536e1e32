import type { HeadResult, ObjectHead, ObjectStore, RequestOptions } from "../core/object-store.ts";

/** The head of an object that was read in whatever way. */
export function headIn({ size, version, modified, metadata, contentType }: ObjectHead): ObjectHead {
  return { size, version, modified, metadata, contentType };
}

/** As `head`, but `missing` is certain: a HEAD has no body, so its 404 may mean the bucket; a GET throws then. */
export async function sureHead(
  { get, head }: Pick<ObjectStore, "get" | "head">,
  key: string,
  request: RequestOptions,
): Promise<HeadResult> {
  const looked = await head(key, request);
  if (looked.outcome === "found") return looked;
  const read = await get(key, { ...request, maximumBytes: 0 });
  return read.outcome === "missing" ? read : { outcome: "found", ...headIn(read) };
}
