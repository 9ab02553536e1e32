import type { IncomingHttpHeaders } from "node:http";
import { S3Error } from "./s3-error.ts";

/** The S3 API's names for what the fake knows. `Unsupported` is everything else; it is answered with 501. */
export type S3Operation =
  | "ListBuckets"
  | "CreateBucket"
  | "HeadBucket"
  | "DeleteBucket"
  | "GetBucketLocation"
  | "GetBucketVersioning"
  | "PutBucketVersioning"
  | "ListObjectsV2"
  | "ListObjectVersions"
  | "DeleteObjects"
  | "PutObject"
  | "CopyObject"
  | "GetObject"
  | "HeadObject"
  | "DeleteObject"
  | "Unsupported";

/** Lower-case names. */
export type Headers = Readonly<Record<string, string | undefined>>;

/** One request, understood as far as its head goes. */
export interface S3Request {
  readonly operation: S3Operation;
  readonly method: string;
  /** `""` where there is none. */
  readonly bucket: string;
  /** `""` where there is none. */
  readonly key: string;
  readonly query: ReadonlyMap<string, string>;
  readonly headers: Headers;
  readonly body: Buffer;
}

/** Query names that turn a request into another operation than its method says. */
const subresources = [
  "accelerate,acl,analytics,attributes,cors,delete,encryption,intelligent-tiering,inventory,legal-hold,lifecycle,location",
  "logging,metrics,notification,object-lock,ownershipControls,partNumber,policy,policyStatus,publicAccessBlock,renameObject",
  "replication,requestPayment,restore,retention,select,tagging,torrent,uploadId,uploads,versioning,versions,website",
].flatMap((names) => names.split(","));

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error(400, "InvalidURI", "Couldn't parse the specified URI.");
  }
}

function bucketOperation(
  method: string,
  subresource: string | undefined,
  query: ReadonlyMap<string, string>,
): S3Operation {
  switch (`${method} ${subresource ?? ""}`) {
    case "PUT ":
      return "CreateBucket";
    case "HEAD ":
      return "HeadBucket";
    case "DELETE ":
      return "DeleteBucket";
    case "GET ":
      return query.get("list-type") === "2" ? "ListObjectsV2" : "Unsupported";
    case "GET versions":
      return "ListObjectVersions";
    case "GET versioning":
      return "GetBucketVersioning";
    case "PUT versioning":
      return "PutBucketVersioning";
    case "GET location":
      return "GetBucketLocation";
    case "POST delete":
      return "DeleteObjects";
    default:
      return "Unsupported";
  }
}

function objectOperation(method: string, subresource: string | undefined, headers: Headers): S3Operation {
  if (subresource !== undefined) return "Unsupported";
  switch (method) {
    case "PUT":
      return headers["x-amz-copy-source"] === undefined ? "PutObject" : "CopyObject";
    case "GET":
      return "GetObject";
    case "HEAD":
      return "HeadObject";
    case "DELETE":
      return "DeleteObject";
    default:
      return "Unsupported";
  }
}

/**
 * Reads method, path and headers. The path is cut by hand: a URL parser would fold `a//b` and `./x`,
 * which are keys like any other. Throws `InvalidURI` for a path that is not percent-encoded UTF-8.
 */
export function parseHead(method: string, target: string, rawHeaders: IncomingHttpHeaders): Omit<S3Request, "body"> {
  const [path = "", search = ""] = target.split(/\?(.*)/su);
  const [, bucket = "", key = ""] = /^\/?([^/]*)\/?(.*)$/su.exec(path) ?? [];
  const query = new Map(new URLSearchParams(search));
  const headers = Object.fromEntries(Object.entries(rawHeaders).map(([name, value]) => [name, value?.toString()]));
  const subresource = subresources.find((name) => query.has(name));
  const place = { method, bucket: decode(bucket), key: decode(key), query, headers };
  if (bucket === "") return { ...place, operation: method === "GET" ? "ListBuckets" : "Unsupported" };
  if (key === "") return { ...place, operation: bucketOperation(method, subresource, query) };
  return { ...place, operation: objectOperation(method, subresource, headers) };
}

/** Bucket, key and version of a `x-amz-copy-source` header, which its sender has encoded. */
export function parseCopySource(header: string): { bucket: string; key: string; versionId: string | undefined } {
  const [source = "", versionId] = header.split("?versionId=");
  const [, bucket, key] = /^\/?([^/]+)\/(.+)$/su.exec(decode(source)) ?? [];
  if (bucket === undefined || key === undefined) {
    throw new S3Error(400, "InvalidArgument", "Invalid copy source object key", {
      ArgumentName: "x-amz-copy-source",
      ArgumentValue: header,
    });
  }
  return { bucket, key, versionId };
}
