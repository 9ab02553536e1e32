import { MemoryError } from "../../errors.ts";
import type { Limits } from "../limits.ts";
import * as messages from "../messages.ts";
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
  // No UTF-16 unit takes more than 3 bytes.
  if (text.length * 3 <= limit) return;
  const bytes = encodedLength(text);
  if (bytes > limit) throw new MemoryError("too_large", messages.fileTooLarge(sent, bytes, limit));
}

const encoder = new TextEncoder();
const unitsPerPiece = 16_384;

/** Bytes in UTF-8. The encoder goes through a long text many times as fast as a loop, and one piece at a time needs no memory. */
function encodedLength(text: string): number {
  const piece = new Uint8Array(unitsPerPiece * 3);
  let length = 0;
  for (let start = 0; start < text.length;) {
    const end = start + unitsPerPiece;
    // A surrogate pair stays in one piece.
    const next = (text.codePointAt(end - 1) ?? 0) > 0xffff ? end - 1 : end;
    length += encoder.encodeInto(text.slice(start, next), piece).written;
    start = next;
  }
  return length;
}
