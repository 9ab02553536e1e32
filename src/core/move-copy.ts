import { isMemoryError } from "../errors.ts";
import { getFile, type Call } from "./call.ts";
import type { CopyResult, Metadata, ObjectHead, WriteCondition } from "./object-store.ts";
import { lost } from "./replay.ts";
import {
  carriesWrite,
  hasWriteIds,
  isNewestWrite,
  isSameFile,
  movedFromOf,
  seenFile,
  stampWrite,
  writesOf,
  type SeenFile,
} from "./write-record.ts";

/** The copy that a rename has put at its destination. */
export interface PlacedCopy {
  readonly source: SeenFile;
  /** What the copy carries as `moved-from`, and its bytes: by these another rename's copy of the same file is known. */
  readonly marker: string;
  readonly size: number;
  /** The version of the copy itself. */
  readonly version: string;
  /** This call made the copy. Only then may it remove it again; else it finishes what another worker began. */
  readonly made: boolean;
  /** Somebody else has written on it since, so it may not be brought up to date any more. */
  readonly edited: boolean;
}

/**
 * Sends one conditional copy: a server's own or GET + PUT, the rename does not care. Where the metadata
 * are `undefined`, this source is not the one to be copied, and nothing is written.
 */
export type Copier = (
  condition: WriteCondition,
  metadata: (source: ObjectHead) => Metadata | undefined,
) => Promise<CopyResult>;

/** One file on its way from one key to another. */
export interface FileMove {
  readonly source: string;
  readonly target: string;
  readonly copier: Copier;
  /** Told what is sent to the destination, and `undefined` once it is answered. */
  readonly onSending: (sending: Sending | undefined) => void;
}

/** What was sent to the destination of a rename, and may have landed without an answer. */
export interface Sending {
  readonly source: SeenFile;
  /** The copy is another worker's, and this call's id was put on it. `edited`: others had written on it before. */
  readonly takeOver?: { readonly edited: boolean };
}

/** The call for one file of a directory: with a write id of its own, since an id must tell one file from another. */
export function callForFile(call: Call, target: string): Call {
  const writeId = call.runtime.hash(`${call.stamp.writeId}\n${target}`);
  return { ...call, stamp: { ...call.stamp, writeId } };
}

/**
 * The marker a copy carries as `moved-from`: the source's key, version and newest write (for an object of
 * another tool its time). It counts only while exactly that is at that source. The write alone would not do: a
 * redelivered edit may put the id that it had before on another file in the same place.
 */
export function moveMarker(
  call: Call,
  sourceKey: string,
  source: Pick<ObjectHead, "metadata" | "version" | "modified">,
): string {
  const write = hasWriteIds(source.metadata) ? writesOf(source)[0] : source.modified.toISOString();
  return markerOf(call, sourceKey, source.version, write);
}

function markerOf({ runtime }: Call, key: string, version: string, write: string): string {
  return runtime.hash(`${key}\n${version}\n${write}`);
}

/**
 * First step of a rename: the destination appears with the source's content, on condition that it was
 * absent. A copy that is there already and carries the marker of this very source is somebody's half-done
 * rename: it is taken over, not refused. `occupied`: the destination is another file.
 */
export async function placeCopy(
  call: Call,
  move: FileMove,
): Promise<PlacedCopy | "source_missing" | "source_too_large" | "occupied" | typeof lost> {
  const result = await sendCopy(call, move, { kind: "absent" }, () => true);
  switch (result.outcome) {
    case "written":
      return { ...copyFacts(call, move, result), made: true, edited: false };
    case "source_missing":
    case "source_too_large":
      return result.outcome;
    case "exists":
      return adoptCopy(call, move, result.source);
    case "declined":
    case "changed":
    case "missing":
    case "undecided":
      return lost;
  }
}

/**
 * The source was edited after it was copied: the copy follows, unless somebody edited that too (`edited`).
 * `replaced`: another file is at the source by now, which is not this rename's to move. `returned`: it is the copy itself
 * that somebody renames back, and perhaps is about to delete here.
 */
export async function refreshCopy(
  call: Call,
  move: FileMove,
  placed: PlacedCopy,
): Promise<
  PlacedCopy | "source_missing" | "source_too_large" | "edited" | "copy_missing" | "replaced" | "returned" | typeof lost
> {
  if (placed.edited) return "edited";
  const condition = { kind: "unchanged", version: placed.version } as const;
  const result = await sendCopy(
    call,
    move,
    condition,
    (source) =>
      isSameFile(source, placed.source) &&
      !carriesWrite(source.metadata, call.stamp.writeId) &&
      !cameFrom(call, source, move.target, placed),
  );
  switch (result.outcome) {
    case "written":
      return { ...placed, ...copyFacts(call, move, result) };
    case "source_missing":
    case "source_too_large":
      return result.outcome;
    case "declined":
      return isSameFile(result.source, placed.source) || carriesWrite(result.source.metadata, call.stamp.writeId)
        ? "returned"
        : "replaced";
    case "undecided":
      return lost;
    case "missing":
      return "copy_missing";
    case "exists":
    case "changed":
      return "edited";
  }
}

