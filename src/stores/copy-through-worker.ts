import type { CopyOptions, CopyResult, ObjectStore } from "../core/object-store.ts";
import { headIn } from "./sure-head.ts";

/**
 * Copies by GET and conditional PUT. S3's own CopyObject (`copy-on-server.ts`) would save the bytes a
 * detour, but many stores ignore its conditions on the target or damage the target on a refused copy;
 * every store honours the conditions of PUT.
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

  const head = headIn(read);
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
