import { MemoryError } from "../../errors.ts";
import { getFile, type Call } from "../call.ts";
import { isRoot, type MemoryPath } from "../memory-path.ts";
import * as messages from "../messages.ts";
import type { GetResult, PutResult, WriteCondition } from "../object-store.ts";
import { lost, replay } from "../replay.ts";
import { assertNoFileAbove, survey, type Survey } from "../survey.ts";
import { encodeText, textContentType } from "../text/encoding.ts";
import { assertFileFits } from "../text/file-limits.ts";
import { carriesWrite, isNewestWrite, stampReplacement, type WriteStamp, type Written } from "../write-record.ts";

/** A file to be, and what may be replaced by it. */
export interface NewFile {
  readonly path: MemoryPath;
  readonly sent: string;
  readonly text: string;
  /** `overwrite`: the version that is known, else the one found in this call; a version: exactly that one. */
  readonly onExisting: "error" | "overwrite" | { readonly version: string };
  /** The file as this conversation was shown it. Without a version nothing of what is there may be overwritten. */
  readonly shown?: { readonly version: string | undefined } | undefined;
}

/** A file that was created, and its bytes. */
export interface CreatedFile {
  readonly version: string;
  readonly body: Uint8Array;
}

/**
 * Look around, then PUT on condition that the key is absent. An existing file is refused, or, with
 * `onExisting: "overwrite"`, replaced on condition that it is still the version that this conversation was shown, or else
 * that this call found: a lost race is then refused, never replayed, because it would overwrite what nobody saw. Where
 * this process knows that version, its PUT is the first request: what it replaces is there already, so nothing around it matters.
 */
export async function createFile(call: Call, file: NewFile): Promise<CreatedFile> {
  const { store, keys, request } = call;
  const { path, sent, text } = file;
  if (isRoot(path)) throw new MemoryError("is_a_directory", messages.isADirectory(sent));
  const key = keys.keyOf(path, sent);
  assertFileFits(sent, text, call.limits);
  const body = encodeText(text);
  const get = (): Promise<GetResult> => getFile(call, key);
  const put = (condition: WriteCondition, previous: Written | undefined): Promise<PutResult> =>
    store.put(key, body, {
      condition,
      metadata: stampReplacement(previous, call.stamp),
      contentType: textContentType,
      ...request,
    });
  const landed = (found: GetResult): string | undefined => {
    if (found.outcome === "missing" || !carriesWrite(found.metadata, call.stamp.writeId)) return undefined;
    return isNewestWrite(found.metadata, call.stamp.writeId) ? found.version : superseded(call.stamp);
  };
  // What may be replaced: the version that is demanded or was shown, else the one that this call finds.
  const demanded = file.onExisting === "overwrite" ? file.shown : existingVersion(file);
  let replaced: string | undefined;
  let sawNothing = false; // a look of this call showed that there was no file

  const isRoomKnown = (previousBytes: number): boolean =>
    body.length <= previousBytes || call.limits.totalBytes === Infinity;

  /** Only a write is ever made of what this process knows: whatever would be refused has to be found out on fresh bytes. */
  const ontoKnown = async (): Promise<string | typeof lost> => {
    const known = demanded && call.known.get(key);
    const isMeant = known?.version === demanded?.version;
    if (!known || !isMeant || carriesWrite(known.metadata, call.stamp.writeId)) return lost;
    if (!isRoomKnown(known.body.length)) return lost;
    replaced = known.version;
    const result = await put({ kind: "unchanged", version: known.version }, known);
    if (result.outcome === "written") return result.version;
    replaced = undefined; // nothing was: it was another version already
    return lost;
  };

  const ontoExisting = async (around: Survey | undefined, found: FoundObject): Promise<string | typeof lost> => {
    const answered = landed(found);
    if (answered !== undefined) return answered;
    if (file.onExisting === "error") throw new MemoryError("already_exists", messages.alreadyExists(sent));
    if (sawNothing && replaced === undefined) throw changed(file);
    const expected = replaced === undefined ? demanded : { version: replaced };
    if (expected && expected.version !== found.version) throw changed(file);
    replaced = found.version;
    if (around) assertScopeHasRoom(call, around, { files: 0, bytes: body.length - found.size });
    const result = await put({ kind: "unchanged", version: found.version }, found);
    return result.outcome === "written" ? result.version : lost;
  };

  const version = await replay(call, {
    sent,
    async attempt(attempt, settle) {
      const atOnce = attempt === 1 ? await ontoKnown() : lost;
      if (atOnce !== lost) return atOnce;

      const isExpected = demanded !== undefined || replaced !== undefined;
      const mayReplace = isExpected || file.onExisting === "overwrite";
      const [early, read] = await Promise.all([
        isExpected && isRoomKnown(0) ? undefined : survey(call, path),
        mayReplace || attempt > 1 ? get() : undefined,
      ]);
      if (read !== undefined && read.outcome !== "missing") {
        if (read.version === replaced) settle();
        return ontoExisting(early, read);
      }
      const around = early ?? (await survey(call, path));
      const found = read ?? (await existing(call, around, get));
      if (found === "refuse") throw new MemoryError("already_exists", messages.alreadyExists(sent));
      if (found.outcome !== "missing") return ontoExisting(around, found);
      if (typeof file.onExisting === "object") throw new MemoryError("not_found", messages.pathDoesNotExist(sent));
      if (replaced !== undefined) throw changed(file);
      assertNoFileAbove(around);
      if (around.isDirectory) throw new MemoryError("is_a_directory", messages.isADirectory(sent));
      assertScopeHasRoom(call, around, { files: 1, bytes: body.length });
      sawNothing ||= around.existing === "none" || read?.outcome === "missing";
      const result = await put({ kind: "absent" }, undefined);
      if (result.outcome === "written") return result.version;
      if (result.outcome !== "exists") return lost;
      // A first attempt has nothing of its own to find. A later one may: what was cut off can arrive late.
      if (file.onExisting === "error" && !call.redeliverable && attempt === 1) {
        throw new MemoryError("already_exists", messages.alreadyExists(sent));
      }
      const winner = await get();
      if (winner.outcome === "missing") {
        sawNothing = true;
        return lost;
      }
      return ontoExisting(around, winner);
    },
    async readBack(settle) {
      const found = await get();
      if (found.outcome === "missing" || found.version === replaced) settle();
      return landed(found);
    },
  });
  return { version, body };
}

