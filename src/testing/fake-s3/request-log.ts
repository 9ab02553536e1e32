import type { BatchEntry } from "./delete-operations.ts";
import type { Fault } from "./faults.ts";
import type { Headers, S3Operation, S3Request } from "./s3-request.ts";

/** One request as the server saw it. */
export interface LoggedRequest {
  /** The S3 API name, such as `PutObject`. */
  readonly operation: S3Operation;
  readonly method: string;
  /** `""` where there is none. */
  readonly bucket: string;
  /** `""` where there is none. */
  readonly key: string;
  /** What DeleteObjects named; empty for everything else. */
  readonly batch: readonly BatchEntry[];
  /** `prefix`, `delimiter`, `max-keys`, `continuation-token`, `versionId`, … as sent. */
  readonly query: Readonly<Record<string, string>>;
  /** The condition headers as sent, lower-case names: `if-match`, `x-amz-copy-source-if-match`, … */
  readonly conditions: Readonly<Record<string, string>>;
  /** The faults that were applied to it. */
  readonly faults: readonly Fault[];
  /** The HTTP status of the answer; absent while there was none, and where the connection was dropped. */
  readonly status?: number;
  /** The S3 error code of the answer. */
  readonly code?: string;
  /** Its place among all starts and ends. */
  readonly started: number;
  /** Absent while it hangs. */
  readonly ended?: number;
}

type Writable<Value> = { -readonly [Name in keyof Value]: Value[Name] };

/** The log's own, still changing view of a request. */
export type OpenRequest = Writable<LoggedRequest>;

function conditionsOf(headers: Headers): Record<string, string> {
  const sent = Object.entries(headers).filter(([name]) => /^(x-amz-|x-amz-copy-source-)?if-/u.test(name));
  return Object.fromEntries(sent.map(([name, value]) => [name, value ?? ""]));
}

/** Every request since the start, or since `clear()`, in the order in which they came. */
export class RequestLog implements Iterable<LoggedRequest> {
  #requests: OpenRequest[] = [];
  #sequence = 0;

  [Symbol.iterator](): Iterator<LoggedRequest> {
    return this.#requests.values();
  }

  get length(): number {
    return this.#requests.length;
  }

  /** The requests of one operation. */
  of(operation: S3Operation): readonly LoggedRequest[] {
    return this.#requests.filter((request) => request.operation === operation);
  }

  /** The names of the operations, in order. */
  get operations(): readonly S3Operation[] {
    return this.#requests.map(({ operation }) => operation);
  }

  /** Forgets what was logged so far. Sequence numbers go on. */
  clear(): void {
    this.#requests = [];
  }

  /** @internal */
  open({ operation, method, bucket, key, query, headers }: Omit<S3Request, "body">): OpenRequest {
    const request: OpenRequest = {
      operation,
      method,
      bucket,
      key,
      batch: [],
      query: Object.fromEntries(query),
      conditions: conditionsOf(headers),
      faults: [],
      started: this.#next(),
    };
    this.#requests.push(request);
    return request;
  }

  /** @internal */
  end(request: OpenRequest): void {
    request.ended ??= this.#next();
  }

  #next(): number {
    this.#sequence += 1;
    return this.#sequence;
  }
}

/**
 * The sequential round trips of some requests: the longest chain in which each one started after the
 * one before had ended. Requests that a client sends at once overlap here only if none is answered
 * before the next arrives: count on a server with some latency
 * (`faults.add({}, { beforeCommit: 20 })`).
 */
export function roundTrips(requests: Iterable<LoggedRequest>): number {
  const byEnd = [...requests]
    .map(({ started, ended = Infinity }) => ({ started, ended }))
    .sort((left, right) => left.ended - right.ended);
  let chain = 0;
  let lastEnd = -1;
  for (const { started, ended } of byEnd) {
    if (started < lastEnd) continue;
    chain += 1;
    lastEnd = ended;
  }
  return chain;
}
