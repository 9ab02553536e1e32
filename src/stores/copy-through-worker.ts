import type { CopyOptions, CopyResult, ObjectHead, ObjectStore } from "../core/object-store.ts";

/**
 * Copies by GET and conditional PUT. S3's own CopyObject would save the bytes a detour, but many
 * stores ignore its conditions on the target or damage the target on a refused copy; every store
 * honours the conditions of PUT.
 */
export async function copyThroughWorker(
  store: Pick<ObjectStore, "get" | "put">,
  source: string,
  target: string,
  options: CopyOptions,
): Promise<CopyResult> {
  const { condition, metadata, maximumBytes, ...request } = options;
  const read = await store.get(source, { ...request, maximumBytes });
  if (read.outcome === "missing") return { outcome: "source_missing" };

  const head: ObjectHead = {
    size: read.size,
    version: read.version,
    modified: read.modified,
    metadata: read.metadata,
    contentType: read.contentType,
  };
  if (read.outcome === "too_large") return { outcome: "source_too_large", source: head };

  const made = metadata(head);
  if (made === undefined) return { outcome: "declined", source: head };
  const written = await store.put(target, read.body, {
    ...request,
    condition,
    metadata: made,
    contentType: head.contentType,
  });
  return { ...written, source: head };
}
