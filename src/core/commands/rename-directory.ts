import pMap from "p-map";
import { MemoryError } from "../../errors.ts";
import { readableBytes, type Call } from "../call.ts";
import { deleteVersions } from "../delete-versions.ts";
import { parseMemoryPath } from "../memory-path.ts";
import * as messages from "../messages.ts";
import { moveMarker, placeCopy, refreshCopy, removeOwnCopy, type Copier, type PlacedCopy } from "../move-copy.ts";
import type { ListedObject } from "../object-store.ts";
import { replay } from "../replay.ts";
import { listBelow } from "../survey.ts";
import { isNewestWrite, movedFromOf } from "../write-record.ts";
import type { Move, MoveSurvey } from "./rename.ts";

/** Copies under way at once. The SDK's default is 50 sockets; other calls need some too. */
const concurrency = 16;
/** How often the source is listed again for files that appeared or changed while it was copied. */
const relistings = 3;

/** What became of the files of a directory rename. */
interface Tally {
  /** Copied, by source key. */
  readonly placed: Map<string, PlacedCopy>;
  /** Moved or deleted by somebody else before this call could. */
  moved: number;
  /** Left at the source: changed or added again and again, or its name is taken at the destination. */
  kept: number;
}

/**
 * All copies first, then all deletes, so that no file is ever in no place: 2 listings + 2 requests a
 * file + 1 batch delete per 1,000.
 */
export async function renameDirectory(call: Call, move: Move, around: MoveSurvey): Promise<string> {
  const from = call.keys.prefixOf(move.source);
  const to = call.keys.prefixOf(move.target);
  const targetOf = (key: string): string => to + key.slice(from.length);
  assertDestinationFree(move, around);
  assertAllFit(call, move, around.source);
  await assertHalfDoneRename(call, move, around, targetOf);

  const tally: Tally = { placed: new Map(), moved: 0, kept: 0 };
  let open: readonly ListedObject[] = around.source;
  for (let listing = 1; ; listing++) {
    await copyAll(call, move, open, targetOf, tally);
    const seen = await listBelow(call, move.source);
    open = seen.filter((object) => tally.placed.get(object.key)?.sourceVersion !== object.version);
    if (open.length === 0 || listing >= relistings) break;
  }
  await removeSources(call, move, targetOf, tally);
  tally.kept += open.filter((object) => !tally.placed.has(object.key)).length;
  return answer(move, tally, around.source.length);
}

function assertDestinationFree(move: Move, around: MoveSurvey): void {
  if (around.existing === "file") {
    throw new MemoryError("already_exists", messages.destinationExists(move.sentTarget));
  }
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
  around: MoveSurvey,
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
  tally: Tally,
): Promise<void> {
  await eachSettled(objects, async ({ key }) => {
    const result = await copyOne(call, move, key, targetOf(key), tally.placed.get(key));
    if (typeof result === "object") tally.placed.set(key, result);
    else if (result === "source_missing") tally.moved += 1;
    else tally.kept += 1;
  });
}

type CopyOutcome = PlacedCopy | "source_missing" | "source_too_large" | "occupied" | "edited";

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

async function removeSources(call: Call, move: Move, targetOf: (key: string) => string, tally: Tally): Promise<void> {
  const sources = [...tally.placed].map(([key, copy]) => ({ key, version: copy.sourceVersion, made: copy.made }));
  const prefix = call.keys.prefixOf(move.source);
  const fates = await deleteVersions(call, sources, { sent: move.sentSource, prefix });
  const orphans: string[] = [];
  for (const [source, fate] of fates) {
    if (fate === "changed") tally.kept += 1;
    if (fate === "vanished" && source.made) orphans.push(targetOf(source.key));
  }
  // Somebody else moved or deleted these first: this call's copies must not bring them back.
  tally.moved += orphans.length;
  await eachSettled(orphans, (key) =>
    replay<"removed" | "kept">(call, {
      sent: move.sentSource,
      attempt: () => removeOwnCopy(call, key),
      readBack: async () => undefined,
    }),
  );
}

function answer(move: Move, tally: Tally, files: number): string {
  if (tally.moved > 0) {
    throw new MemoryError("conflict", messages.movedBySomeoneElse(tally.moved, files));
  }
  if (tally.kept > 0) throw new MemoryError("conflict", messages.filesStayed(tally.kept, move.sentSource));
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
