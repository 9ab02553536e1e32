import type { S3Client } from "@aws-sdk/client-s3";
import * as z from "zod/mini";
import { checkOptions, optionsObject, wholeNumber } from "../core/check-options.ts";

/** Where the objects are, and how to ask for them. */
export interface S3StoreOptions {
  /** The bucket's name or the ARN of an access point. It must exist. */
  readonly bucket: string;
  /**
   * A client of your own: for an endpoint, a region, credentials. It must come from the same copy of
   * `@aws-sdk/client-s3` that this package finds.
   *
   * @default one made at the first request, with the region and the credentials of the environment
   */
  readonly client?: S3Client;
  readonly timeouts?: {
    /** Milliseconds to connect. Only for the client that is made here. @default 3000 */
    readonly connect?: number;
    /** Milliseconds for one request with its answer's body, and with the client's retries where it reads. @default 10000 */
    readonly request?: number;
  };
  /**
   * `false` for a store that cannot delete on a condition (LocalStack: 501, and it ignores the ETags
   * of a batch). Each version is then checked by a HEAD before a plain DELETE, key by key: **a write
   * that lands between the two is lost**, two workers may both hear that they deleted a file, and a
   * directory costs two requests a file.
   *
   * @default true
   */
  readonly conditionalDelete?: boolean;
  /**
   * `true` for a store that honours the conditions of CopyObject: `If-None-Match: *` and `If-Match` on the target,
   * `x-amz-copy-source-if-match` on the source (AWS's general-purpose buckets, SeaweedFS). A directory's rename then
   * moves no bytes through the worker. **A store that ignores a condition overwrites what it must not**, and
   * nothing tells: run the contract suite before this is set.
   *
   * @default false
   */
  readonly serverSideCopy?: boolean;
}

export interface ResolvedS3StoreOptions {
  readonly bucket: string;
  readonly client: S3Client | undefined;
  readonly connectMilliseconds: number;
  readonly requestMilliseconds: number;
  readonly conditionalDelete: boolean;
  readonly serverSideCopy: boolean;
}

/** What a timer of JavaScript can wait for; it fires at once beyond that. */
const longestTimer = 2 ** 31 - 1;

const milliseconds = z.optional(
  wholeNumber(`a whole number of milliseconds from 1 to ${longestTimer}`, 1, longestTimer),
);

/** The schema of {@link S3StoreOptions}, for those who put more beside it. @internal */
export const s3Shape = {
  bucket: z.custom<string>((value) => typeof value === "string" && /^(?:[\w.-]{3,255}|arn:\S+)$/.test(value), {
    error: "the name of a bucket, or the ARN of an access point",
  }),
  client: z.optional(z.custom<S3Client>(isClient, { error: "an S3Client of @aws-sdk/client-s3" })),
  timeouts: z.optional(optionsObject({ connect: milliseconds, request: milliseconds })),
  conditionalDelete: z.optional(z.boolean({ error: "true or false" })),
  serverSideCopy: z.optional(z.boolean({ error: "true or false" })),
};

const s3Schema = optionsObject(s3Shape);

function isClient(value: unknown): boolean {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "send") === "function";
}

/** Throws a `TypeError` that names the option, the value and what is expected. */
export function resolveS3StoreOptions(options: S3StoreOptions): ResolvedS3StoreOptions {
  const { bucket, client, timeouts, conditionalDelete, serverSideCopy } = checkOptions("s3Store", s3Schema, options);
  return Object.freeze({
    bucket,
    client,
    connectMilliseconds: timeouts?.connect ?? 3_000,
    requestMilliseconds: timeouts?.request ?? 10_000,
    conditionalDelete: conditionalDelete ?? true,
    serverSideCopy: serverSideCopy ?? false,
  });
}
