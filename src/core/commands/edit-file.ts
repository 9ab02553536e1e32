import { MemoryError } from "../../errors.ts";
import { getFile, type Call } from "../call.ts";
import { assertFileFits } from "../text/file-limits.ts";
import { isRoot, type MemoryPath } from "../memory-path.ts";
import * as messages from "../messages.ts";
import type { GetResult } from "../object-store.ts";
import { lost, replay } from "../replay.ts";
import { scopeBytes } from "../survey.ts";
import { decodeText, encodeText, textContentType, utf8Length } from "../text/encoding.ts";
import { carriesWrite, isSameFile, seenFile, stampWrite, type SeenFile } from "../write-record.ts";

/** An edit of one file as a pure function from its text to the new text and Claude's answer. */
export interface FileEdit {
  readonly path: MemoryPath;
  readonly sent: string;
  /** Claude's text where there is no such file. */
  readonly missing: string;
  /** Pure; throws a `MemoryError` where the edit does not apply to this text. */
  readonly apply: (text: string) => { readonly text: string; readonly answer: string };
  /** The answer to a repeated delivery: the edit is already in this text. */
  readonly repeated: (text: string) => string;
  /** Whether the edit may be applied to bytes that another writer changed during this call. */
  readonly rebase: boolean;
}

/**
 * GET, edit, PUT on condition that nothing changed in between: 2 requests, 2 round trips. A lost race
 * starts again on the fresh bytes. A write id that is already in the metadata means that this very
 * edit has landed before (a redelivered tool_use, or a lost answer): success without writing.
 */
export async function editFile(call: Call, edit: FileEdit): Promise<string> {
  const { store, keys, request } = call;
  if (isRoot(edit.path)) throw new MemoryError("not_found", edit.missing);
  const key = keys.keyOf(edit.path, edit.sent);
  const landed = (found: GetResult): string | undefined =>
    found.outcome === "found" && carriesWrite(found.metadata, call.stamp.writeId)
      ? edit.repeated(decodeText(found.body) ?? "")
      : undefined;
  let basis: SeenFile | undefined;

  return replay(call, {
    sent: edit.sent,
    async attempt(_, settle) {
      const [found, total] = await Promise.all([getFile(call, key), totalBytesWhereLimited(call)]);
      if (found.outcome === "missing") throw new MemoryError("not_found", edit.missing);
      const answered = landed(found);
      if (answered !== undefined) return answered;
      if (found.outcome === "too_large") {
        throw new MemoryError("too_large", messages.tooLargeTo("edit", edit.sent, found.size));
      }
      // Every writer carries the ids on: a file that goes on from the basis without this write never had it.
      if (basis !== undefined && isSameFile(found, basis)) settle();
      if (!edit.rebase && basis !== undefined && basis.version !== found.version) {
        throw new MemoryError("conflict", messages.changedMeanwhile(edit.sent));
      }
      basis = seenFile(found);
      const before = decodeText(found.body);
      if (before === undefined) throw new MemoryError("not_text", messages.notText(edit.sent));
      const after = edit.apply(before);
      assertStillFits(call, edit.sent, { before: found.size, after: after.text, total });
      const result = await store.put(key, encodeText(after.text), {
        condition: { kind: "unchanged", version: found.version },
        metadata: stampWrite(found, call.stamp),
        contentType: textContentType,
        ...request,
      });
      return result.outcome === "written" ? after.answer : lost;
    },
    async readBack() {
      return landed(await getFile(call, key));
    },
  });
}

async function totalBytesWhereLimited(call: Call): Promise<number | undefined> {
  return call.limits.totalBytes === Infinity ? undefined : scopeBytes(call);
}

/** Limits stop growth only: a file or scope that is over one may still be made smaller. */
function assertStillFits(
  call: Call,
  sent: string,
  sizes: { readonly before: number; readonly after: string; readonly total: number | undefined },
): void {
  const growth = utf8Length(sizes.after) - sizes.before;
  if (growth <= 0) return;
  assertFileFits(sent, sizes.after, call.limits);
  if (sizes.total !== undefined && sizes.total + growth > call.limits.totalBytes) {
    throw new MemoryError("limit_reached", messages.totalBytesReached(sizes.total, call.limits.totalBytes));
  }
}
