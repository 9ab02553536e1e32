import type { ObjectVersion } from "./bucket-state.ts";
import { Faults } from "./faults.ts";
import { RequestLog } from "./request-log.ts";
import { listen, makeServer, stop } from "./server.ts";
import { Store, writeEtag, type Behaviour } from "./store.ts";

export interface FakeS3Options {
  /** Buckets that exist from the start. @default ["memory"] */
  readonly buckets?: readonly string[];
  /**
   * `false` poses as LocalStack: `If-Match` of DeleteObject is answered with 501, and the ETags of
   * DeleteObjects are ignored silently. @default true
   */
  readonly conditionalDelete?: boolean;
  /** `false` ignores the destination conditions of CopyObject silently, as several servers do. @default true */
  readonly conditionalCopy?: boolean;
  /**
   * - `md5`: made from the content, quoted; as AWS with SSE-S3
   * - `random`: new with every write, quoted; as AWS with SSE-KMS
   * - `unquoted`: made from the content, without quotes; as some compatible stores
   *
   * @default "md5"
   */
  readonly etags?: "md5" | "random" | "unquoted";
  /** The clock behind `Last-Modified`, milliseconds since 1970. @default Date.now */
  readonly now?: () => number;
}

/** An object as it lies in the store. */
export interface StoredObject {
  readonly bytes: Uint8Array;
  /** The bytes read as UTF-8. */
  readonly text: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly contentType: string;
  /** As GetObject would answer it. */
  readonly etag: string;
  readonly modified: Date;
}

export interface FakeS3 {
  /** `http://127.0.0.1:{port}`. Path style; any credentials and any region will do. */
  readonly endpoint: string;
  readonly requests: RequestLog;
  readonly faults: Faults;
  /** The current objects of a bucket, by key, in UTF-8 byte order. Throws for a missing bucket. */
  objects(bucket?: string): ReadonlyMap<string, StoredObject>;
  /** Writes as another tool would: without a condition, without a request, past every fault. */
  put(key: string, body: string | Uint8Array, options?: DirectPutOptions): void;
  /** Removes as another tool would. */
  remove(key: string, bucket?: string): void;
  /** Resolves when no request is being worked on any more, late commits included. Never while one hangs in a pause. */
  settled(): Promise<void>;
  /** Ends every connection. Pending requests fail. */
  close(): Promise<void>;
}

export interface DirectPutOptions {
  /** @default the first of the buckets */
  readonly bucket?: string;
  readonly metadata?: Readonly<Record<string, string>>;
  /** @default "binary/octet-stream" */
  readonly contentType?: string;
}

function storedObject(
  { body, metadata, contentType, etag, modified }: ObjectVersion,
  settings: Behaviour,
): StoredObject {
  return {
    bytes: Uint8Array.from(body),
    text: body.toString(),
    metadata,
    contentType,
    etag: writeEtag(etag, settings),
    modified: new Date(modified),
  };
}

/**
 * Starts an S3 server in this process for tests: it answers as AWS does, one request at a time, and
 * fails where it is told to. The caller closes it.
 */
export async function startFakeS3(options: FakeS3Options = {}): Promise<FakeS3> {
  const {
    buckets = ["memory"],
    conditionalDelete = true,
    conditionalCopy = true,
    etags = "md5",
    now = Date.now,
  } = options;
  const settings: Behaviour = { conditionalDelete, conditionalCopy, etags };
  const store = new Store(now);
  for (const bucket of buckets) store.create(bucket);
  const requests = new RequestLog();
  const faults = new Faults();
  const pending = new Set<Promise<unknown>>();
  const server = makeServer({ store, requests, faults, settings, pending });
  const endpoint = await listen(server);
  const [firstBucket = ""] = buckets;
  return {
    endpoint,
    requests,
    faults,
    objects: (bucket = firstBucket) => {
      const objects = [...store.bucket(bucket).objectsFrom("")];
      return new Map(objects.map((object) => [object.key, storedObject(object, settings)]));
    },
    put: (key, body, { bucket = firstBucket, metadata = {}, contentType = "binary/octet-stream" } = {}) => {
      const attributes = { metadata, contentType, systemHeaders: {} };
      store.bucket(bucket).put(key, Buffer.from(body), attributes, now(), etags === "random" ? "random" : "md5");
    },
    remove: (key, bucket = firstBucket) => {
      store.bucket(bucket).delete(key, now());
    },
    settled: async () => {
      while (pending.size > 0) await Promise.all(pending);
    },
    close: () => stop(server),
  };
}