function copyFacts(
  call: Call,
  { source: key }: FileMove,
  { source, version }: { readonly source: ObjectHead; readonly version: string },
): Pick<PlacedCopy, "source" | "marker" | "size" | "version"> {
  return { source: seenFile(source), marker: moveMarker(call, key, source), size: source.size, version };
}

/**
 * What this call sent to the destination and got no answer for: its write id is there, perhaps under that of
 * somebody who has edited the copy since. With the copy as it was `before`, whether that was brought up to date.
 * `undefined` where nothing of the kind landed.
 */
export async function findOwnCopy(
  call: Call,
  target: string,
  { source, takeOver }: Sending,
  before?: PlacedCopy,
): Promise<PlacedCopy | undefined> {
  const found = await call.store.head(target, call.request);
  if (found.outcome === "missing" || !carriesWrite(found.metadata, call.stamp.writeId)) return undefined;
  const edited = !isNewestWrite(found.metadata, call.stamp.writeId);
  const { version, size } = found;
  const marker = movedFromOf(found.metadata) ?? "";
  if (!before) {
    return { source, marker, size, version, made: !takeOver, edited: edited || takeOver?.edited === true };
  }
  // Under somebody's edit it cannot be seen whether the copy was brought up to date before: it counts as if not.
  if (edited) return { ...before, version, edited };
  return version === before.version ? undefined : { ...before, source, marker, version, size };
}

/**
 * Whether the source has been at the destination since it was seen: somebody renames it back, and is about to delete
 * the very copy that would be brought up to date.
 */
function cameFrom(call: Call, source: ObjectHead, target: string, placed: PlacedCopy): boolean {
  const writes = writesOf(source);
  const since = writes.slice(1, writes.indexOf(placed.source.write));
  return since.some((id) => movedFromOf(source.metadata) === markerOf(call, target, placed.version, id));
}

/** Takes this call's own copy away again, unless somebody else has written on it (`kept`) or removed it (`missing`) since. */
export async function removeOwnCopy(call: Call, target: string): Promise<"removed" | "kept" | "missing" | typeof lost> {
  const found = await call.store.head(target, call.request);
  if (found.outcome === "missing") return "missing";
  if (!isNewestWrite(found.metadata, call.stamp.writeId)) return "kept";
  const condition = { kind: "unchanged", version: found.version } as const;
  const { outcome } = await call.store.delete(target, { condition, ...call.request });
  if (outcome === "deleted") return "removed";
  return outcome === "missing" ? "missing" : lost;
}

/** After a time-out the copy is read back once: its own id at the destination is as good as an answer. */
async function sendCopy(
  call: Call,
  { source: key, target, copier, onSending }: FileMove,
  condition: WriteCondition,
  isWanted: (source: ObjectHead) => boolean,
): Promise<CopyResult> {
  let read: ObjectHead | undefined;
  try {
    const result = await copier(condition, (source) => {
      if (!isWanted(source)) return undefined;
      read = source;
      onSending({ source: seenFile(source) });
      return stampWrite(source, call.stamp, moveMarker(call, key, source));
    });
    onSending(undefined);
    return result;
  } catch (error) {
    if (!isMemoryError(error) || error.details.effect !== "unsettled" || error.code === "aborted" || !read) throw error;
    const found = await findOwnCopy(call, target, { source: seenFile(read) }).catch(() => undefined);
    const isThis = found?.edited === false && (condition.kind === "absent" || found.version !== condition.version);
    if (!isThis) throw error;
    onSending(undefined);
    return { outcome: "written", version: found.version, source: read };
  }
}

/**
 * Whoever goes on with a copy that another worker made first puts its own write id on it, so that its
 * maker, should it still be alive, no longer takes the copy for its own and removes it.
 */
async function adoptCopy(
  call: Call,
  move: FileMove,
  source: ObjectHead,
): Promise<PlacedCopy | "occupied" | typeof lost> {
  const { source: key, target, onSending } = move;
  const found = await getFile(call, target);
  if (found.outcome === "missing") return lost;
  const marker = moveMarker(call, key, source);
  if (movedFromOf(found.metadata) !== marker || found.outcome === "too_large") return "occupied";
  // Below the id of the one who made the copy comes the newest of the source; anything between them is an edit.
  const edited = writesOf(found)[1] !== writesOf(source)[0];
  onSending({ source: seenFile(source), takeOver: { edited } });
  const result = await call.store.put(target, found.body, {
    condition: { kind: "unchanged", version: found.version },
    metadata: stampWrite(found, call.stamp),
    contentType: found.contentType,
    ...call.request,
  });
  onSending(undefined);
  if (result.outcome !== "written") return lost;
  return { source: seenFile(source), marker, size: found.size, version: result.version, made: false, edited };
}
