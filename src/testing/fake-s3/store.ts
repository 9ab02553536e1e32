import { BucketState, type ListingLag } from "./bucket-state.ts";
import { noSuchBucket } from "./s3-error.ts";

/** How the store behaves for one request: its settings, changed by the faults that matched. */
export interface Behaviour {
  /** `false`: as LocalStack, `If-Match` of DeleteObject is answered with 501, and ETags in DeleteObjects are ignored. */
  readonly conditionalDelete: boolean;
  /** `false`: as several servers, the destination conditions of CopyObject are ignored. */
  readonly conditionalCopy: boolean;
  /**
   * - `md5`: made from the content, quoted; as AWS with SSE-S3
   * - `random`: new with every write, quoted; as AWS with SSE-KMS
   * - `unquoted`: made from the content, without quotes; as some compatible stores
   */
  readonly etags: "md5" | "random" | "unquoted";
  /** Pages hold at most so many entries, whatever was asked for. */
  readonly pageSize?: number;
  readonly listingLag?: ListingLag;
  /** What DeleteObjects says of one key in its body, without touching it. */
  readonly keyErrors?: (key: string) => { readonly code: string; readonly message: string } | undefined;
}

/** All buckets and the clock. */
export class Store {
  readonly now: () => number;
  readonly #buckets = new Map<string, BucketState>();

  constructor(now: () => number) {
    this.now = now;
  }

  /** Throws NoSuchBucket. */
  bucket(name: string): BucketState {
    const bucket = this.#buckets.get(name);
    if (bucket === undefined) throw noSuchBucket(name);
    return bucket;
  }

  /** Nothing happens if it exists, as in us-east-1. */
  create(name: string): void {
    if (!this.#buckets.has(name)) this.#buckets.set(name, new BucketState(name, this.now()));
  }

  remove(name: string): void {
    this.#buckets.delete(name);
  }

  all(): readonly BucketState[] {
    return [...this.#buckets.values()];
  }
}

/** An ETag as this store writes it. */
export function writeEtag(etag: string, { etags }: Behaviour): string {
  return etags === "unquoted" ? etag : `"${etag}"`;
}
