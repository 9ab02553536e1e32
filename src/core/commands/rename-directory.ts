import { MemoryError } from "../../errors.ts";
import { readableBytes, type Call } from "../call.ts";
import { deleteVersions, stillOpen, type Fate, type Sight } from "../delete-versions.ts";
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
import type { ListedObject } from "../object-store.ts";
import { lost, replay } from "../replay.ts";
import { listBelow, type ListedEnds } from "../survey.ts";
import { utf8Length } from "../text/encoding.ts";
import { carriesWrite, isSameFile, isUntouched, movedFromOf } from "../write-record.ts";
import { unfinished, type Move, type MoveSurvey } from "./move.ts";

/** How often the source is listed again for files that appeared or changed while it was copied. */
const relistings = 3;

/** What became of each file of the source so far, by its key. */
type Copies = Map<string, CopyOutcome>;

type CopyOutcome =
  | PlacedCopy
  /** The source is gone, and its copy stands. */
  | "moved"
  /** Somebody else moved or deleted the source first, and this call's copy is gone again. */
  | "source_missing"
  /** The same, but somebody has written on the copy, so it stays. */
  | "copy_kept"
  /** The source stays: changed again and again, taken at the destination, or another file by now. */
  | "source_too_large"
  | "occupied"
  | "edited"
  | "copy_missing"
  | "replaced"
  | "stays";

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
  try {
    return await moveAll(call, move, around.ends.source, targetOf, copies);
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
  sources: readonly ListedObject[],
  targetOf: (key: string) => string,
  copies: Copies,
): Promise<string> {
  const unsure: UnsureCopy[] = []; // whose source may have been removed by another rename
  let open: readonly string[] = sources.map(({ key }) => key);
  for (let listing = 1; ; listing++) {
    await copyAll(call, move, open, targetOf, copies);
    const seen = await listBelow(call, move.source);
    open = seen.filter((object) => isOpen(copies.get(object.key), object.version)).map(({ key }) => key);
    const isLast = listing >= relistings;
    if (open.length > 0 && !isLast) continue;
    const changed = await removeSources(call, move, targetOf, { copies, unsure }, isLast);
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
    if (source.outcome === "missing" || copy.outcome === "missing") return undefined; // no longer on both sides
    return movedFromOf(copy.metadata) === moveMarker(call, key, source);
  });
  if (!marked.includes(true) || marked.includes(false)) {
    throw new MemoryError("already_exists", messages.destinationExists(move.sentTarget));
  }
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
      // Another file has taken the source's place, so the one that was copied is gone: its copy must not bring it back.
      if (result === "replaced" && placed?.made && (await removeOwnCopy(call, target)) === lost) return lost;
      return result;
    },
    readBack: async () => (sending ? findOwnCopy(call, target, sending, placed) : undefined),
  });
}

/**
 * Deletes every source that is still what was copied, and says which are not any more. In the last round those
 * stay, and this call's copies of them go again.
 */
async function removeSources(
  call: Call,
  move: Move,
  targetOf: (key: string) => string,
  { copies, unsure }: { readonly copies: Copies; readonly unsure: UnsureCopy[] },
  isLast: boolean,
): Promise<readonly string[]> {
  const conflict = (): string => messages.renameUnfinished(move.sentSource, move.sentTarget);
  const sent = [move.sentSource, move.sentTarget];
  const look = async ({ key, copy }: Doomed): Promise<Sight> => {
    const now = await call.store.head(key, call.request);
    if (now.outcome === "missing") return "missing";
    if (carriesWrite(now.metadata, callForFile(call, targetOf(key)).stamp.writeId)) return "returned";
    if (isUntouched(now, copy.source)) return "untouched";
    return isSameFile(now, copy.source) ? "changed" : "replaced";
  };
  const placed = [...copies].flatMap(([key, outcome]): Doomed[] => {
    const copy = placedCopy(outcome);
    return copy ? [{ key, version: copy.source.version, copy }] : [];
  });
  // Who takes over another worker's copy may come late: the source may be gone and, with equal bytes, back again.
  const takenOver = placed.filter(({ copy }) => !copy.made);
  const fates = new Map<Doomed, Fate>();
  await stillOpen(takenOver, look, fates, false);
  const sure = placed.filter((doomed) => !fates.has(doomed));
  const deleted = await deleteVersions(call, sure, { sent, prefix: call.keys.prefixOf(move.source), conflict, look });

  const changed: string[] = [];
  await eachSettled([...fates, ...deleted], async ([{ key, copy }, fate]) => {
    const isOrphan = copy.made && (fate === "vanished" || (fate === "changed" && isLast));
    if (fate === "changed") changed.push(key);
    if (fate === "changed" && !isLast) return;
    // The copy is on its way back: whoever moves it deletes it here, and must find it.
    if (fate === "returned") return void copies.set(key, "stays");
    // Somebody else moved or deleted the source first, or it stays: this call's copy must not stand beside it.
    const left = isOrphan ? await removeCopy(call, sent, targetOf(key), conflict) : "kept";
    if (fate === "changed") copies.set(key, isOrphan && left === "kept" ? "edited" : "stays");
    else if (isOrphan) copies.set(key, left === "kept" ? "copy_kept" : "source_missing");
    else copies.set(key, "moved");
    if (fate !== "deleted" && !isOrphan) unsure.push({ ...copy, target: targetOf(key) });
  });
  return changed;
}

type UnsureCopy = PlacedCopy & { readonly target: string };

/** A source to be deleted, and the copy of it. */
interface Doomed {
  readonly key: string;
  readonly version: string;
  readonly copy: PlacedCopy;
}

async function removeCopy(
  call: Call,
  sent: readonly string[],
  target: string,
  conflict: () => string,
): Promise<"removed" | "kept"> {
  const fileCall = callForFile(call, target);
  return replay<"removed" | "kept">(fileCall, {
    sent,
    conflict,
    async attempt() {
      const fate = await removeOwnCopy(fileCall, target);
      return fate === "missing" ? "removed" : fate;
    },
    readBack: async () => undefined,
  });
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
