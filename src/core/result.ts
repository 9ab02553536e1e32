import type { MemoryError, MemoryErrorCode } from "../errors.ts";

/** A text block of a `tool_result`. */
export interface TextBlock {
  readonly type: "text";
  readonly text: string;
}

/** An image block of a `tool_result`: base64, as the Messages API takes it. */
export interface ImageBlock {
  readonly type: "image";
  readonly source: {
    readonly type: "base64";
    readonly media_type: "image/png" | "image/jpeg";
    readonly data: string;
  };
}

/**
 * What `execute` answers. `content` goes back to Claude as the content of the `tool_result`, with
 * `is_error` set from `isError`. `error` is for the application: it may log it, or throw it where
 * `code` is `storage`.
 */
export type MemoryResult =
  | { readonly isError: false; readonly content: string | (TextBlock | ImageBlock)[] }
  | {
      readonly isError: true;
      readonly content: string;
      readonly code: MemoryErrorCode;
      readonly error: MemoryError;
    };
