import type { MemoryError } from "../errors.ts";

/** Metadata of an object: lower-case names, ASCII values, at most 2 KB in all. */
export type Metadata = Readonly<Record<string, string>>;

/** What a write demands of the key it writes to. There is no write without a condition. */
export type WriteCondition = { readonly kind: "absent" } | { readonly kind: "unchanged"; readonly version: string };

/** What a delete demands of the key it removes. */
export type DeleteCondition = { readonly kind: "exists" } | { readonly kind: "unchanged"; readonly version: string };

/** What a listing knows of an object. `version` is the ETag, opaque, comparable with that of `get`. */
export interface ListedObject {
  readonly key: string;
  /** Bytes. */
  readonly size: number;
  readonly version: string;
  readonly modified: Date;
}

/** What a read of one object's head knows. */
export interface ObjectHead {
  /** Bytes. */
  readonly size: number;
  readonly version: string;
  readonly modified: Date;
  readonly metadata: Metadata;
  readonly contentType: string;
}

export interface RequestOptions {
  /** Aborts the request; it then throws `aborted`, with the effect `none` if it was not sent, else `unsettled`. */
  readonly signal?: AbortSignal;
}

export type GetResult =
  | ({ readonly outcome: "found"; readonly body: Uint8Array } & ObjectHead)
  | ({ readonly outcome: "too_large" } & ObjectHead)
  | { readonly outcome: "missing" };

export type HeadResult = ({ readonly outcome: "found" } & ObjectHead) | { readonly outcome: "missing" };

/**
 * Why a conditional write was not carried out.
 *
 * - `exists`: the condition was `absent`, and there is an object (412)
 * - `changed`: the condition was `unchanged`, and the object has another version (412)
 * - `missing`: the condition was `unchanged`, and there is no object (404)
 * - `undecided`: the store could not decide between racing requests (409): re-read and try again
 */
export type LostWrite = { readonly outcome: "exists" | "changed" | "missing" | "undecided" };

export type PutResult = { readonly outcome: "written"; readonly version: string } | LostWrite;

export type CopyResult =
  | { readonly outcome: "source_missing" }
  | { readonly outcome: "declined"; readonly source: ObjectHead }
  | ({ readonly outcome: "source_too_large" } & { readonly source: ObjectHead })
  | ({ readonly outcome: "written"; readonly version: string } & { readonly source: ObjectHead })
  | (LostWrite & { readonly source: ObjectHead });

export type DeleteResult = { readonly outcome: "deleted" | "missing" | "changed" | "undecided" };

/** The fate of one key of a batch. `failed` carries what the store said of that key. */
export type BatchDeleteResult = DeleteResult | { readonly outcome: "failed"; readonly error: MemoryError };

export interface PutOptions extends RequestOptions {
  readonly condition: WriteCondition;
  readonly metadata: Metadata;
  readonly contentType: string;
}

export interface CopyOptions extends RequestOptions {
  readonly condition: WriteCondition;
  /**
   * The metadata of the copy, made from the head of the source as it was read. `undefined` where this is not the
   * source to be copied: nothing is then written, and the outcome is `declined`.
   */
  readonly metadata: (source: ObjectHead) => Metadata | undefined;
  /** Bytes. A larger source is not copied. */
  readonly maximumBytes: number;
}

export interface ListOptions extends RequestOptions {
  readonly prefix: string;
  /** With `"/"`, keys that share a prefix up to the next `/` are answered once, in `prefixes`. */
  readonly delimiter?: "/";
  /** Only keys after this one, in UTF-8 byte order. Not together with `token`. */
  readonly startAfter?: string;
  /** The `next` of the page before. */
  readonly token?: string;
  /** 1 to 1,000 entries, objects and prefixes together. A page may be shorter and still have a next one. @default 1000 */
  readonly pageSize?: number;
}

export interface ListPage {
  readonly objects: readonly ListedObject[];
  readonly prefixes: readonly string[];
  /** Present if there is more. */
  readonly next?: string;
}

/**
 * The only thing the core knows about storage. One method call is one decision; each bullet is a
 * case of the contract suite (`s3-memory-tool/testing`) that every store passes.
 *
 * - Keys are compared byte by byte: case matters, Unicode forms differ, `a` and `a/b` may both exist.
 * - A body, metadata and content type are read back exactly as they were put, the empty body too.
 * - Of many concurrent `put`s with `absent` on one key exactly one is `written`; the same holds for
 *   `unchanged` with one version.
 * - `put` with `unchanged` on a missing key is `missing`, never a write.
 * - `get` downloads nothing of an object over `maximumBytes` and answers `too_large` with its head.
 * - `delete` with `exists` tells `deleted` from `missing`; with `unchanged` it removes only that version.
 * - `deleteMany` takes up to 1,000 distinct keys and answers one result a key, in the order given.
 * - `copy` reads the source and writes the target conditionally; the source stays. The copy has the
 *   source's body and content type and the metadata that the caller made. Without metadata nothing is written.
 * - `list` answers keys in UTF-8 byte order, one request a call, every key on exactly one page.
 * - A version that `put`, `get`, `head` or `list` answers compares equal for the same object, and can be used in a condition.
 * - Expected outcomes are values. Whatever else happens is thrown as a `MemoryError` with the code
 *   `storage` or `aborted`, whose `details.effect` says whether the request may have been applied. A
 *   missing bucket is thrown, never answered as a missing object; only `head` cannot tell the two apart.
 * - No method sends a write twice: whether to send it again is for the core to decide.
 */
export interface ObjectStore {
  get(key: string, options: RequestOptions & { readonly maximumBytes: number }): Promise<GetResult>;
  head(key: string, options: RequestOptions): Promise<HeadResult>;
  put(key: string, body: Uint8Array, options: PutOptions): Promise<PutResult>;
  copy(source: string, target: string, options: CopyOptions): Promise<CopyResult>;
  delete(key: string, options: RequestOptions & { readonly condition: DeleteCondition }): Promise<DeleteResult>;
  deleteMany(
    objects: readonly { readonly key: string; readonly version: string }[],
    options: RequestOptions,
  ): Promise<readonly BatchDeleteResult[]>;
  list(options: ListOptions): Promise<ListPage>;
}
