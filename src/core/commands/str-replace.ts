import { MemoryError } from "../../errors.ts";
import { readableBytes, type Call } from "../call.ts";
import type { CommandOf } from "../command-input.ts";
import type { MemoryPath } from "../memory-path.ts";
import * as messages from "../messages.ts";
import { utf8Length } from "../text/encoding.ts";
import { assertAdditionFits } from "../text/file-limits.ts";
import { replaceText, snippetOf } from "../text/replace-text.ts";
import { editFile } from "./edit-file.ts";

/** Replaces the one occurrence of a text. Its intent is the text, so it may be applied to bytes that changed meanwhile. */
export async function replaceString(call: Call, path: MemoryPath, input: CommandOf<"str_replace">): Promise<string> {
  const { path: sent, old_str: oldText, new_str: newText } = input;
  assertCanApply(call, sent, oldText, newText);
  return editFile(call, {
    path,
    sent,
    missing: messages.editedPathDoesNotExist(sent),
    apply(text) {
      const { text: after, snippet } = replaceText(sent, text, oldText, newText, call.limits);
      return { text: after, answer: messages.edited(snippet), shown: after };
    },
    repeated: (text) => ({ answer: messages.edited(snippetOf(text, newText, call.limits)), shown: text }),
  });
}

/** Refuses before any request what no file could take: its text alone shows it. */
function assertCanApply(call: Call, sent: string, oldText: string, newText: string): void {
  if (oldText.length > readableBytes(call.limits)) {
    throw new MemoryError("invalid_input", messages.oldTextTooLong(utf8Length(oldText)));
  }
  const isCertainlyGrowth = newText.length - 3 * oldText.length > call.limits.fileBytes; // at most 3 bytes a unit
  if (isCertainlyGrowth) assertAdditionFits(sent, newText, call.limits);
}
