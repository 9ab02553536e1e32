import type { GetObjectOutput, ListObjectsV2Output } from "@aws-sdk/client-s3";
import type { ListPage, ObjectHead } from "../core/object-store.ts";
import { s3BadAnswer } from "./s3-failures.ts";
import type { S3Request } from "./s3-request.ts";

/**
 * The ETag as a version. Some stores leave the quotes out of listings or of their answers to PUT, and
 * proxies that compress mark ETags as weak (`W/`), which no condition ever matches: all are brought
 * to the form that a condition takes, so that versions compare equal wherever they were read.
 */
export function versionOf(etag: string | undefined, request: S3Request): string {
  if (etag === undefined || etag === "") throw s3BadAnswer(request, "an ETag");
  const strong = etag.startsWith("W/") ? etag.slice(2) : etag;
  return strong.startsWith('"') ? strong : `"${strong}"`;
}

type Head = Pick<GetObjectOutput, "ContentLength" | "ContentType" | "ETag" | "LastModified" | "Metadata">;

/** The head of an object as GET and HEAD answer it. */
export function headOf(answer: Head, request: S3Request): ObjectHead {
  return {
    size: answer.ContentLength ?? 0,
    version: versionOf(answer.ETag, request),
    modified: answer.LastModified ?? new Date(0),
    metadata: { ...answer.Metadata },
    contentType: answer.ContentType ?? "binary/octet-stream",
  };
}

/** A page of a listing, with its keys decoded if the store encoded them as it was asked to. */
export function pageOf(answer: ListObjectsV2Output, request: S3Request): ListPage {
  const decode = (key: string | undefined): string => {
    if (key === undefined) throw s3BadAnswer(request, "a key");
    return answer.EncodingType === "url" ? decodeKey(key) : key;
  };
  return {
    objects: (answer.Contents ?? []).map((listed) => ({
      key: decode(listed.Key),
      size: listed.Size ?? 0,
      version: versionOf(listed.ETag, request),
      modified: listed.LastModified ?? new Date(0),
    })),
    prefixes: (answer.CommonPrefixes ?? []).map(({ Prefix }) => decode(Prefix)),
    ...(answer.IsTruncated === true && answer.NextContinuationToken !== undefined
      ? { next: answer.NextContinuationToken }
      : {}),
  };
}

/** S3 encodes as forms do, so a `+` is a space. */
function decodeKey(key: string): string {
  if (!key.includes("%") && !key.includes("+")) return key;
  return decodeURIComponent(key.replaceAll("+", " "));
}

type Body = GetObjectOutput["Body"];

/** Node's streams are, and the web's. */
function isIterable(body: NonNullable<Body>): body is NonNullable<Body> & AsyncIterable<Uint8Array> {
  return Symbol.asyncIterator in body;
}

/**
 * Ends a body that nobody reads. The SDK wraps bodies to check their checksums; such a stream fails
 * when its source is cut off, and a stream's error that nobody listens to ends the process.
 */
export function discardBody(body: Body): void {
  if (body === undefined) return;
  if ("destroy" in body) body.on("error", () => undefined).destroy();
  else if ("cancel" in body) body.cancel().catch(() => undefined);
}

/** The whole body, or `undefined` as soon as it is over the limit; the rest of it is discarded. */
export async function readBody(body: Body, maximumBytes: number): Promise<Uint8Array | undefined> {
  if (body === undefined) return new Uint8Array();
  if (!isIterable(body)) throw new TypeError("The SDK's HTTP handler answers a body that is no stream.");
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > maximumBytes) return undefined;
    chunks.push(chunk);
  }
  const whole = new Uint8Array(size);
  let offset = 0;
  for (const chunk of chunks) {
    whole.set(chunk, offset);
    offset += chunk.byteLength;
  }
  return whole;
}
