import type { Call } from "../call.ts";
import type { CommandOf } from "../command-input.ts";
import type { MemoryPath } from "../memory-path.ts";
import * as messages from "../messages.ts";
import { assertAdditionFits } from "../text/file-limits.ts";
import { insertText } from "../text/insert-text.ts";
import { editFile } from "./edit-file.ts";

/** Inserts after a line. A line number means a line of certain bytes, so it is refused on others. */
export async function insert(call: Call, path: MemoryPath, input: CommandOf<"insert">): Promise<string> {
  const { path: sent, insert_line: line, insert_text: inserted } = input;
  const answer = messages.inserted(sent);
  assertAdditionFits(sent, inserted, call.limits);
  return editFile(call, {
    path,
    sent,
    missing: messages.pathDoesNotExist(sent),
    rebase: false,
    apply: (text) => ({ text: insertText(text, line, inserted), answer }),
    repeated: () => answer,
  });
}