function existingVersion({ onExisting }: NewFile): { readonly version: string } | undefined {
  return typeof onExisting === "object" ? onExisting : undefined;
}

/** Stands for a version of ours that somebody has written on since: it is no longer the present one, as no ETag would say. */
function superseded({ writeId }: WriteStamp): string {
  return `"superseded-${writeId}"`;
}

/** The race for the file is lost. It is not run again: that would overwrite what nobody saw. */
function changed({ sent, onExisting }: NewFile): MemoryError {
  const text = typeof onExisting === "object" ? messages.changedMeanwhile(sent) : messages.changedSinceViewed(sent);
  return new MemoryError("conflict", text);
}

type FoundObject = Exclude<GetResult, { outcome: "missing" }>;

/**
 * What is at the path itself, as far as it must be known before the first write. The exact path comes before its
 * neighbours: it keeps working where a file stands beside a directory of the same name.
 */
async function existing(call: Call, around: Survey, get: () => Promise<GetResult>): Promise<GetResult | "refuse"> {
  if (around.existing === "file") return call.redeliverable ? get() : "refuse";
  const wouldBeRefused = around.ancestorFile !== undefined || around.isDirectory || around.files >= call.limits.files;
  // Where only the write's own condition will tell, it need not be read first, unless something else would refuse it.
  return around.existing === "unknown" && wouldBeRefused ? get() : { outcome: "missing" };
}

function assertScopeHasRoom(
  call: Call,
  around: Survey,
  growth: { readonly files: number; readonly bytes: number },
): void {
  const { limits } = call;
  if (growth.files > 0 && around.files + growth.files > limits.files) {
    throw new MemoryError("limit_reached", messages.filesReached(around.files, limits.files, around.isWhole));
  }
  if (growth.bytes > 0 && around.bytes + growth.bytes > limits.totalBytes) {
    throw new MemoryError("limit_reached", messages.totalBytesReached(around.bytes, limits.totalBytes));
  }
}
