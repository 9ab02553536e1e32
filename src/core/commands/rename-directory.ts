import pMap from "p-map";
import { MemoryError } from "../../errors.ts";
import { readableBytes, type Call } from "../call.ts";
import { deleteVersions } from "../delete-versions.ts";
import { parseMemoryPath } from "../memory-path.ts";
import * as messages from "../messages.ts";
import { moveMarker, placeCopy, refreshCopy, removeOwnCopy, type Copier, type PlacedCopy } from "../move-copy.ts";
import type { ListedObject } from "../object-store.ts";
import { replay } from "../replay.ts";
import { listBelow, type ListedEnds } from "../survey.ts";
import { isNewestWrite, movedFromOf } from "../write-record.ts";
import type { Move, MoveSurvey } from "./move.ts";

/** Copies under way at once. The SDK's default is 50 sockets; other calls need some too. */
const concurrency = 16;
/** How often the source is listed again for files that appeared or changed while it was copied. */
const relistings = 3;

/** What became of each file of the source so far, by its key. */
type Copies = Map<string, CopyOutcome>;

type CopyOutcome = PlacedCopy | "source_missing" | "source_too_large" | "occupied" | "edited";

/**
 * All copies first, then all deletes, so that no file is ever in no place: 2 listings + 2 requests a
 * file + 1 batch delete per 1,000.
 */
export async function renameDirectory(
  call: Call,
  move: Move,
  around: MoveSurvey & { readonly ends: ListedEnds },
): Promise<string> {
  const from = call.keys.prefixOf(move.source);
  const to = call.keys.prefixOf(move.target);
  const targetOf = (key: string): string => to + key.slice(from.length);
  await assertNoFileAt(call, move, around);
  assertAllFit(call, move, around.ends.source);
  await assertHalfDoneRename(call, move, around.ends, targetOf);

  const copies: Copies = new Map();
  let open: readonly ListedObject[] = around.ends.source;
  for (let listing = 1; ; listing++) {
    await copyAll(call, move, open, targetOf, copies);
    const seen = await listBelow(call, move.source);
    open = seen.filter((object) => placedCopy(copies.get(object.key))?.sourceVersion !== object.version);
    if (open.length === 0 || listing >= relistings) break;
  }
  const late = open.filter((object) => !copies.has(object.key)).length;
  const { moved, changed } = await removeSources(call, move, targetOf, copies);
  const outcomes = [...copies.values()];
  const gone = outcomes.filter((outcome) => outcome === "source_missing").length + moved;
  const kept = outcomes.filter((outcome) => typeof outcome === "string" && outcome !== "source_missing").length;
  return answer(move, { files: copies.size, moved: gone, kept: kept + changed + late });
}

function placedCopy(outcome: CopyOutcome | undefined): PlacedCopy | undefined {
  return typeof outcome === "object" ? outcome : undefined;
}

async function assertNoFileAt(call: Call, move: Move, around: MoveSurvey): Promise<void> {
  const isFile =
    around.existing === "unknown"
      ? (await call.store.head(call.keys.keyOf(move.target), call.request)).outcome === "found"
      : around.existing === "file";
  if (isFile) throw new MemoryError("already_exists", messages.destinationExists(move.sentTarget));
}

/** Checked for every file before anything is sent: all of them have room at the destination, or nothing moves. */
function assertAllFit(call: Call, move: Move, objects: readonly ListedObject[]): void {
  const most = readableBytes(call.limits);
  for (const object of objects) {
    const path = call.keys.pathOf(object.key);
    const sent = path ?? move.sentSource;
    if (object.size > most) throw new MemoryError("too_large", messages.tooLargeTo("rename", sent, object.size));
    if (path === undefined) continue; // a marker or another tool's object: at most the store refuses its key
    call.keys.keyOf(parseMemoryPath(move.target + path.slice(move.source.length)));
  }
}

/**
 * A destination that is not empty is refused, unless it is a half-done rename of this very directory: at
 * least one name on both sides carries our marker, and none on both sides lacks it.
 */
