import type { Call } from "../call.ts";
import { deleteVersions, objectsPerBatch, stillOpen, type Fate, type Sight } from "../delete-versions.ts";
import { eachSettled } from "../each-settled.ts";
import * as messages from "../messages.ts";
import { callForFile, removeOwnCopy, type PlacedCopy } from "../move-copy.ts";
import { replay } from "../replay.ts";
import { carriesWrite, isSameFile, isUntouched } from "../write-record.ts";
import type { Move } from "./move.ts";

/** What became of each file of the source so far, by its key. */
export type Copies = Map<string, CopyOutcome>;

export type CopyOutcome =
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

export function placedCopy(outcome: CopyOutcome | undefined): PlacedCopy | undefined {
  return typeof outcome === "object" ? outcome : undefined;
}

/**
 * Deletes every source that is still what was copied, and says which are not any more. In the last round those
 * stay, and this call's copies of them go again. One batch after the other: each follows 2,000 requests that copied.
 */
export async function removeSources(call: Call, round: Round): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const batch of batchesOf(placedCopies(round.copies))) changed.push(...(await removeBatch(call, round, batch)));
  return changed;
}

function* placedCopies(copies: Copies): Generator<Doomed> {
  for (const [key, outcome] of copies) {
    const copy = placedCopy(outcome);
    if (copy) yield { key, version: copy.source.version, copy };
  }
}

function* batchesOf<T>(items: Iterable<T>): Generator<readonly T[]> {
  let batch: T[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < objectsPerBatch) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

async function removeBatch(call: Call, round: Round, batch: readonly Doomed[]): Promise<readonly string[]> {
  const { move, targetOf, copies, unsure, isLast } = round;
  const conflict = (): string => messages.renameUnfinished(move.sentSource, move.sentTarget);
  const sent = [move.sentSource, move.sentTarget];
  const look = async ({ key, copy }: Doomed): Promise<Sight> => {
    const now = await call.store.head(key, call.request);
    if (now.outcome === "missing") return "missing";
    if (carriesWrite(now.metadata, callForFile(call, targetOf(key)).stamp.writeId)) return "returned";
    if (isUntouched(now, copy.source)) return "untouched";
    return isSameFile(now, copy.source) ? "changed" : "replaced";
  };
  // Who takes over another worker's copy may come late: the source may be gone and, with equal bytes, back again.
  const takenOver = batch.filter(({ copy }) => !copy.made);
  const fates = new Map<Doomed, Fate>();
  await stillOpen(takenOver, look, fates, false);
  const sure = batch.filter((doomed) => !fates.has(doomed));
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

/** What is known while the copied sources of a directory go. */
interface Round {
  readonly move: Move;
  readonly targetOf: (key: string) => string;
  readonly copies: Copies;
  readonly unsure: UnsureCopy[];
  readonly isLast: boolean;
}

/** A copy whose source may have been removed by another rename. */
export type UnsureCopy = PlacedCopy & { readonly target: string };

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
