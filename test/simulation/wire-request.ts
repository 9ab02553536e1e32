import type { Decision, LogEvent } from "./log.ts";
import type { Random } from "./random.ts";
import type { NewObject, SentCondition, SimulatedBucket, StoredObject, WriteOutcome } from "./simulated-bucket.ts";
import { statusError } from "./wire-errors.ts";

interface SingleKey<Method extends string> {
  readonly method: Method;
  readonly keys: readonly [string];
}

export type ReadRequest = SingleKey<"GET" | "HEAD">;
export type PutRequest = SingleKey<"PUT"> & { readonly object: NewObject; readonly condition: SentCondition };
export type DeleteRequest = SingleKey<"DELETE"> & { readonly condition: SentCondition };
export type ListRequest = SingleKey<"LIST"> & {
  readonly delimiter: string | undefined;
  /** Only keys after this one. */
  readonly startAfter: string;
  /** The last entry of the page before. */
  readonly token: string;
  readonly limit: number;
};
export interface BatchRequest {
  readonly method: "BATCH";
  readonly keys: readonly string[];
  /** One for each key. */
  readonly conditions: readonly SentCondition[];
}

/** A request as it reaches the store. `keys` as in the log. */
export type WireRequest = ReadRequest | PutRequest | DeleteRequest | ListRequest | BatchRequest;

/** What the SDK makes of an answer: its output, or the error that it throws for an error status. */
export type Reply = { readonly output: object } | { readonly error: Error };

type EventOf<Kind> = Omit<Extract<LogEvent, { kind: Kind }>, "operation" | "request">;

export interface CarriedOut {
  readonly reply: Reply;
  readonly events: readonly (EventOf<"read"> | EventOf<"write">)[];
  /** Keys of a batch whose part of the answer was made an error. */
  readonly failedKeys?: readonly string[];
}

/** How a fault changes what the store does. */
export interface Distortion {
  readonly kind: "409" | "batch errors" | "short page";
  readonly random: Random;
}

/** Carries a request out, atomically for each key. */
export function carryOut(bucket: SimulatedBucket, request: WireRequest, distortion?: Distortion): CarriedOut {
  switch (request.method) {
    case "GET":
    case "HEAD":
      return read(bucket, request);
    case "PUT":
    case "DELETE":
      return write(bucket, request, distortion);
    case "BATCH":
      return deleteBatch(bucket, request, distortion);
    case "LIST":
      return list(bucket, request, distortion);
  }
}

function read(bucket: SimulatedBucket, { method, keys }: ReadRequest): CarriedOut {
  const found = bucket.get(keys[0]);
  const saw = found === undefined ? [] : [found.state];
  return { reply: readReply(method, found), events: [{ kind: "read", method, keys, saw, isPartial: false }] };
}

function readReply(method: "GET" | "HEAD", found: StoredObject | undefined): Reply {
  // A HEAD's answer has no body, so its error has no code.
  if (found === undefined) return { error: statusError(404, method === "GET" ? "NoSuchKey" : "NotFound") };
  const { state, body, metadata, contentType, modified } = found;
  const head = {
    ContentLength: body.byteLength,
    ContentType: contentType,
    ETag: state.version,
    LastModified: modified,
    Metadata: { ...metadata },
  };
  return { output: method === "GET" ? { ...head, Body: bodyOf(body) } : head };
}

/** As a web stream: in chunks, and to be cancelled. */
function bodyOf(bytes: Uint8Array): object {
  return {
    async *[Symbol.asyncIterator]() {
      yield bytes.slice();
    },
    cancel: async () => undefined,
  };
}

function write(bucket: SimulatedBucket, request: PutRequest | DeleteRequest, distortion?: Distortion): CarriedOut {
  const { method, condition } = request;
  const key = request.keys[0];
  const outcome =
    distortion?.kind === "409"
      ? undecided(bucket, key)
      : request.method === "PUT"
        ? bucket.put(key, request.object, condition)
        : bucket.delete(key, condition);
  const event = { kind: "write", method, key, condition: nameOf(condition), ...outcome } as const;
  return { reply: writeReply(outcome, condition), events: [event] };
}

function undecided(bucket: SimulatedBucket, key: string): WriteOutcome {
  const before = bucket.get(key)?.state;
  return { decision: "undecided", before, after: before };
}

