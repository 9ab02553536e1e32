import type { Metadata } from "./object-store.ts";

/**
 * What a file's metadata says about how it came to be. S3 keeps it beside the bytes, so every
 * worker that reads a file also reads whose writes are in it.
 *
 * - `write-ids`: the ids of the last 16 writes, newest first, carried on by every writer. A worker
 *   whose answer got lost finds its own id here and knows that its write landed.
 * - `moved-from`: set by a rename, see `move-copy.ts`. It stays for good.
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

/** What is read of an object to know its history. */
export interface Written {
  readonly version: string;
  readonly metadata: Metadata;
}

/** 128 bits of base64url. Anything else was written by another tool, and is not carried on. */
const isId = (text: string): boolean => /^[\w-]{1,22}$/.test(text);

function writeIdsOf(metadata: Metadata): readonly string[] {
  return (metadata[names.writeIds]?.split(",") ?? []).filter(isId).slice(0, keptWriteIds);
}

/**
 * The ids of the last writes of an object, newest first. An object of another tool has none; what stands
 * for one is made from its ETag, so that an edit on top of it can be told from a new file.
 */
export function writesOf({ version, metadata }: Written): readonly [string, ...string[]] {
  const [newest, ...older] = writeIdsOf(metadata);
  return newest === undefined ? [`x-${version.replaceAll(/\W/g, "").slice(0, 20)}`] : [newest, ...older];
}

/** `false` for an object of another tool. */
export function hasWriteIds(metadata: Metadata): boolean {
  return writeIdsOf(metadata).length > 0;
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
  const marker = metadata[names.movedFrom];
  return marker !== undefined && isId(marker) ? marker : undefined;
}

/** Which file was seen: a key alone does not say, since a new file may have taken the place of the old one. */
export interface SeenFile {
  readonly version: string;
  readonly write: string;
  /** The writes below it. A write alone does not say either: a redelivered tool_use can put its id on a new file too. */
  readonly before: readonly string[];
}

export function seenFile(written: Written): SeenFile {
  const [write, ...before] = writesOf(written);
  return { version: written.version, write, before };
}

/** Whether what is there now is still that file, perhaps edited since: every writer carries the ids of the ones before on. */
export function isSameFile(now: Written, seen: SeenFile): boolean {
  const writes = writesOf(now);
  const since = writes.indexOf(seen.write);
  if (since === -1) return false;
  let at = since;
  for (const id of seen.before) {
    at = writes.indexOf(id, at + 1); // others may have come in between: a copy that is brought up to date keeps its own id
    if (at === -1) return writes.length === keptWriteIds; // pushed out
  }
  return true;
}

/** Whether it is that file and nobody has written on it since. Equal bytes have equal ETags, so the version alone does not say. */
export function isUntouched(now: Written, seen: SeenFile): boolean {
  return now.version === seen.version && writesOf(now)[0] === seen.write && isSameFile(now, seen);
}

/** The metadata of a write on top of an object: its history goes on, other tools' metadata stays where it fits. */
export function stampWrite(previous: Written | undefined, stamp: WriteStamp, marker?: string): Metadata {
  const before = previous?.metadata ?? {};
  const movedFrom = marker ?? movedFromOf(before);
  const ids = [stamp.writeId, ...(previous ? writesOf(previous) : []).filter((id) => id !== stamp.writeId)];
  return {
    ...foreignMetadata(before),
    [names.writeIds]: ids.slice(0, keptWriteIds).join(","),
    [names.command]: stamp.command,
    ...(stamp.actor === undefined ? {} : { [names.actor]: stamp.actor }),
    ...(movedFrom === undefined ? {} : { [names.movedFrom]: movedFrom }),
  };
}

/** The same where the whole content is replaced: what a rename brought is gone, and so is its marker. */
export function stampReplacement(previous: Written | undefined, stamp: WriteStamp): Metadata {
  const { [names.movedFrom]: _, ...metadata } = stampWrite(previous, stamp);
  return metadata;
}

function foreignMetadata(metadata: Metadata): Metadata {
  const ours: readonly string[] = Object.values(names);
  const foreign = Object.entries(metadata).filter(
    ([name, value]) => !ours.includes(name) && /^[\x20-\x7e]*$/.test(value),
  );
  const bytes = foreign.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  return bytes > foreignMetadataBytes ? {} : Object.fromEntries(foreign);
}
