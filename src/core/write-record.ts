import type { Metadata } from "./object-store.ts";

/**
 * What a file's metadata says about how it came to be. S3 keeps it beside the bytes, so every
 * worker that reads a file also reads whose writes are in it.
 *
 * - `write-ids`: the ids of the last 16 writes, newest first, carried on by every writer. A worker
 *   whose answer got lost finds its own id here and knows that its write landed.
 * - `moved-from`: set by a rename, see `rename-marker.ts`. It stays for good.
 * - `command`, `actor`: what wrote last, and on whose behalf (percent-encoded; S3 metadata is ASCII).
 */
const names = { writeIds: "write-ids", movedFrom: "moved-from", command: "command", actor: "actor" } as const;

const keptWriteIds = 16;
/** S3 allows 2,048 bytes of user metadata; the names and values of ours stay well below half of it. */
const foreignMetadataBytes = 1_024;

/** Who writes, by which command, under which id. */
export interface WriteStamp {
  readonly writeId: string;
  readonly command: string;
  readonly actor: string | undefined;
}

/** The ids of the last writes of an object, newest first; empty for an object of another tool. */
export function writeIdsOf(metadata: Metadata): readonly string[] {
  const value = metadata[names.writeIds];
  return value ? value.split(",") : [];
}

/** Whether this write is among the last 16 of an object. */
export function carriesWrite(metadata: Metadata, writeId: string): boolean {
  return writeIdsOf(metadata).includes(writeId);
}

/** Whether this write is the last one of an object. */
export function isNewestWrite(metadata: Metadata, writeId: string): boolean {
  return writeIdsOf(metadata)[0] === writeId;
}

export function movedFromOf(metadata: Metadata): string | undefined {
  return metadata[names.movedFrom];
}

/** The metadata of a write on top of an object: its history goes on, other tools' metadata stays where it fits. */
export function stampWrite(previous: Metadata, stamp: WriteStamp, movedFrom = movedFromOf(previous)): Metadata {
  const ids = [stamp.writeId, ...writeIdsOf(previous).filter((id) => id !== stamp.writeId)];
  return {
    ...foreignMetadata(previous),
    [names.writeIds]: ids.slice(0, keptWriteIds).join(","),
    [names.command]: stamp.command,
    ...(stamp.actor === undefined ? {} : { [names.actor]: stamp.actor }),
    ...(movedFrom === undefined ? {} : { [names.movedFrom]: movedFrom }),
  };
}

function foreignMetadata(metadata: Metadata): Metadata {
  const ours: readonly string[] = Object.values(names);
  const foreign = Object.entries(metadata).filter(
    ([name, value]) => !ours.includes(name) && /^[\x20-\x7e]*$/.test(value),
  );
  const bytes = foreign.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return bytes > foreignMetadataBytes ? {} : Object.fromEntries(foreign);
}
