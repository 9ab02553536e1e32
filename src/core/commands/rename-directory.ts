import { MemoryError } from "../../errors.ts";
import { readableBytes, type Call } from "../call.ts";
import { deleteVersions } from "../delete-versions.ts";
import { eachSettled } from "../each-settled.ts";
import { longestKey } from "../listing.ts";
import { invalidPath, parseMemoryPath } from "../memory-path.ts";
import * as messages from "../messages.ts";
import {
  findOwnCopy,
  moveMarker,
  placeCopy,
  refreshCopy,
  removeOwnCopy,
  type Copier,
  type PlacedCopy,
} from "../move-copy.ts";
import type { ListedObject } from "../object-store.ts";
import { lost, replay } from "../replay.ts";
import { listBelow, type ListedEnds } from "../survey.ts";
import { utf8Length } from "../text/encoding.ts";
import { movedFromOf, seenFile, type SeenFile } from "../write-record.ts";
import type { Move, MoveSurvey } from "./move.ts";

/** How often the source is listed again for files that appeared or changed while it was copied. */
const relistings = 3;

/** What became of each file of the source so far, by its key. */
type Copies = Map<string, CopyOutcome>;

type CopyOutcome = PlacedCopy | "source_missing" | "source_too_large" | "occupied" | "edited" | "replaced";

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
  assertAllFit(call, move, around.ends.source, targetOf);
  await assertHalfDoneRename(call, move, around.ends, targetOf);

  const copies: Copies = new Map();
  let open: readonly ListedObject[] = around.ends.source;
  for (let listing = 1; ; listing++) {
    await copyAll(call, move, open, targetOf, copies);
    const seen = await listBelow(call, move.source);
    open = seen.filter((object) => !isCopied(copies.get(object.key), object.version));
    if (open.length === 0 || listing >= relistings) break;
  }
  const late = open.filter((object) => !copies.has(object.key)).length;
  const { moved, changed } = await removeSources(call, move, targetOf, copies);
  const count = (...wanted: readonly CopyOutcome[]): number =>
    [...copies.values()].filter((outcome) => wanted.includes(outcome)).length;
  return answer(move, {
    files: copies.size,
    moved: moved + count("source_missing"),
    kept: changed + late + count("source_too_large", "occupied", "edited", "replaced"),
  });
}

function isCopied(outcome: CopyOutcome | undefined, version: string): boolean {
  return placedCopy(outcome)?.source.version === version;
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
function assertAllFit(
  call: Call,
  move: Move,
  objects: readonly ListedObject[],
  targetOf: (key: string) => string,
): void {
  const most = readableBytes(call.limits);
  for (const object of objects) {
    const path = call.keys.pathOf(object.key);
    const sent = path ?? move.sentSource;
    if (object.size > most) throw new MemoryError("too_large", messages.tooLargeTo("rename", sent, object.size));
    if (path !== undefined) call.keys.keyOf(parseMemoryPath(move.target + path.slice(move.source.length)));
    // A marker or another tool's object has no path, but a key that needs room too.
    else if (utf8Length(targetOf(object.key)) > longestKey) {
      throw invalidPath(move.sentTarget, "What lies below it would have a path that is too long.");
    }
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

async function copyOne(
  call: Call,
  move: Move,
  source: string,
  target: string,
  placed: PlacedCopy | undefined,
): Promise<CopyOutcome> {
  let sending: SeenFile | undefined; // what a copy was sent of that got no answer
  const copier: Copier = async (condition, metadataOf) => {
    const result = await call.store.copy(source, target, {
      condition,
      metadata: (head) => {
        sending = seenFile(head);
        return metadataOf(head);
      },
      maximumBytes: readableBytes(call.limits),
      ...call.request,
    });
    sending = undefined;
    return result;
  };
  return replay<CopyOutcome>(call, {
    sent: [move.sentSource, move.sentTarget],
    conflict: () => messages.renameUnfinished(move.sentSource, move.sentTarget),
    async attempt(_, settle) {
      if (sending && !placed) {
        const own = await findOwnCopy(call, target, sending);
        settle();
        if (own) return own;
      }
      const fileMove = { source, target, copier };
      const result = placed ? await refreshCopy(call, fileMove, placed) : await placeCopy(call, fileMove);
      // Another file has taken the source's place, so the one that was copied is gone: its copy must not bring it back.
      if (result === "replaced" && placed?.made && (await removeOwnCopy(call, target)) === lost) return lost;
      return result;
    },
    readBack: async () => (sending && !placed ? findOwnCopy(call, target, sending) : undefined),
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
    return copy ? [{ key, version: copy.source.version, made: copy.made }] : [];
  });
  const prefix = call.keys.prefixOf(move.source);
  const fates = await deleteVersions(call, sources, {
    sent: [move.sentSource, move.sentTarget],
    prefix,
    conflict: () => messages.renameUnfinished(move.sentSource, move.sentTarget),
  });
  // Somebody else moved or deleted these first: this call's copies must not bring them back.
  const orphans = [...fates].filter(([source, fate]) => fate === "vanished" && source.made);
  await eachSettled(orphans, ([source]) =>
    replay<"removed" | "kept">(call, {
      sent: [move.sentSource, move.sentTarget],
      conflict: () => messages.renameUnfinished(move.sentSource, move.sentTarget),
      attempt: () => removeOwnCopy(call, targetOf(source.key)),
      readBack: async () => undefined,
    }),
  );
  return { moved: orphans.length, changed: [...fates.values()].filter((fate) => fate === "changed").length };
}

function answer(move: Move, { files, moved, kept }: Record<"files" | "moved" | "kept", number>): string {
  if (moved > 0) throw new MemoryError("conflict", messages.movedBySomeoneElse(moved, files));
  if (kept > 0) throw new MemoryError("conflict", messages.filesStayed(kept, move.sentSource));
  return messages.renamed(move.sentSource, move.sentTarget);
}
