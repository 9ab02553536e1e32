import type { Call } from "../call.ts";
import type { CommandOf } from "../command-input.ts";
import type { MemoryPath } from "../memory-path.ts";
import * as messages from "../messages.ts";
import { replaceText, snippetOf } from "../text/replace-text.ts";
import { editFile } from "./edit-file.ts";

/** Replaces the one occurrence of a text. Its intent is the text, so it may be applied to bytes that changed meanwhile. */
export async function replaceString(call: Call, path: MemoryPath, input: CommandOf<"str_replace">): Promise<string> {
  const { path: sent, old_str: oldText, new_str: newText } = input;
  return editFile(call, {
    path,
    sent,
    missing: messages.editedPathDoesNotExist(sent),
    rebase: true,
    apply(text) {
      const { text: after, snippet } = replaceText(sent, text, oldText, newText, call.limits);
      return { text: after, answer: messages.edited(snippet) };
    },
    repeated: (text) => messages.edited(snippetOf(text, newText, call.limits)),
  });
}
