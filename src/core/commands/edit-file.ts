import { MemoryError } from "../../errors.ts";
import { getFile, type Call } from "../call.ts";
import { assertFileFits } from "../text/file-limits.ts";
import { isRoot, type MemoryPath } from "../memory-path.ts";
import * as messages from "../messages.ts";
import type { GetResult } from "../object-store.ts";
import { lost, replay } from "../replay.ts";
import { scopeBytes } from "../survey.ts";
import { decodeText, encodeText, textContentType, utf8Length } from "../text/encoding.ts";
import { carriesWrite, isNewestWrite, isSameFile, seenFile, stampWrite, type SeenFile } from "../write-record.ts";

/** An edit of one file as a pure function from its text to the new text and Claude's answer. */
export interface FileEdit {
  readonly path: MemoryPath;
  readonly sent: string;
  /** Claude's text where there is no such file. */
  readonly missing: string;
  /** Pure; `basis` is the text that Claude made the edit for. Throws a `MemoryError` where it does not apply to this one. */
  readonly apply: (text: string, basis: string) => EditedFile & { readonly text: string };
  /** The edit is in this text already: a repeated delivery, or a lost answer to what would have `shown` that. */
  readonly repeated: (text: string, shown: string | undefined) => EditedFile;
}

interface EditedFile {
  readonly answer: string;
  /** The text whose line numbers Claude goes by after this answer. */
  readonly shown: string;
}

/**
 * GET, edit, PUT on condition that nothing changed in between: 2 requests, 2 round trips. A lost race
 * starts again on the fresh bytes. A write id that is already in the metadata means that this very
 * edit has landed before (a redelivered tool_use, or a lost answer): success without writing.
 */
export async function editFile(call: Call, edit: FileEdit): Promise<string> {
  const { store, keys, request, shown } = call;
  if (isRoot(edit.path)) throw new MemoryError("not_found", edit.missing);
  const key = keys.keyOf(edit.path, edit.sent);
  const known = shown.get(edit.path);
  // What the edit was computed on: what Claude was shown, else what this call finds first.
  let basis = known?.text === undefined ? undefined : { version: known.version, text: known.text };
  let isOpen = false; // a write was sent whose answer never came
  let tried: { readonly on: SeenFile; readonly shown: string; readonly isWhole: boolean } | undefined;

  const landed = (found: GetResult): string | undefined => {
    if (found.outcome !== "found" || !carriesWrite(found.metadata, call.stamp.writeId)) return undefined;
    const repeated = edit.repeated(decodeText(found.body) ?? "", tried?.shown);
    const isWhole = tried?.isWhole === true && isNewestWrite(found.metadata, call.stamp.writeId);
    shown.set(edit.path, { version: isWhole ? found.version : undefined, text: repeated.shown }, call.turn);
    return repeated.answer;
  };

  return replay(call, {
    sent: edit.sent,
    async attempt(_, settle) {
      const [found, total] = await Promise.all([getFile(call, key), totalBytesWhereLimited(call)]);
      if (found.outcome === "missing") {
        shown.forget(edit.path);
        throw new MemoryError("not_found", edit.missing);
      }
      const answered = landed(found);
      if (answered !== undefined) return answered;
      if (found.outcome === "too_large") {
        throw new MemoryError("too_large", messages.tooLargeTo("edit", edit.sent, found.size));
      }
      // Every writer carries the ids on: a file that goes on from what was tried without this write never had it.
      if (tried && isSameFile(found, tried.on)) {
        settle();
      } else if (isOpen) {
        // Another file. The one that was edited may have been moved away with the edit, which must not be made twice.
        throw new MemoryError("conflict", messages.changedMeanwhile(edit.sent));
      }
      const before = decodeText(found.body);
      if (before === undefined) throw new MemoryError("not_text", messages.notText(edit.sent));
      basis ??= { version: found.version, text: before };
      const after = edit.apply(before, basis.text);
      assertStillFits(call, edit.sent, { before: found.size, after: after.text, total });
      tried = { on: seenFile(found), shown: after.shown, isWhole: basis.version === found.version };
      isOpen = true;
      const result = await store.put(key, encodeText(after.text), {
        condition: { kind: "unchanged", version: found.version },
        metadata: stampWrite(found, call.stamp),
        contentType: textContentType,
        ...request,
      });
      isOpen = false;
      if (result.outcome !== "written") return lost;
      shown.set(edit.path, { version: tried.isWhole ? result.version : undefined, text: after.shown }, call.turn);
      return after.answer;
    },
    async readBack(settle) {
      const found = await getFile(call, key);
      if (found.outcome !== "missing" && tried && isSameFile(found, tried.on)) settle();
      return landed(found);
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
