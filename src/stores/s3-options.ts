import type { S3Client } from "@aws-sdk/client-s3";

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
}

export interface ResolvedS3StoreOptions {
  readonly bucket: string;
  readonly client: S3Client | undefined;
  readonly connectMilliseconds: number;
  readonly requestMilliseconds: number;
  readonly conditionalDelete: boolean;
}

/** Throws a `TypeError` that names the option, the value and what is expected. */
export function resolveS3StoreOptions(options: S3StoreOptions): ResolvedS3StoreOptions {
  if (!isRecord(options)) throw refused("options", options, 'an object such as { bucket: "agent-memory" }');
  refuseUnknown("", options, ["bucket", "client", "timeouts", "conditionalDelete"]);
  const { bucket, client, timeouts = {}, conditionalDelete = true } = options;

  if (typeof bucket !== "string" || bucket.trim() === "") throw refused("bucket", bucket, "the name of a bucket");
  if (client !== undefined && typeof (client as { send?: unknown } | null)?.send !== "function") {
    throw refused("client", client, "an S3Client of @aws-sdk/client-s3");
  }
  if (!isRecord(timeouts)) throw refused("timeouts", timeouts, "an object such as { connect: 3000, request: 10000 }");
  refuseUnknown("timeouts.", timeouts, ["connect", "request"]);
  if (typeof conditionalDelete !== "boolean") {
    throw refused("conditionalDelete", conditionalDelete, "true or false");
  }
  return Object.freeze({
    bucket,
    client,
    connectMilliseconds: milliseconds("timeouts.connect", timeouts.connect ?? 3000),
    requestMilliseconds: milliseconds("timeouts.request", timeouts.request ?? 10_000),
    conditionalDelete,
  });
}

/** What a timer of JavaScript can wait for; it fires at once beyond that. */
const longestTimer = 2 ** 31 - 1;

function milliseconds(option: string, value: unknown): number {
  if (typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= longestTimer) return value;
  throw refused(option, value, `a whole number of milliseconds from 1 to ${longestTimer}`);
}

function isRecord(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function refuseUnknown(path: string, options: object, known: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      throw new TypeError(`s3Store: there is no option ${path}${name}. Expected one of: ${known.join(", ")}.`);
    }
  }
}

function refused(option: string, value: unknown, expected: string): TypeError {
  const shown = typeof value === "string" ? JSON.stringify(value) : String(value);
  return new TypeError(`s3Store: option ${option} is ${shown}. Expected ${expected}.`);
}
