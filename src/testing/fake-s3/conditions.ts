import type { ObjectVersion } from "./bucket-state.ts";
import { noSuchKey, notImplemented, preconditionFailed } from "./s3-error.ts";
import type { Headers } from "./s3-request.ts";

/** Conditions that general-purpose buckets do not know: refused, never ignored. */
const unsupportedConditions = [
  "x-amz-copy-source-if-modified-since",
  "x-amz-copy-source-if-unmodified-since",
  "x-amz-if-match-last-modified-time",
  "x-amz-if-match-size",
];

function bare(etag: string): string {
  return etag.replaceAll('"', "");
}

/** `true` if one of a header's ETags, quoted or not, is the object's. */
function names(header: string, object: ObjectVersion): boolean {
  return header.split(",").some((etag) => etag.trim() === "*" || bare(etag.trim()) === object.etag);
}

function refuseUnsupported(headers: Headers): void {
  for (const name of unsupportedConditions) {
    if (headers[name] !== undefined) throw notImplemented(name);
  }
}

/** Refuses the combinations that PutObject and CopyObject do not implement, before anything is looked up. */
export function refuseUnsupportedWrite(headers: Headers): void {
  refuseUnsupported(headers);
  const ifMatch = headers["if-match"];
  const ifNoneMatch = headers["if-none-match"];
  if (ifMatch !== undefined && ifNoneMatch !== undefined) throw notImplemented("If-Match,If-None-Match");
  if (ifMatch === "*") throw notImplemented("If-Match");
  if (ifNoneMatch !== undefined && ifNoneMatch !== "*") throw notImplemented("If-None-Match");
}

/** PutObject, and the destination of CopyObject. */
export function demandWriteCondition(headers: Headers, key: string, current: ObjectVersion | undefined): void {
  const ifMatch = headers["if-match"];
  if (headers["if-none-match"] === "*" && current !== undefined) throw preconditionFailed("If-None-Match");
  if (ifMatch !== undefined) demandMatch(ifMatch, key, current);
}

/** The source of CopyObject. */
export function demandSourceCondition(headers: Headers, source: ObjectVersion): void {
  const ifMatch = headers["x-amz-copy-source-if-match"];
  const ifNoneMatch = headers["x-amz-copy-source-if-none-match"];
  if (ifMatch !== undefined && !names(ifMatch, source)) throw preconditionFailed("x-amz-copy-source-If-Match");
  if (ifNoneMatch !== undefined && names(ifNoneMatch, source)) {
    throw preconditionFailed("x-amz-copy-source-If-None-Match");
  }
}

/** DeleteObject refuses what it does not know, and `If-Match` beside a version. */
export function refuseUnsupportedDelete(headers: Headers, versionId: string | undefined, honoured: boolean): void {
  refuseUnsupported(headers);
  if (headers["if-none-match"] !== undefined) throw notImplemented("If-None-Match");
  const isConditional = headers["if-match"] !== undefined;
  if (isConditional && (versionId !== undefined || !honoured)) throw notImplemented("If-Match");
}

/** `If-Match` of DeleteObject, and the ETag of one key in DeleteObjects. `*` asks only that the object exists. */
export function demandMatch(ifMatch: string, key: string, current: ObjectVersion | undefined): void {
  if (current === undefined) throw noSuchKey(key);
  if (!names(ifMatch, current)) throw preconditionFailed("If-Match");
}

/** GetObject and HeadObject. `304` has no body and therefore no error. */
export function readCondition(headers: Headers, object: ObjectVersion): "read" | "not modified" {
  const ifMatch = headers["if-match"];
  const ifNoneMatch = headers["if-none-match"];
  if (ifMatch !== undefined && !names(ifMatch, object)) throw preconditionFailed("If-Match");
  return ifNoneMatch !== undefined && names(ifNoneMatch, object) ? "not modified" : "read";
}
