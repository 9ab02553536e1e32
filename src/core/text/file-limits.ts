import { MemoryError } from "../../errors.ts";
import type { Limits } from "../limits.ts";
import * as messages from "../messages.ts";
import { utf8Length } from "./encoding.ts";
import { countLines } from "./lines.ts";

/** Throws `too_large` if a file with this text would be over a limit. */
export function assertFileFits(sent: string, text: string, limits: Pick<Limits, "fileBytes" | "fileLines">): void {
  const bytes = utf8Length(text);
  if (bytes > limits.fileBytes) {
    throw new MemoryError("too_large", messages.fileTooLarge(sent, bytes, limits.fileBytes));
  }
  const lines = countLines(text);
  if (lines > limits.fileLines) {
    throw new MemoryError("too_large", messages.fileTooLong(sent, lines, limits.fileLines));
  }
}
