import { readableBytes, type Call } from "./call.ts";
import type { CopyResult, Metadata, ObjectHead, WriteCondition } from "./object-store.ts";
import { lost } from "./replay.ts";
import { isNewestWrite, movedFromOf, stampWrite, writeIdsOf } from "./write-record.ts";

/** The copy that a rename has put at its destination. */
export interface PlacedCopy {
  /** The version of the source whose content the copy has. */
  readonly sourceVersion: string;
  /** The version of the copy itself. */
  readonly version: string;
  /** This call made the copy. Only then may it remove it again; else it finishes what another worker began. */
  readonly made: boolean;
}

/** Sends one conditional copy: a server's own or GET + PUT, the rename does not care. */
export type Copier = (condition: WriteCondition, metadata: (source: ObjectHead) => Metadata) => Promise<CopyResult>;

/**
 * The marker a copy carries as `moved-from`: the source's key and its newest write (for an object of
 * another tool its version and time). It counts only while exactly that write is at that source.
 */
export function moveMarker(
  call: Call,
  sourceKey: string,
  source: Pick<ObjectHead, "metadata" | "version" | "modified">,
): string {
  const write = writeIdsOf(source.metadata)[0] ?? `${source.version} ${source.modified.toISOString()}`;
  return call.runtime.hash(`${sourceKey}\n${write}`);
}

/**
 * First step of a rename: the destination appears with the source's content, on condition that it was
 * absent. A copy that is there already and carries the marker of this very source is somebody's half-done
 * rename (or this call's own, with its answer lost): it is taken over, not refused. `occupied`: the
 * destination is another file.
 */
export async function placeCopy(
  call: Call,
  sourceKey: string,
  targetKey: string,
  copier: Copier,
): Promise<PlacedCopy | "source_missing" | "source_too_large" | "occupied" | typeof lost> {
  const result = await copier({ kind: "absent" }, movedMetadata(call, sourceKey));
  switch (result.outcome) {
    case "written":
      return { sourceVersion: result.source.version, version: result.version, made: true };
    case "source_missing":
    case "source_too_large":
      return result.outcome;
    case "exists":
      return adoptCopy(call, sourceKey, result.source, targetKey);
    case "changed":
    case "missing":
    case "undecided":
      return lost;
  }
}

/** The source changed after it was copied: the copy follows, unless somebody edited it meanwhile. */
export async function refreshCopy(
  call: Call,
  sourceKey: string,
  placed: PlacedCopy,
  copier: Copier,
): Promise<PlacedCopy | "source_missing" | "source_too_large" | "edited" | typeof lost> {
  const result = await copier({ kind: "unchanged", version: placed.version }, movedMetadata(call, sourceKey));
  switch (result.outcome) {
    case "written":
      return { sourceVersion: result.source.version, version: result.version, made: placed.made };
    case "source_missing":
    case "source_too_large":
      return result.outcome;
    case "undecided":
      return lost;
    case "exists":
    case "changed":
    case "missing":
      return "edited";
  }
}

/**
 * Whoever goes on with a copy that another worker made first puts its own write id on it, so that its
 * maker, should it still be alive, no longer takes the copy for its own and removes it.
 */
async function adoptCopy(
  call: Call,
  sourceKey: string,
  source: ObjectHead,
  targetKey: string,
): Promise<PlacedCopy | "occupied" | typeof lost> {
  const found = await call.store.get(targetKey, { maximumBytes: readableBytes(call.limits), ...call.request });
  if (found.outcome === "missing") return lost;
  if (movedFromOf(found.metadata) !== moveMarker(call, sourceKey, source)) return "occupied";
  if (isNewestWrite(found.metadata, call.stamp.writeId)) {
    return { sourceVersion: source.version, version: found.version, made: true };
  }
  if (found.outcome === "too_large") return "occupied";
  const result = await call.store.put(targetKey, found.body, {
    condition: { kind: "unchanged", version: found.version },
    metadata: stampWrite(found.metadata, call.stamp),
    contentType: found.contentType,
    ...call.request,
  });
  return result.outcome === "written" ? { sourceVersion: source.version, version: result.version, made: false } : lost;
}

/** Takes this call's own copy away again, unless somebody else has written on it since. */
export async function removeOwnCopy(call: Call, targetKey: string): Promise<"removed" | "kept" | typeof lost> {
  const found = await call.store.head(targetKey, call.request);
  if (found.outcome === "missing" || !isNewestWrite(found.metadata, call.stamp.writeId)) return "kept";
  const condition = { kind: "unchanged", version: found.version } as const;
  const result = await call.store.delete(targetKey, { condition, ...call.request });
  return result.outcome === "undecided" || result.outcome === "changed" ? lost : "removed";
}

function movedMetadata(call: Call, sourceKey: string): (source: ObjectHead) => Metadata {
  return (source) => stampWrite(source.metadata, call.stamp, moveMarker(call, sourceKey, source));
}
