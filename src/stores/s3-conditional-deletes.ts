import type { DeleteObjectsOutput } from "@aws-sdk/client-s3";
import type { BatchDeleteResult, DeleteResult, ObjectStore, RequestOptions } from "../core/object-store.ts";
import { isMemoryError } from "../errors.ts";
import { s3BatchFailure } from "./s3-failures.ts";
import { isMissing } from "./s3-fault.ts";
import type { S3Requests } from "./s3-requests.ts";

/** Deletes whose conditions the store itself checks, in one step with the delete. */
export function conditionalDeletes(
  requests: S3Requests,
  head: ObjectStore["head"],
): Pick<ObjectStore, "delete" | "deleteMany"> {
  const remove: ObjectStore["delete"] = (key, { condition, signal }) =>
    requests.run<DeleteResult>({
      operation: "DeleteObject",
      key,
      writes: true,
      signal,
      work: async ({ sdk, client, options, prepare }) => {
        const version = condition.kind === "exists" ? "*" : condition.version;
        const command = new sdk.DeleteObjectCommand({ Bucket: requests.bucket, Key: key, IfMatch: version });
        await client.send(prepare(command), options);
        return { outcome: "deleted" };
      },
      outcome: (fault) => {
        if (fault.status === 409) return { outcome: "undecided" };
        if (fault.status === 412 && condition.kind === "unchanged") return { outcome: "changed" };
        return isMissing(fault) ? { outcome: "missing" } : undefined;
      },
    });

  const removeBatch = async (objects: Batch, { signal }: RequestOptions): Promise<readonly BatchDeleteResult[]> => {
    if (objects.length === 0) return [];
    return requests.run<readonly BatchDeleteResult[]>({
      operation: "DeleteObjects",
      writes: true,
      signal,
      work: async ({ sdk, client, options, prepare, state }) => {
        const command = new sdk.DeleteObjectsCommand({
          Bucket: requests.bucket,
          Delete: { Quiet: false, Objects: objects.map(({ key, version }) => ({ Key: key, ETag: version })) },
        });
        const fates = fatesOf(await client.send(prepare(command), options));
        return objects.map(({ key }) => resultOf(fates.get(key), (reason) => s3BatchFailure(key, reason, state())));
      },
    });
  };

  return {
    delete: async (key, request) => {
      try {
        return await remove(key, request);
      } catch (error) {
        // Some stores refuse `If-Match: *` with 412 where S3 answers 404 for a missing key; others
        // don't know the `*` and refuse it always. Only what is there can tell the two apart.
        if (!isMemoryError(error) || error.details.status !== 412) throw error;
        const found = await head(key, request.signal === undefined ? {} : { signal: request.signal });
        if (found.outcome === "missing") return found;
        throw error;
      }
    },

    deleteMany: async (objects, request) => {
      const inXml = objects.filter(({ key }) => fitsXml(key));
      const others = objects.filter(({ key }) => !fitsXml(key));
      const batch = await removeBatch(inXml, request);
      const results = new Map(inXml.map(({ key }, index) => [key, batch[index]]));
      for (const { key, version } of others) {
        results.set(key, await settled(remove(key, { ...request, condition: { kind: "unchanged", version } })));
      }
      return objects.map(({ key }) => results.get(key) ?? { outcome: "undecided" });
    },
  };
}

type Batch = Parameters<ObjectStore["deleteMany"]>[0];

/**
 * The body of DeleteObjects is XML 1.0, which cannot carry most control characters, U+FFFE and U+FFFF:
 * one such key, written by another tool, would have the whole batch refused as MalformedXML.
 */
function fitsXml(key: string): boolean {
  return !/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/u.test(key);
}

/** A single delete's failure, as a batch tells it: for its key alone. */
async function settled(removal: Promise<DeleteResult>): Promise<BatchDeleteResult> {
  try {
    return await removal;
  } catch (error) {
    if (!isMemoryError(error) || error.details.effect === "unsettled") throw error;
    return { outcome: "failed", error };
  }
}

/** `true` for a deleted key, else the code of its error: a batch is answered with 200 whatever became of its keys. */
function fatesOf(answer: DeleteObjectsOutput): ReadonlyMap<string | undefined, true | string> {
  return new Map<string | undefined, true | string>([
    ...(answer.Deleted ?? []).map(({ Key }) => [Key, true] as const),
    ...(answer.Errors ?? []).map(({ Key, Code }) => [Key, Code ?? "Unknown"] as const),
  ]);
}

function resultOf(
  fate: true | string | undefined,
  failure: (reason: string) => Extract<BatchDeleteResult, { outcome: "failed" }>["error"],
): BatchDeleteResult {
  switch (fate) {
    case true:
      return { outcome: "deleted" };
    case "PreconditionFailed":
      return { outcome: "changed" };
    case "NoSuchKey":
      return { outcome: "missing" };
    case "ConditionalRequestConflict":
    case "OperationAborted":
      return { outcome: "undecided" };
    case undefined:
    default:
      return { outcome: "failed", error: failure(fate ?? "NotAnswered") };
  }
}