async function assertHalfDoneRename(
  call: Call,
  move: Move,
  around: ListedEnds,
  targetOf: (key: string) => string,
): Promise<void> {
  if (around.target.length === 0) return;
  const taken = new Set(around.target.map((object) => object.key));
  const both = around.source.filter((object) => taken.has(targetOf(object.key)));
  const marked = await eachSettled(both, async ({ key }) => {
    const [source, copy] = await Promise.all([
      call.store.head(key, call.request),
      call.store.head(targetOf(key), call.request),
    ]);
    if (source.outcome === "missing" || copy.outcome === "missing") return true;
    return movedFromOf(copy.metadata) === moveMarker(call, key, source);
  });
  if (both.length === 0 || marked.includes(false)) {
    throw new MemoryError("already_exists", messages.destinationExists(move.sentTarget));
  }
}

async function copyAll(
  call: Call,
  move: Move,
  objects: readonly ListedObject[],
  targetOf: (key: string) => string,
  copies: Copies,
): Promise<void> {
  await eachSettled(objects, async ({ key }) => {
    copies.set(key, await copyOne(call, move, key, targetOf(key), placedCopy(copies.get(key))));
  });
}

function copyOne(
  call: Call,
  move: Move,
  source: string,
  target: string,
  placed: PlacedCopy | undefined,
): Promise<CopyOutcome> {
  const copier: Copier = (condition, metadata) =>
    call.store.copy(source, target, { condition, metadata, maximumBytes: readableBytes(call.limits), ...call.request });
  return replay<CopyOutcome>(call, {
    sent: move.sentSource,
    attempt: async () => (placed ? refreshCopy(call, source, placed, copier) : placeCopy(call, source, target, copier)),
    async readBack() {
      const [original, copy] = await Promise.all([
        call.store.head(source, call.request),
        call.store.head(target, call.request),
      ]);
      if (original.outcome === "missing" || copy.outcome === "missing") return undefined;
      if (!isNewestWrite(copy.metadata, call.stamp.writeId)) return undefined;
      if (movedFromOf(copy.metadata) !== moveMarker(call, source, original)) return undefined;
      return { sourceVersion: original.version, version: copy.version, made: placed?.made ?? true };
    },
  });
}

async function removeSources(
  call: Call,
  move: Move,
  targetOf: (key: string) => string,
  copies: Copies,
): Promise<{ readonly moved: number; readonly changed: number }> {
  const sources = [...copies].flatMap(([key, outcome]) => {
    const copy = placedCopy(outcome);
    return copy ? [{ key, version: copy.sourceVersion, made: copy.made }] : [];
  });
  const prefix = call.keys.prefixOf(move.source);
  const fates = [...(await deleteVersions(call, sources, { sent: move.sentSource, prefix }))];
  // Somebody else moved or deleted these first: this call's copies must not bring them back.
  const orphans = fates.filter(([source, fate]) => fate === "vanished" && source.made);
  await eachSettled(orphans, ([source]) =>
    replay<"removed" | "kept">(call, {
      sent: move.sentSource,
      attempt: () => removeOwnCopy(call, targetOf(source.key)),
      readBack: async () => undefined,
    }),
  );
  return { moved: orphans.length, changed: fates.filter(([, fate]) => fate === "changed").length };
}

function answer(move: Move, { files, moved, kept }: Record<"files" | "moved" | "kept", number>): string {
  if (moved > 0) throw new MemoryError("conflict", messages.movedBySomeoneElse(moved, files));
  if (kept > 0) throw new MemoryError("conflict", messages.filesStayed(kept, move.sentSource));
  return messages.renamed(move.sentSource, move.sentTarget);
}

/** Bounded concurrency. After a failure nothing new starts, and what is under way has settled before it is thrown. */
async function eachSettled<T, R>(items: readonly T[], task: (item: T) => Promise<R>): Promise<R[]> {
  const failures: unknown[] = [];
  const results: R[] = [];
  await pMap(
    items,
    async (item) => {
      if (failures.length > 0) return;
      try {
        results.push(await task(item));
      } catch (error) {
        failures.push(error);
      }
    },
    { concurrency },
  );
  if (failures.length > 0) throw failures[0];
  return results;
}
