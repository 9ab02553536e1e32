/**
 * What went wrong, for programs. A closed union: a `switch` over it can be exhaustive.
 *
 * - `invalid_input`: a field is missing, has the wrong type or makes no sense
 * - `invalid_path`: the path guard refused the path
 * - `not_found`, `already_exists`, `is_a_directory`, `not_a_directory`: the state of the memory does not allow the command
 * - `no_match`, `ambiguous_match`: `old_str` appears nowhere, or more than once
 * - `not_text`: the content is neither UTF-8 text nor an image that can be shown
 * - `too_large`: one file, or one view of it, is over a limit
 * - `limit_reached`: the number of files or their total size is at a limit of the scope
 * - `read_only`: this memory may only be read
 * - `conflict`: somebody else changed the file meanwhile; nothing was changed by this call, or, where the text says so, a part
 *   of a directory was
 * - `outcome_unknown`: a write was sent, its answer never came; view before you repeat it
 * - `refused_by_policy`: a write policy refused the content
 * - `aborted`: the caller's signal was aborted
 * - `storage`: the operator's fault or the store's (permission, bucket, region, credentials, time-out, outage)
 */
export type MemoryErrorCode =
  | "invalid_input"
  | "invalid_path"
  | "not_found"
  | "already_exists"
  | "is_a_directory"
  | "not_a_directory"
  | "no_match"
  | "ambiguous_match"
  | "not_text"
  | "too_large"
  | "limit_reached"
  | "read_only"
  | "conflict"
  | "outcome_unknown"
  | "refused_by_policy"
  | "aborted"
  | "storage";

/**
 * What is known about a request that failed.
 *
 * - `none`: it changed nothing: never sent, or answered with a refusal (4xx, 501)
 * - `unknown`: answered with 5xx, or the connection broke; read back, then it may be sent again
 * - `unsettled`: timed out or aborted while in flight; it may still be applied later, so it is never sent again
 */
export type RequestEffect = "none" | "unknown" | "unsettled";

/** What the operator needs to know of a failure. Never shown to Claude. */
export interface MemoryErrorDetails {
  /** The S3 API name of the request that failed, such as `PutObject`. */
  readonly operation?: string;
  /** The object key or prefix of that request. */
  readonly key?: string;
  /** The HTTP status of the answer; absent if there was none. */
  readonly status?: number;
  /** The S3 error code, such as `AccessDenied`, or the name of the network error. */
  readonly reason?: string;
  /** The `x-amz-request-id` of the answer. */
  readonly requestId?: string;
  /** What the failed request did. Absent where no request failed. */
  readonly effect?: RequestEffect;
  /** One sentence: what is probably wrong and how to put it right. */
  readonly hint?: string;
}

const brand: unique symbol = Symbol.for("s3-memory-tool.MemoryError");

/**
 * The one error class of this library. `message` is a text that may be shown to Claude: it names
 * virtual paths only. What the operator needs (key, request id, hint, the SDK's own error) is in
 * `details` and `cause`.
 */
export class MemoryError extends Error {
  override readonly name = "MemoryError";
  readonly code: MemoryErrorCode;
  readonly details: MemoryErrorDetails;
  /** @internal */
  readonly [brand] = true;

  constructor(
    code: MemoryErrorCode,
    message: string,
    details: MemoryErrorDetails = {},
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
    this.code = code;
    this.details = details;
  }
}

/** `true` for a {@link MemoryError}, also one that another copy of this package made. */
export function isMemoryError(value: unknown): value is MemoryError {
  return typeof value === "object" && value !== null && (value as { [brand]?: unknown })[brand] === true;
}
