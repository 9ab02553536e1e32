import { MemoryError } from "../../errors.ts";
import { readableBytes, type Call } from "../call.ts";
import { eachSettled } from "../each-settled.ts";
import { longestKey } from "../listing.ts";
import { invalidPath, parseMemoryPath, type MemoryPath } from "../memory-path.ts";
import * as messages from "../messages.ts";
import {
  callForFile,
  findOwnCopy,
  moveMarker,
  placeCopy,
  refreshCopy,
  removeOwnCopy,
  type Copier,
  type PlacedCopy,
  type Sending,
} from "../move-copy.ts";
import { findTwins } from "../move-twins.ts";
import { lost, replay } from "../replay.ts";
import { eachBelow, type ListedEnds, type SourceFile } from "../survey.ts";
import { exceedsBytes } from "../text/encoding.ts";
import { movedFromOf } from "../write-record.ts";
import { unfinished, type Move, type MoveSurvey } from "./move.ts";
import { placedCopy, removeSources, type Copies, type CopyOutcome, type UnsureCopy } from "./remove-sources.ts";

/** How often the source is listed again for files that appeared or changed while it was copied. */
const relistings = 3;

/**
 * All copies first, then all deletes, so that no file is ever in no place: 2 listings + 2 requests a
 * file + 1 batch delete per 1,000.
 */
export async function renameDirectory(call: Call, move: Move, around: MoveSurvey, ends: ListedEnds): Promise<string> {
  const from = call.keys.prefixOf(move.source);
  const to = call.keys.prefixOf(move.target);
  const targetOf = (key: string): string => to + key.slice(from.length);
  await assertNoFileAt(call, move, around);
  assertAllFit(call, move, ends.source, targetOf);
  await assertHalfDoneRename(call, move, ends, targetOf);

  const copies: Copies = new Map();
  try {
    return await moveAll(call, move, ends.source, targetOf, copies);
  } catch (error) {
    throw unfinished(
      move,
      error,
      [...copies.values()].some((outcome) => outcome === "moved" || placedCopy(outcome) !== undefined),
    );
  }
}

async function moveAll(
  call: Call,
  move: Move,
  sources: readonly SourceFile[],
  targetOf: (key: string) => string,
  copies: Copies,
): Promise<string> {
  const unsure: UnsureCopy[] = [];
  let open: readonly string[] = sources.map(({ key }) => key);
  for (let listing = 1; ; listing++) {
    await copyAll(call, move, open, targetOf, copies);
    const seen: string[] = [];
    await eachBelow(call, move.source, ({ key, version }) => {
      if (isOpen(copies.get(key), version)) seen.push(key);
    });
    open = seen;
    const isLast = listing >= relistings;
    if (open.length > 0 && !isLast) continue;
    const changed = await removeSources(call, { move, targetOf, copies, unsure, isLast });
    if (changed.length === 0 || isLast) break;
    open = changed;
  }
  for (const key of open) if (!copies.has(key)) copies.set(key, "stays");
  return answer(move, [...copies.values()], await findTwins(call, unsure));
}

/** Not looked at yet, or changed since it was copied. What is settled is settled: a file that comes back is a new one. */
function isOpen(outcome: CopyOutcome | undefined, version: string): boolean {
  const copy = placedCopy(outcome);
  return outcome === undefined || (copy !== undefined && copy.source.version !== version);
}

async function assertNoFileAt(call: Call, move: Move, around: MoveSurvey): Promise<void> {
  const isFile =
    around.existing === "unknown"
      ? (await call.store.head(call.keys.keyOf(move.target), call.request)).outcome === "found"
      : around.existing === "file";
  if (isFile) throw new MemoryError("already_exists", messages.destinationExists(move.sentTarget));
}

