import { MemoryError } from "../../errors.ts";
import type { Limits } from "../limits.ts";
import * as messages from "../messages.ts";
import { exceedsBytes, utf8Length } from "./encoding.ts";
import { countLines } from "./lines.ts";

/** Throws `too_large` if a file with this text would be over a limit. */
export function assertFileFits(sent: string, text: string, limits: Pick<Limits, "fileBytes" | "fileLines">): void {
  assertBytesFit(sent, text, limits.fileBytes);
  const lines = countLines(text);
  if (lines > limits.fileLines) {
    throw new MemoryError("too_large", messages.fileTooLong(sent, lines, limits.fileLines));
  }
}

/** Throws `too_large` if what is to be added alone is over the limit of a file, whatever the file holds. */
export function assertAdditionFits(sent: string, addition: string, limits: Pick<Limits, "fileBytes">): void {
  assertBytesFit(sent, addition, limits.fileBytes);
}

function assertBytesFit(sent: string, text: string, limit: number): void {
  if (!exceedsBytes(text, limit)) return;
  throw new MemoryError("too_large", messages.fileTooLarge(sent, utf8Length(text), limit));
}
