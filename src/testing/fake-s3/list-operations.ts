import { xmlAnswer, type S3Answer } from "./answer.ts";
import type { ObjectVersion, Version } from "./bucket-state.ts";
import { cutPage, decodeToken, encodeKey, encodeToken, type PageStart } from "./list.ts";
import { invalidArgument } from "./s3-error.ts";
import type { S3Request } from "./s3-request.ts";
import { writeEtag, type Behaviour, type Store } from "./store.ts";
import { compareUtf8 } from "../../core/utf8-order.ts";
import { element, elements, type Markup } from "./xml.ts";

const largestPage = 1000;

interface ListQuery {
  readonly prefix: string;
  readonly delimiter: string;
  readonly maxKeys: number;
  /** Keys as they are written into the answer. */
  readonly write: (key: string) => string;
  readonly encoding: string | undefined;
}

function listQuery({ query }: S3Request): ListQuery {
  const asked = query.get("max-keys") ?? String(largestPage);
  if (!/^\d{1,10}$/u.test(asked))
    throw invalidArgument("Provided max-keys not an integer or within integer range", "max-keys", asked);
  const encoding = query.get("encoding-type");
  if (encoding !== undefined && encoding !== "url") {
    throw invalidArgument("Invalid Encoding Method specified in Request", "encoding-type", encoding);
  }
  return {
    prefix: query.get("prefix") ?? "",
    delimiter: query.get("delimiter") ?? "",
    maxKeys: Math.min(Number(asked), largestPage),
    write: encoding === "url" ? encodeKey : (key) => key,
    encoding,
  };
}

function pageStart({ query }: S3Request): PageStart | undefined {
  const token = query.get("continuation-token");
  const startAfter = query.get("start-after");
  if (token === undefined) return startAfter ? { after: startAfter, kind: "key" } : undefined;
  const start = decodeToken(token);
  if (start === undefined)
    throw invalidArgument("The continuation token provided is incorrect", "continuation-token", token);
  return start;
}

function commonPrefixes(prefixes: readonly string[], write: ListQuery["write"]): Markup[] {
  return prefixes.map((prefix) => element("CommonPrefixes", element("Prefix", write(prefix))));
}

function objectFields(object: ObjectVersion, write: ListQuery["write"], behaviour: Behaviour): Markup {
  return elements({
    Key: write(object.key),
    LastModified: new Date(object.modified).toISOString(),
    ETag: writeEtag(object.etag, behaviour),
    Size: object.body.length,
    StorageClass: "STANDARD",
  });
}

export function listObjects(request: S3Request, store: Store, behaviour: Behaviour): S3Answer {
  const bucket = store.bucket(request.bucket);
  const { prefix, delimiter, maxKeys, write, encoding } = listQuery(request);
  const start = pageStart(request);
  const { listingLag } = behaviour;
  const first = start !== undefined && compareUtf8(start.after, prefix) > 0 ? start.after : prefix;
  const objects = listingLag === undefined ? bucket.objectsFrom(first) : bucket.laggingObjects(listingLag, store.now());
  const size = Math.min(maxKeys, behaviour.pageSize ?? largestPage);
  const page = cutPage(objects, { prefix, delimiter, start, size });
  const startAfter = request.query.get("start-after");
  return xmlAnswer(
    {},
    "ListBucketResult",
    elements({
      Name: bucket.name,
      Prefix: write(prefix),
      Delimiter: delimiter === "" ? undefined : write(delimiter),
      MaxKeys: maxKeys,
      EncodingType: encoding,
      KeyCount: page.entries.length + page.prefixes.length,
      IsTruncated: page.next !== undefined,
      ContinuationToken: request.query.get("continuation-token"),
      NextContinuationToken: page.next && encodeToken(page.next),
      StartAfter: startAfter && write(startAfter),
    }),
    ...page.entries.map((object) => element("Contents", objectFields(object, write, behaviour))),
    ...commonPrefixes(page.prefixes, write),
  );
}

/** The rows behind the markers of the page before. A key marker that ends in the delimiter stands for all keys below it. */
function afterMarkers<Row extends Version>(
  rows: readonly Row[],
  request: S3Request,
  delimiter: string,
): readonly Row[] {
  const keyMarker = request.query.get("key-marker");
  const versionMarker = request.query.get("version-id-marker");
  if (!keyMarker) return rows;
  const marked = rows.findIndex(({ key, versionId }) => key === keyMarker && versionId === versionMarker);
  if (versionMarker && marked !== -1) return rows.slice(marked + 1);
  const isPrefix = delimiter !== "" && keyMarker.endsWith(delimiter);
  return rows.filter(({ key }) => compareUtf8(key, keyMarker) > 0 && !(isPrefix && key.startsWith(keyMarker)));
}

export function listObjectVersions(request: S3Request, store: Store, behaviour: Behaviour): S3Answer {
  const bucket = store.bucket(request.bucket);
  const { prefix, delimiter, maxKeys, write, encoding } = listQuery(request);
  const rows = afterMarkers([...bucket.allVersions()], request, delimiter);
  const size = Math.min(maxKeys, behaviour.pageSize ?? largestPage);
  const page = cutPage(rows, { prefix, delimiter, start: undefined, size });
  const last = page.next?.kind === "key" ? page.entries.at(-1) : undefined;
  return xmlAnswer(
    {},
    "ListVersionsResult",
    elements({
      Name: bucket.name,
      Prefix: write(prefix),
      KeyMarker: write(request.query.get("key-marker") ?? ""),
      VersionIdMarker: request.query.get("version-id-marker") ?? "",
      Delimiter: delimiter === "" ? undefined : write(delimiter),
      MaxKeys: maxKeys,
      EncodingType: encoding,
      IsTruncated: page.next !== undefined,
      NextKeyMarker: page.next && write(page.next.after),
      NextVersionIdMarker: last?.versionId,
    }),
    ...page.entries.map((row) => {
      const marks = elements({ VersionId: row.versionId, IsLatest: row.isLatest });
      if (row.kind === "object") return element("Version", marks, objectFields(row, write, behaviour));
      const modified = new Date(row.modified).toISOString();
      return element("DeleteMarker", marks, elements({ Key: write(row.key), LastModified: modified }));
    }),
    ...commonPrefixes(page.prefixes, write),
  );
}
