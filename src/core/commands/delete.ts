import { isMemoryError, MemoryError } from "../../errors.ts";
import type { Call } from "../call.ts";
import { deleteVersions } from "../delete-versions.ts";
import { eachSettled } from "../each-settled.ts";
import { hasKeys, listPages } from "../listing.ts";
import { isRoot, type MemoryPath } from "../memory-path.ts";
import * as messages from "../messages.ts";
import type { DeleteCondition, HeadResult, ListedObject, ListPage } from "../object-store.ts";
import { lost, replay } from "../replay.ts";

/** Batch deletes under way at once where they take longer than the pages that they are made from. */
const batchesAtOnce = 4;

/**
 * DELETE of the exact key ‖ LIST that would find a directory: 2 requests, 1 round trip for a file. A
 * directory is then deleted page by page from that listing on, each key in the version that its page showed.
 */
export async function deletePath(call: Call, path: MemoryPath, sent: string): Promise<string> {
  if (isRoot(path)) throw new MemoryError("invalid_path", messages.cannotDeleteRoot());
  const { store, keys, request } = call;
  const key = keys.keyOf(path, sent);
  const prefix = keys.prefixOf(path);
  const success = messages.deleted(sent);
  let unanswered = false; // a delete was sent whose answer never came

  const what = await replay<"file" | Directory>(call, {
    sent,
    async attempt() {
      let condition: DeleteCondition = { kind: "exists" };
      if (unanswered) {
        const found = await readBack(call, key);
        if (found.outcome === "missing") return afterLostAnswer(call, sent, prefix);
        condition = { kind: "unchanged", version: found.version };
      }
      // Both have settled before anything is said: a rejected listing must not leave a delete in flight.
      const [removal, listing] = await Promise.allSettled([
        store.delete(key, { condition, ...request }),
        openDirectory(call, prefix),
      ]);
      if (removal.status === "rejected") {
        unanswered = true;
        throw removal.reason;
      }
      switch (removal.value.outcome) {
        case "deleted":
          return "file";
        case "undecided":
        case "changed":
          return lost;
        case "missing":
          if (unanswered) return afterLostAnswer(call, sent, prefix);
          if (listing.status === "rejected") throw listing.reason;
          if (listing.value) return listing.value;
          throw new MemoryError("not_found", messages.pathDoesNotExist(sent));
      }
    },
    async readBack(settle) {
      const found = await readBack(call, key);
      if (found.outcome === "missing") return afterLostAnswer(call, sent, prefix);
      settle();
      return undefined;
    },
  });
  if (what !== "file") await deleteDirectory(call, sent, prefix, what);
  return success;
}

/** Deletes one file, in one version where one is named; the directory beside it stays. */
export async function deleteFile(call: Call, path: MemoryPath, sent: string, version?: string): Promise<void> {
  const { store, keys, request } = call;
  const key = keys.keyOf(path, sent);
  let unanswered = false; // a delete was sent whose answer never came
  await replay<true>(call, {
    sent,
    async attempt() {
      let condition: DeleteCondition = version === undefined ? { kind: "exists" } : { kind: "unchanged", version };
      if (unanswered) {
        const found = await readBack(call, key);
        if (found.outcome === "missing") return true;
        condition = { kind: "unchanged", version: version ?? found.version };
      }
      const answeredBefore = !unanswered;
      unanswered = true;
      const { outcome } = await store.delete(key, { condition, ...request });
      unanswered = !answeredBefore;
      if (outcome === "deleted" || (outcome === "missing" && unanswered)) return true;
      if (outcome === "missing") throw new MemoryError("not_found", messages.pathDoesNotExist(sent));
      if (outcome === "changed" && version !== undefined) {
        throw new MemoryError("conflict", messages.changedMeanwhile(sent));
      }
      return lost;
    },
    async readBack(settle) {
      if ((await readBack(call, key)).outcome === "missing") return true;
      settle();
      return undefined;
    },
  });
}

/** A GET, since a HEAD cannot tell a missing bucket from a missing key; nothing of the body is needed. */
async function readBack(call: Call, key: string): Promise<HeadResult> {
  const found = await call.store.get(key, { maximumBytes: 0, ...call.request });
  return found.outcome === "missing" ? found : { ...found, outcome: "found" };
}

/**
 * The file is gone, which is what was asked for. Only where keys lie below the same path (`a` beside
 * `a/b`) it cannot be known whether a file was deleted or never was: the directory must not follow it.
 */
async function afterLostAnswer(call: Call, sent: string, prefix: string): Promise<"file"> {
  if (await hasKeys(call.store, { prefix, ...call.request })) {
    throw new MemoryError("outcome_unknown", messages.outcomeUnknown(sent));
  }
  return "file";
}

/** A listing of a directory that has begun: the objects of its first page that has any, and the pages behind it. */
interface Directory {
  readonly first: readonly ListedObject[];
  readonly rest: AsyncGenerator<ListPage>;
}

async function openDirectory({ store, request }: Call, prefix: string): Promise<Directory | undefined> {
  const pages = listPages(store, { prefix, ...request });
  for (let page = await pages.next(); !page.done; page = await pages.next()) {
    if (page.value.objects.length > 0) return { first: page.value.objects, rest: pages };
  }
  return undefined;
}

async function* pagesOf({ first, rest }: Directory): AsyncGenerator<readonly ListedObject[]> {
  yield first;
  for await (const { objects } of rest) yield objects;
}

/** Each page is deleted while the next one is listed, so that no more than a few pages are held. */
async function deleteDirectory(call: Call, sent: string, prefix: string, directory: Directory): Promise<void> {
  const where = { sent, prefix, conflict: () => messages.deletedInPart(sent) };
  let kept = 0;
  const deletePage = async (objects: readonly ListedObject[]): Promise<void> => {
    const fates = await deleteVersions(call, objects, where);
    for (const fate of fates.values()) if (fate === "changed") kept += 1;
  };
  try {
    await eachSettled(pagesOf(directory), deletePage, batchesAtOnce);
  } catch (error) {
    if (!isMemoryError(error) || error.code !== "storage") throw error;
    throw new MemoryError("storage", messages.deletedInPart(sent), error.details, { cause: error });
  }
  if (kept > 0) throw new MemoryError("conflict", messages.changedAndKept(kept, sent));
}
