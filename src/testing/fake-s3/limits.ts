import { S3Error } from "./s3-error.ts";
import type { Headers } from "./s3-request.ts";

/** Bytes of UTF-8. */
const largestKey = 1024;
/** Bytes of all names and values together. */
const largestMetadata = 2048;

export const metadataPrefix = "x-amz-meta-";

/** Throws KeyTooLongError. */
export function checkKey(key: string): void {
  const size = Buffer.byteLength(key);
  if (size <= largestKey) return;
  throw new S3Error(400, "KeyTooLongError", "Your key is too long", {
    Size: String(size),
    MaxSizeAllowed: String(largestKey),
  });
}

/** Throws MetadataTooLarge. */
export function userMetadata(headers: Headers): Record<string, string> {
  const names = Object.keys(headers).filter((name) => name.startsWith(metadataPrefix));
  const metadata = Object.fromEntries(names.map((name) => [name.slice(metadataPrefix.length), headers[name] ?? ""]));
  const size = Buffer.byteLength(Object.entries(metadata).flat().join(""), "latin1");
  if (size > largestMetadata) {
    throw new S3Error(400, "MetadataTooLarge", "Your metadata headers exceed the maximum allowed metadata size", {
      Size: String(size),
      MaxSizeAllowed: String(largestMetadata),
    });
  }
  return metadata;
}
