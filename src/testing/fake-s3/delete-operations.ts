import { answer, xmlAnswer, type S3Answer } from "./answer.ts";
import type { BucketState } from "./bucket-state.ts";
import { demandMatch, refuseUnsupportedDelete } from "./conditions.ts";
import { checkKey } from "./limits.ts";
import { invalidArgument, malformedXml, S3Error } from "./s3-error.ts";
import type { S3Request } from "./s3-request.ts";
import type { Behaviour, Store } from "./store.ts";
import { childText, element, elements, parseXml, type Markup } from "./xml.ts";

const largestBatch = 1000;

interface Deletion {
  /** The version that was removed, or the delete marker that was made. */
  readonly versionId: string | undefined;
  readonly isMarker: boolean;
}

function remove(bucket: BucketState, key: string, versionId: string | undefined, now: number): Deletion {
  if (versionId === undefined) {
    const marker = bucket.delete(key, now);
    return { versionId: marker?.versionId, isMarker: marker !== undefined };
  }
  if (bucket.versioning === undefined && versionId !== "null") {
    throw invalidArgument("Invalid version id specified", "versionId", versionId);
  }
  const removed = bucket.deleteVersion(key, versionId, now);
  return { versionId, isMarker: removed?.kind === "marker" };
}

export function deleteObject(
  { bucket: name, key, headers, query }: S3Request,
  store: Store,
  behaviour: Behaviour,
): S3Answer {
  const versionId = query.get("versionId");
  refuseUnsupportedDelete(headers, versionId, behaviour.conditionalDelete);
  checkKey(key);
  const bucket = store.bucket(name);
  const ifMatch = headers["if-match"];
  if (ifMatch !== undefined) demandMatch(ifMatch, key, bucket.current(key));
  const deletion = remove(bucket, key, versionId, store.now());
  return answer(204, {
    "x-amz-version-id": bucket.versioning === undefined ? undefined : deletion.versionId,
    "x-amz-delete-marker": deletion.isMarker ? "true" : undefined,
  });
}

/** One key of a DeleteObjects request. */
export interface BatchEntry {
  readonly key: string;
  readonly etag?: string | undefined;
  readonly versionId?: string | undefined;
}

/** Reads the `<Delete>` body. Throws MalformedXML, also for no key and for more than 1,000. */
export function parseBatch(body: Buffer): { readonly entries: readonly BatchEntry[]; readonly isQuiet: boolean } {
  const root = parseXml(body.toString());
  const entries = root.children
    .filter(({ name }) => name === "Object")
    .map((object) => {
      const key = childText(object, "Key");
      const etag = childText(object, "ETag");
      const versionId = childText(object, "VersionId");
      if (!key) throw malformedXml();
      return { key, etag, versionId };
    });
  if (root.name !== "Delete" || entries.length === 0 || entries.length > largestBatch) throw malformedXml();
  return { entries, isQuiet: childText(root, "Quiet") === "true" };
}

function deleteEntry(bucket: BucketState, entry: BatchEntry, now: number, behaviour: Behaviour): Deletion {
  const { key, etag, versionId } = entry;
  const refusal = behaviour.keyErrors?.(key);
  if (refusal !== undefined) throw new S3Error(200, refusal.code, refusal.message);
  if (behaviour.conditionalDelete && etag !== undefined) {
    if (versionId !== undefined) throw new S3Error(501, "NotImplemented", "ETag beside VersionId is not implemented");
    demandMatch(etag, key, bucket.current(key));
  }
  checkKey(key);
  return remove(bucket, key, versionId, now);
}

export function deleteObjects({ bucket: name, body }: S3Request, store: Store, behaviour: Behaviour): S3Answer {
  const bucket = store.bucket(name);
  const { entries, isQuiet } = parseBatch(body);
  const results = entries.map((entry): Markup | undefined => {
    const place = { Key: entry.key, VersionId: entry.versionId };
    try {
      const { versionId, isMarker } = deleteEntry(bucket, entry, store.now(), behaviour);
      const marker = isMarker ? { DeleteMarker: true, DeleteMarkerVersionId: versionId } : {};
      return isQuiet ? undefined : element("Deleted", elements({ ...place, ...marker }));
    } catch (error) {
      if (!(error instanceof S3Error)) throw error;
      return element("Error", elements({ ...place, Code: error.code, Message: error.message }));
    }
  });
  return xmlAnswer({}, "DeleteResult", ...results.filter((result) => result !== undefined));
}
