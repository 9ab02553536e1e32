import type { StoppedBy } from "./time-limit.ts";

export type S3Operation =
  | "GetObject"
  | "HeadObject"
  | "PutObject"
  | "CopyObject"
  | "DeleteObject"
  | "DeleteObjects"
  | "ListObjectsV2";

/** What is asked of the store. */
export interface S3Request {
  /** The S3 API name. */
  readonly operation: S3Operation;
  /** The key or, for a listing, the prefix. */
  readonly key?: string;
  readonly writes: boolean;
}

/** How far it got. */
export interface S3RequestState {
  readonly bucket: string;
  /** At least one request was handed to the network. */
  readonly sent: boolean;
  readonly stoppedBy?: StoppedBy | undefined;
  readonly limitMilliseconds: number;
}