/** Checked for every file before anything is sent: all of them have room at the destination, or nothing moves. */
function assertAllFit(call: Call, move: Move, objects: readonly SourceFile[], targetOf: (key: string) => string): void {
  const most = readableBytes(call.limits);
  for (const object of objects) {
    const path = call.keys.pathOf(object.key);
    const sent = path ?? move.sentSource;
    if (object.size > most) throw new MemoryError("too_large", messages.tooLargeTo("rename", sent, object.size));
    if (path !== undefined) call.keys.keyOf(parseMemoryPath(move.target + path.slice(move.source.length)));
    // A marker or another tool's object has no path, but a key that needs room too.
    else if (exceedsBytes(targetOf(object.key), longestKey)) {
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
  { source, target }: ListedEnds,
  targetOf: (key: string) => string,
): Promise<void> {
  if (target.size === 0) return;
  const taken = new MemoryError("already_exists", messages.destinationExists(move.sentTarget));
  const both = source.filter(({ key }) => target.has(targetOf(key)));
  let isHalfDone = false;
  await eachSettled(both, async ({ key }) => {
    const [head, copy] = await Promise.all([
      call.store.head(key, call.request),
      call.store.head(targetOf(key), call.request),
    ]);
    if (head.outcome === "missing" || copy.outcome === "missing") return; // no longer on both sides
    if (movedFromOf(copy.metadata) !== moveMarker(call, key, head)) throw taken;
    isHalfDone = true;
  });
  if (!isHalfDone) throw taken;
}

async function copyAll(
  call: Call,
  move: Move,
  open: readonly string[],
  targetOf: (key: string) => string,
  copies: Copies,
): Promise<void> {
  await eachSettled(open, async (key) => {
    const target = targetOf(key);
    copies.set(key, await copyOne(callForFile(call, target), move, key, target, placedCopy(copies.get(key))));
  });
}

async function copyOne(
  call: Call,
  move: Move,
  source: string,
  target: string,
  placed: PlacedCopy | undefined,
): Promise<CopyOutcome> {
  let sending: Sending | undefined; // what got no answer
  const onSending = (sent: Sending | undefined): void => void (sending = sent);
  const copier: Copier = async (condition, metadata) =>
    call.store.copy(source, target, {
      condition,
      metadata,
      maximumBytes: readableBytes(call.limits),
      ...call.request,
    });
  return replay<CopyOutcome>(call, {
    sent: [move.sentSource, move.sentTarget],
    conflict: () => messages.renameUnfinished(move.sentSource, move.sentTarget),
    async attempt(_, settle) {
      if (sending) {
        const own = await findOwnCopy(call, target, sending, placed);
        sending = undefined;
        settle();
        if (own) return own;
      }
      const fileMove = { source, target, copier, onSending };
      const result = placed ? await refreshCopy(call, fileMove, placed) : await placeCopy(call, fileMove);
      if (result === "returned") return "stays";
      // The one that was copied is gone, or stays where it is: its copy must not bring it back, nor stand beside it.
      if (placed && isOrphaned(result)) {
        const fate = placed.made ? await removeOwnCopy(call, target) : "kept";
        if (fate === lost) return lost;
        if (fate === "kept") return result === "source_too_large" ? "edited" : "copy_kept";
      }
      return result;
    },
    readBack: async () => (sending ? findOwnCopy(call, target, sending, placed) : undefined),
  });
}

/** The source is no longer what a copy that stands was made of. */
function isOrphaned(result: unknown): boolean {
  return result === "replaced" || result === "source_missing" || result === "source_too_large";
}

function answer(move: Move, outcomes: readonly CopyOutcome[], [twin]: readonly MemoryPath[]): string {
  const { sentSource, sentTarget } = move;
  const count = (wanted: CopyOutcome): number => outcomes.filter((outcome) => outcome === wanted).length;
  const gone = count("source_missing");
  const done = count("moved");
  if (count("copy_kept") > 0) throw new MemoryError("conflict", messages.movedAndKept(sentSource, sentTarget));
  if (twin !== undefined) throw new MemoryError("conflict", messages.movedTwice(sentSource, sentTarget, twin));
  if (gone > 0) throw new MemoryError("conflict", messages.movedBySomeoneElse(gone, outcomes.length));
  if (count("edited") > 0) throw new MemoryError("conflict", messages.bothKept(sentSource, sentTarget));
  if (done < outcomes.length) {
    throw new MemoryError("conflict", messages.filesStayed(outcomes.length - done, sentSource));
  }
  return messages.renamed(sentSource, sentTarget);
}
