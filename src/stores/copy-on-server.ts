import type { CopyObjectOutput } from "@aws-sdk/client-s3";
import type {
  LostWrite,
  Metadata,
  ObjectHead,
  ObjectStore,
  RequestOptions,
  WriteCondition,
} from "../core/object-store.ts";
import { versionOf } from "./s3-answers.ts";
import { isMissing, readFault } from "./s3-fault.ts";
import type { S3Requests, S3Sdk } from "./s3-requests.ts";
import { headIn, sureHead } from "./sure-head.ts";

/**
 * Copies by HEAD and conditional CopyObject, so that no bytes go through the worker. Only for a store that honours
 * CopyObject's conditions on the source and on the target: one that ignores them overwrites what it must not.
 */
export function copyOnServer(requests: S3Requests, reads: Pick<ObjectStore, "get" | "head">): ObjectStore["copy"] {
  return async (source, target, { condition, metadata, maximumBytes, ...request }) => {
    const read = await sureHead(reads, source, request);
    if (read.outcome === "missing") return { outcome: "source_missing" };

    const seen = headIn(read);
    if (seen.size > maximumBytes) return { outcome: "source_too_large", source: seen };
    const made = metadata(seen);
    if (made === undefined) return { outcome: "declined", source: seen };

    const sent = await sendCopy(requests, { source, seen, target, condition, metadata: made, ...request });
    if (sent.outcome === "source_missing") return { outcome: "source_missing" };
    if (sent.outcome !== "refused") return { ...sent, source: seen };
    const { by, lost } = sent;
    if (by === "target") return { outcome: lost, source: seen };
    // Another source by now: nothing was written, and whoever asked looks at that one first.
    if (by === "source") return { outcome: "undecided", source: seen };
    const now = await reads.head(source, request);
    if (now.outcome === "missing") return { outcome: "source_missing" };
    return { outcome: now.version === seen.version ? lost : "undecided", source: seen };
  };
}

interface Copy extends RequestOptions {
  readonly source: string;
  /** The source as it was read: that version is copied, or none. */
  readonly seen: ObjectHead;
  readonly target: string;
  readonly condition: WriteCondition;
  readonly metadata: Metadata;
}

/** What became of one CopyObject. */
type SentCopy =
  | { readonly outcome: "written"; readonly version: string }
  | { readonly outcome: "source_missing" | "undecided" }
  | {
      readonly outcome: "refused";
      /** Whose condition failed; not every store says. */
      readonly by: "source" | "target" | undefined;
      /** What it is if it was the target's. */
      readonly lost: LostWrite["outcome"];
    };

function sendCopy(requests: S3Requests, copy: Copy): Promise<SentCopy> {
  const { source, seen, target, condition, metadata, signal } = copy;
  const request = { operation: "CopyObject", key: target, writes: true } as const;
  return requests.run<SentCopy>({
    ...request,
    signal,
    work: async ({ sdk, client, options, prepare }) => {
      const command = new sdk.CopyObjectCommand({
        Bucket: requests.bucket,
        Key: target,
        CopySource: copySourceOf(requests.bucket, source),
        CopySourceIfMatch: seen.version,
        // The write id must be fresh, so the source's metadata is never taken along; nor are its tags, which PUT leaves too.
        MetadataDirective: "REPLACE",
        TaggingDirective: "REPLACE",
        Metadata: { ...metadata },
        ContentType: seen.contentType,
      });
      demand(command, condition);
      const answered = watchStatus(command);
      let answer: CopyObjectOutput;
      try {
        answer = await client.send(prepare(command), options);
      } catch (error) {
        // An error in the body of a 200 refuses nothing: it may have been copied. Some releases of the SDK call it a 400.
        if (answered() === 200) throw withStatus(error, 200);
        const refused = refusalOf(error, copy);
        if (refused === undefined) throw error;
        return refused;
      }
      return { outcome: "written", version: versionOf(answer.CopyObjectResult?.ETag, request) };
    },
    outcome: ({ status }) => (status === 409 ? { outcome: "undecided" } : undefined),
  });
}

type CopyCommand = InstanceType<S3Sdk["CopyObjectCommand"]>;

/** The SDK sends it as it is. An access point's ARN takes a word more. */
function copySourceOf(bucket: string, key: string): string {
  return `${bucket}${bucket.startsWith("arn:") ? "/object" : ""}/${encodeURIComponent(key)}`;
}

/**
 * Puts the target's condition on the request itself: releases of the SDK from before S3 knew it drop the input's
 * `IfMatch` and `IfNoneMatch` silently, and what is left would overwrite anything. Before the signature, which covers it.
 */
function demand({ middlewareStack }: CopyCommand, condition: WriteCondition): void {
  const [name, value] = condition.kind === "absent" ? ["if-none-match", "*"] : ["if-match", condition.version];
  middlewareStack.add(
    (next) => (args) => {
      const { request } = args;
      if (!hasHeaders(request)) throw new TypeError("The SDK makes a request without headers.");
      request.headers[name] = value;
      return next(args);
    },
    { name: "demandCondition", step: "build" },
  );
}

function hasHeaders(request: unknown): request is { readonly headers: Record<string, string> } {
  return typeof request === "object" && request !== null && "headers" in request;
}

/** The status as the store sent it, before the SDK looks into the body. */
function watchStatus({ middlewareStack }: CopyCommand): () => number | undefined {
  let status: number | undefined;
  middlewareStack.add(
    (next) => async (args) => {
      const result = await next(args);
      const { response } = result;
      if (typeof response === "object" && response !== null && "statusCode" in response) {
        status = Number(response.statusCode);
      }
      return result;
    },
    { name: "watchStatus", step: "deserialize", priority: "low" },
  );
  return () => status;
}

function withStatus(error: unknown, httpStatusCode: number): unknown {
  if (typeof error !== "object" || error === null) return error;
  return Object.assign(error, { $metadata: { ...Reflect.get(error, "$metadata"), httpStatusCode } });
}

/**
 * What did not hold. AWS names it: `Condition` for one that failed, `Key` for what is missing. Others name no condition,
 * and the target's key whatever is missing, so only the source's is believed.
 */
function refusalOf(error: unknown, { source, condition }: Copy): SentCopy | undefined {
  const fault = readFault(error);
  const isNew = condition.kind === "absent";
  if (fault.status === 412) {
    const named = fieldOf(error, "Condition");
    const side = /^x-amz-copy-source/i.test(named ?? "") ? "source" : "target";
    return { outcome: "refused", by: named === undefined ? undefined : side, lost: isNew ? "exists" : "changed" };
  }
  if (!isMissing(fault)) return undefined;
  if (isNew || fieldOf(error, "Key") === source) return { outcome: "source_missing" };
  return { outcome: "refused", by: undefined, lost: "missing" };
}

function fieldOf(error: unknown, name: "Condition" | "Key"): string | undefined {
  const value: unknown = typeof error === "object" && error !== null ? Reflect.get(error, name) : undefined;
  return typeof value === "string" && value !== "" ? value : undefined;
}
