import { MemoryError } from "../../errors.ts";
import * as messages from "../messages.ts";
import { countLines, startOfLine } from "./lines.ts";

const byteOrderMark = "\u{feff}";

/**
 * The text with `addition` after line `line`, 0 being the top. One `\n` at the end of the addition is
 * dropped, since the inserted lines get one of their own; no other character of the file changes, so a
 * file without a final newline stays without one. Throws `invalid_input` for a line that isn't there.
 */
export function insertText(text: string, line: number, addition: string): string {
  const lines = countLines(text);
  if (!Number.isInteger(line) || line < 0 || line > lines) {
    throw new MemoryError("invalid_input", messages.badInsertLine(line, lines));
  }
  if (text === "") return addition;
  const inserted = addition.endsWith("\n") ? addition.slice(0, -1) : addition;
  if (line === lines && !text.endsWith("\n")) return `${text}\n${inserted}`;
  // A byte order mark is only one at the very start of the file.
  const at = line === 0 && text.startsWith(byteOrderMark) ? byteOrderMark.length : startOfLine(text, line + 1);
  return `${text.slice(0, at)}${inserted}\n${text.slice(at)}`;
}
