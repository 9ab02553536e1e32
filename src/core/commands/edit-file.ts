import { isMemoryError, MemoryError } from "../../errors.ts";
import { getFile, type Call } from "../call.ts";
import type { KnownFile } from "../known-files.ts";
import { assertFileFits } from "../text/file-limits.ts";
import { isRoot, type MemoryPath } from "../memory-path.ts";
import * as messages from "../messages.ts";
import type { GetResult } from "../object-store.ts";
import { lost, replay } from "../replay.ts";
import { scopeBytes } from "../survey.ts";
import { decodeText, encodeText, textContentType } from "../text/encoding.ts";
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

/** A text with its bytes, so that they are made and kept once. */
interface Content {
  readonly text: string;
  readonly body: Uint8Array;
}

/** A write that is ready to be sent. */
interface Draft {
  readonly on: KnownFile;
  readonly after: Content;
  readonly shown: Content;
  readonly answer: string;
  /** The edit was made for exactly these bytes: nothing is in them that Claude has not seen. */
  readonly isWhole: boolean;
}

/**
 * Where this process knows the file, a PUT on condition that it is still that version: 1 request. Else, and where it has
 * changed, GET, edit, PUT on condition that nothing changed in between: 2 requests, 2 round trips. A lost race starts
 * again on the fresh bytes. A write id that is already in the metadata means that this very edit has landed before (a
 * redelivered tool_use, or a lost answer): success without writing.
 */
export async function editFile(call: Call, edit: FileEdit): Promise<string> {
  const { store, keys, request, shown } = call;
  if (isRoot(edit.path)) throw new MemoryError("not_found", edit.missing);
  const key = keys.keyOf(edit.path, edit.sent);
  const before = shown.get(edit.path);
  // What the edit was computed on: what Claude was shown, else what this call finds first.
  let basis = before?.text === undefined ? undefined : { version: before.version, text: before.text };
  let isOpen = false; // a write was sent whose answer never came
  let tried: { readonly on: SeenFile; readonly draft: Draft } | undefined;

  const landed = (found: GetResult): string | undefined => {
    if (found.outcome !== "found" || !carriesWrite(found.metadata, call.stamp.writeId)) return undefined;
    const text = decodeText(found.body) ?? "";
    // Another delivery may have landed on another version: what was tried here says nothing of that one.
    const isDraft = tried?.draft.after.text === text;
    const repeated = edit.repeated(text, isDraft || basis !== undefined ? tried?.draft.shown.text : undefined);
    const isWhole = isDraft && tried?.draft.isWhole === true && isNewestWrite(found.metadata, call.stamp.writeId);
    const { body } = contentOf(repeated.shown, { text, body: found.body });
    shown.set(edit.path, { version: isWhole ? found.version : undefined, body }, call.turn);
    return repeated.answer;
  };

  const send = async (draft: Draft): Promise<string | typeof lost> => {
    tried = { on: seenFile(draft.on), draft };
    isOpen = true;
    const result = await store.put(key, draft.after.body, {
      condition: { kind: "unchanged", version: draft.on.version },
      metadata: stampWrite(draft.on, call.stamp),
      contentType: textContentType,
      ...request,
    });
    isOpen = false;
    if (result.outcome !== "written") return lost;
    shown.set(edit.path, { version: draft.isWhole ? result.version : undefined, body: draft.shown.body }, call.turn);
    return draft.answer;
  };

  return replay(call, {
    key,
    sent: edit.sent,
    async attempt(attempt, settle) {
      const direct = attempt === 1 ? await draftOnKnown(call, edit, key, basis) : undefined;
      const answeredAtOnce = direct ? await send(direct) : lost;
      if (answeredAtOnce !== lost) return answeredAtOnce;

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
      const text = decodeText(found.body);
      if (text === undefined) throw new MemoryError("not_text", messages.notText(edit.sent));
      basis ??= { version: found.version, text };
      const draft = draftOf(edit, found, text, basis);
      assertStillFits(call, edit.sent, draft, total);
      return send(draft);
    },
    async readBack(settle) {
      const found = await getFile(call, key);
      if (found.outcome !== "missing" && tried && isSameFile(found, tried.on)) settle();
      return landed(found);
    },
  });
}

/** The text that an edit was computed on, and its version. */
interface Basis {
  readonly version: string | undefined;
  readonly text: string;
}

/** Throws a `MemoryError` where the edit does not apply to this text. */
function draftOf(edit: FileEdit, on: KnownFile, text: string, basis: Basis): Draft {
  const { text: edited, answer, shown } = edit.apply(text, basis.text);
  const after = { text: edited, body: encodeText(edited) };
  return { on, after, shown: contentOf(shown, after), answer, isWhole: basis.version === on.version };
}

function contentOf(text: string, known: Content): Content {
  return text === known.text ? known : { text, body: encodeText(text) };
}

/**
 * The write on top of the file as this process knows it, to be sent unread. Only a write is ever made of that: whatever
 * else follows from it (a refusal, an edit that is there already) has to be found out on fresh bytes, so it is `undefined`.
 */
async function draftOnKnown(
  call: Call,
  edit: FileEdit,
  key: string,
  basis: Basis | undefined,
): Promise<Draft | undefined> {
  const file = call.known.get(key);
  if (file === undefined || carriesWrite(file.metadata, call.stamp.writeId)) return undefined;
  const text = decodeText(file.body);
  if (text === undefined) return undefined;
  try {
    const draft = draftOf(edit, file, text, basis ?? { version: file.version, text });
    assertStillFits(call, edit.sent, draft, growthOf(draft) > 0 ? await totalBytesWhereLimited(call) : undefined);
    return draft;
  } catch (error) {
    if (isMemoryError(error)) return undefined;
    throw error;
  }
}

async function totalBytesWhereLimited(call: Call): Promise<number | undefined> {
  return call.limits.totalBytes === Infinity ? undefined : scopeBytes(call);
}

function growthOf({ on, after }: Draft): number {
  return after.body.byteLength - on.body.byteLength;
}

/** Limits stop growth only: a file or scope that is over one may still be made smaller. */
function assertStillFits(call: Call, sent: string, draft: Draft, total: number | undefined): void {
  const growth = growthOf(draft);
  if (growth <= 0) return;
  assertFileFits(sent, draft.after.text, call.limits);
  if (total !== undefined && total + growth > call.limits.totalBytes) {
    throw new MemoryError("limit_reached", messages.totalBytesReached(total, call.limits.totalBytes));
  }
}
