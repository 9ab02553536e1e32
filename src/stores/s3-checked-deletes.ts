import pLimit from "p-limit";
import type { BatchDeleteResult, DeleteResult, ObjectStore } from "../core/object-store.ts";
import { isMemoryError, MemoryError } from "../errors.ts";
import type { S3Requests } from "./s3-requests.ts";
import { sureHead } from "./sure-head.ts";

type Reads = Pick<ObjectStore, "get" | "head">;

/** Requests in flight at a time; the SDK's client has 50 sockets by default. */
const concurrency = 8;

/**
 * Deletes for a store that cannot delete on a condition: each version is checked, then deleted. What
 * is written between the two is lost; nothing but a conditional delete could prevent that.
 */
export function checkedDeletes(requests: S3Requests, reads: Reads): Pick<ObjectStore, "delete" | "deleteMany"> {
  const remove: ObjectStore["delete"] = async (key, { condition, signal }) => {
    const request = signal === undefined ? {} : { signal };
    const found = await sureHead(reads, key, request);
    if (found.outcome === "missing") return found;
    if (condition.kind === "unchanged" && found.version !== condition.version) return { outcome: "changed" };

    return requests.run<DeleteResult>({
      operation: "DeleteObject",
      key,
      writes: true,
      signal,
      work: async ({ sdk, client, options, prepare }) => {
        await client.send(prepare(new sdk.DeleteObjectCommand({ Bucket: requests.bucket, Key: key })), options);
        return { outcome: "deleted" };
      },
      outcome: (fault) => (fault.status === 409 ? { outcome: "undecided" } : undefined),
    });
  };

  return {
    delete: remove,
    deleteMany: async (objects, request) => {
      let outage: MemoryError | undefined;
      const results = await pLimit(concurrency).map(objects, async ({ key, version }): Promise<BatchDeleteResult> => {
        if (outage !== undefined) return { outcome: "failed", error: outage };
        try {
          return await remove(key, { ...request, condition: { kind: "unchanged", version } });
        } catch (error) {
          if (!isMemoryError(error)) throw error;
          if (endsBatch(error)) outage ??= error;
          return { outcome: "failed", error };
        }
      });
      if (outage === undefined) return results;
      const untouched = results.every(
        (result) => result.outcome === "failed" && result.error.details.effect === "none",
      );
      if (untouched) throw outage;
      if (outage.code !== "aborted") return results;
      throw new MemoryError(outage.code, outage.message, { ...outage.details, effect: "unsettled" }, { cause: outage });
    },
  };
}

/** What fails for one key because of the store as a whole would fail, slowly, for a thousand. */
function endsBatch({ code, details }: MemoryError): boolean {
  return code === "aborted" || details.status === undefined || details.reason === "NoSuchBucket";
}
