import { answer, xmlAnswer, type S3Answer } from "./answer.ts";
import type { BucketState, ObjectAttributes, ObjectVersion } from "./bucket-state.ts";
import { demandSourceCondition, demandWriteCondition, readCondition, refuseUnsupportedWrite } from "./conditions.ts";
import { checkKey, metadataPrefix, userMetadata } from "./limits.ts";
import { noSuchKey, noSuchVersion, S3Error } from "./s3-error.ts";
import { parseCopySource, type Headers, type S3Request } from "./s3-request.ts";
import { writeEtag, type Behaviour, type Store } from "./store.ts";
import { elements } from "./xml.ts";

const keptHeaders = ["cache-control", "content-disposition", "content-encoding", "content-language", "expires"];

function attributesOf(headers: Headers): ObjectAttributes {
  const systemHeaders: Record<string, string> = {};
  for (const name of keptHeaders) {
    // `aws-chunked` is how the body came, no property of the object.
    const value = headers[name]?.replace(/,?\s*aws-chunked\s*/u, "");
    if (value) systemHeaders[name] = value;
  }
  const contentType = headers["content-type"] ?? "binary/octet-stream";
  return { metadata: userMetadata(headers), contentType, systemHeaders };
}

/** The version header; unversioned buckets answer none. */
function versionHeader(bucket: BucketState, versionId: string | undefined): string | undefined {
  return bucket.versioning === undefined ? undefined : versionId;
}

function newEtag({ etags }: Behaviour): "md5" | "random" {
  return etags === "random" ? "random" : "md5";
}

export function putObject(
  { bucket: name, key, headers, body }: S3Request,
  store: Store,
  behaviour: Behaviour,
): S3Answer {
  refuseUnsupportedWrite(headers);
  checkKey(key);
  const bucket = store.bucket(name);
  const attributes = attributesOf(headers);
  demandWriteCondition(headers, key, bucket.current(key));
  const object = bucket.put(key, body, attributes, store.now(), newEtag(behaviour));
  return answer(200, {
    etag: writeEtag(object.etag, behaviour),
    "x-amz-version-id": versionHeader(bucket, object.versionId),
  });
}

export function copyObject(request: S3Request, store: Store, behaviour: Behaviour): S3Answer {
  const { bucket: name, key, headers } = request;
  const destination = behaviour.conditionalCopy
    ? headers
    : { ...headers, "if-match": undefined, "if-none-match": undefined };
  refuseUnsupportedWrite(destination);
  checkKey(key);
  const bucket = store.bucket(name);
  const from = parseCopySource(headers["x-amz-copy-source"] ?? "");
  const sourceBucket = store.bucket(from.bucket);
  const source = find(sourceBucket, from.key, from.versionId);
  demandSourceCondition(headers, source);
  const replaces = headers["x-amz-metadata-directive"] === "REPLACE";
  if (!replaces && from.bucket === name && from.key === key && from.versionId === undefined) {
    const message =
      "This copy request is illegal because it is trying to copy an object to itself without changing the object's metadata, storage class, website redirect location or encryption attributes.";
    throw new S3Error(400, "InvalidRequest", message);
  }
  const attributes = replaces ? attributesOf(headers) : source;
  demandWriteCondition(destination, key, bucket.current(key));
  const copy = bucket.put(key, source.body, attributes, store.now(), newEtag(behaviour));
  return xmlAnswer(
    {
      "x-amz-version-id": versionHeader(bucket, copy.versionId),
      "x-amz-copy-source-version-id": versionHeader(sourceBucket, source.versionId),
    },
    "CopyObjectResult",
    elements({ LastModified: new Date(copy.modified).toISOString(), ETag: writeEtag(copy.etag, behaviour) }),
  );
}

/** Throws NoSuchKey or NoSuchVersion; MethodNotAllowed for a delete marker that was asked for by its version. */
function find(bucket: BucketState, key: string, versionId: string | undefined): ObjectVersion {
  const version = versionId === undefined ? bucket.newest(key) : bucket.version(key, versionId);
  if (version?.kind === "object") return version;
  if (versionId === undefined) throw noSuchKey(key, version === undefined ? {} : { "x-amz-delete-marker": "true" });
  if (version === undefined) throw noSuchVersion(key, versionId);
  throw new S3Error(405, "MethodNotAllowed", "The specified method is not allowed against this resource.", {
    Method: "GET",
    ResourceType: "DeleteMarker",
  });
}

interface ByteRange {
  readonly first: number;
  readonly last: number;
}

/** `bytes=1-3`, `bytes=2-`, `bytes=-4`. Anything else is ignored, as HTTP wants it. */
function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/u.exec(header ?? "") ?? [];
  if (header === undefined || (from === "" && to === "")) return undefined;
  const first = from === "" ? Math.max(size - Number(to), 0) : Number(from);
  const last = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (first > last) {
    throw new S3Error(416, "InvalidRange", "The requested range is not satisfiable", {
      RangeRequested: header,
      ActualObjectSize: String(size),
    });
  }
  return { first, last };
}

/** GetObject and HeadObject: the server leaves the body out for the latter. */
export function getObject(
  { bucket: name, key, headers, query }: S3Request,
  store: Store,
  behaviour: Behaviour,
): S3Answer {
  checkKey(key);
  const bucket = store.bucket(name);
  const object = find(bucket, key, query.get("versionId"));
  const common = {
    etag: writeEtag(object.etag, behaviour),
    "last-modified": new Date(object.modified).toUTCString(),
    "x-amz-version-id": versionHeader(bucket, object.versionId),
  };
  if (readCondition(headers, object) === "not modified") return answer(304, common);
  const size = object.body.length;
  const range = parseRange(headers["range"], size);
  const metadata = Object.entries(object.metadata).map(([field, value]) => [metadataPrefix + field, value]);
  const all = {
    ...common,
    ...object.systemHeaders,
    ...Object.fromEntries(metadata),
    "content-type": object.contentType,
    "accept-ranges": "bytes",
  };
  if (range === undefined) return answer(200, all, object.body);
  const part = object.body.subarray(range.first, range.last + 1);
  return answer(206, { ...all, "content-range": `bytes ${range.first}-${range.last}/${size}` }, part);
}