function writeReply({ decision, after }: WriteOutcome, condition: SentCondition): Reply {
  const output = after === undefined ? {} : { ETag: after.version };
  // Without a condition a DELETE of nothing succeeds.
  if (decision === "missing" && condition.ifMatch === undefined) return { output };
  const code = errorCodes[decision];
  return code === undefined ? { output } : { error: statusError(...code) };
}

const errorCodes: Readonly<Record<Decision, readonly [number, string] | undefined>> = {
  committed: undefined,
  "precondition failed": [412, "PreconditionFailed"],
  missing: [404, "NoSuchKey"],
  undecided: [409, "ConditionalRequestConflict"],
};

function nameOf({ ifMatch, ifNoneMatch }: SentCondition): string {
  if (ifNoneMatch !== undefined) return "absent";
  return ifMatch === "*" ? "exists" : (ifMatch ?? "none");
}

function deleteBatch(bucket: SimulatedBucket, request: BatchRequest, distortion?: Distortion): CarriedOut {
  const events: EventOf<"write">[] = [];
  const deleted: { readonly Key: string }[] = [];
  const errors: { readonly Key: string; readonly Code: string }[] = [];
  const failedKeys: string[] = [];
  const { keys, conditions } = request;
  const struck = distortion === undefined ? -1 : distortion.random.below(keys.length);
  for (const [index, key] of keys.entries()) {
    const condition = conditions[index] ?? {};
    const isStruck = distortion !== undefined && (index === struck || distortion.random.chance(0.5));
    const fails = isStruck && distortion.kind === "batch errors";
    if (fails) failedKeys.push(key);
    if (fails) errors.push({ Key: key, Code: distortion.random.pick(["InternalError", "SlowDown"]) });
    if (fails && distortion.random.chance(0.5)) continue;
    const outcome = isStruck && distortion.kind === "409" ? undecided(bucket, key) : bucket.delete(key, condition);
    events.push({ kind: "write", method: "BATCH", key, condition: nameOf(condition), ...outcome });
    const code = errorCodes[outcome.decision]?.[1];
    if (fails) continue;
    if (code === undefined || (outcome.decision === "missing" && condition.ifMatch === undefined)) {
      deleted.push({ Key: key });
    } else errors.push({ Key: key, Code: code });
  }
  const reply = { output: { Deleted: deleted, Errors: errors } };
  return { reply, events, ...(failedKeys.length === 0 ? {} : { failedKeys }) };
}

function list(bucket: SimulatedBucket, request: ListRequest, distortion?: Distortion): CarriedOut {
  const { delimiter, startAfter, token, limit, keys } = request;
  const [prefix] = keys;
  const objects: StoredObject[] = [];
  const prefixes: string[] = [];
  const most = distortion === undefined ? limit : Math.min(limit, distortion.random.below(3));
  let last = token;
  let isPartial = false;
  for (const key of bucket.keys()) {
    if (!key.startsWith(prefix) || key <= startAfter) continue;
    const end = delimiter === undefined ? -1 : key.indexOf(delimiter, prefix.length);
    const entry = end === -1 ? key : key.slice(0, end + 1);
    if (entry <= last) continue;
    if (objects.length + prefixes.length >= most) {
      isPartial = true;
      break;
    }
    last = entry;
    const object = bucket.get(key);
    if (end !== -1) prefixes.push(entry);
    else if (object !== undefined) objects.push(object);
  }
  const saw = objects.map(({ state }) => state);
  return {
    reply: { output: listOutput(objects, prefixes, isPartial ? last || prefix : undefined) },
    events: [{ kind: "read", method: "LIST", keys, saw, isPartial, after: token || startAfter }],
  };
}

function listOutput(objects: readonly StoredObject[], prefixes: readonly string[], next: string | undefined): object {
  return {
    EncodingType: "url", // nothing in the simulation's keys needs it
    Contents: objects.map(({ state, body, modified }) => ({
      Key: state.key,
      Size: body.byteLength,
      ETag: state.version,
      LastModified: modified,
    })),
    CommonPrefixes: prefixes.map((Prefix) => ({ Prefix })),
    IsTruncated: next !== undefined,
    ...(next === undefined ? {} : { NextContinuationToken: next }),
  };
}
