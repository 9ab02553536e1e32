import { MemoryError } from "../../errors.ts";
import type { Call } from "../call.ts";
import type { CommandOf } from "../command-input.ts";
import type { MemoryPath } from "../memory-path.ts";
import * as messages from "../messages.ts";
import { assertAdditionFits } from "../text/file-limits.ts";
import { insertText } from "../text/insert-text.ts";
import { rebaseLine } from "../text/rebase-line.ts";
import { editFile } from "./edit-file.ts";

/** Inserts after a line of the bytes that Claude knows; on others the line is found again, or the insert is refused. */
export async function insert(call: Call, path: MemoryPath, input: CommandOf<"insert">): Promise<string> {
  const { path: sent, insert_line: line, insert_text: inserted } = input;
  const answer = messages.inserted(sent);
  assertAdditionFits(sent, inserted, call.limits);
  return editFile(call, {
    path,
    sent,
    missing: messages.pathDoesNotExist(sent),
    apply(text, basis) {
      const present = rebaseLine(line, basis, text);
      if (present === undefined) throw new MemoryError("conflict", messages.changedSinceViewed(sent));
      const after = insertText(text, present, inserted);
      // The answer shows no line: Claude counts on from those that it knew.
      return { text: after, answer, shown: basis === text ? after : insertText(basis, line, inserted) };
    },
    repeated: (text, shown) => ({ answer, shown: shown ?? text }),
  });
}
