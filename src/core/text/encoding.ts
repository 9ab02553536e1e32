/** The content type of every file that this library writes. */
export const textContentType = "text/plain; charset=utf-8";

const encoder = new TextEncoder();
// A byte order mark is content: `ignoreBOM` keeps it as U+FEFF, so that it is written back.
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The text of these bytes, or `undefined` if they are not UTF-8. Encoding it again gives the same bytes. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}

export function encodeText(text: string): Uint8Array {
  return encoder.encode(text);
}

const unitsPerPiece = 16_384;
const shortText = 256;

/** Bytes in UTF-8. The encoder goes through a long text many times as fast as a loop, and one piece at a time needs no memory. */
export function utf8Length(text: string): number {
  if (text.length <= shortText) return encoder.encode(text).length;
  const piece = new Uint8Array(Math.min(text.length, unitsPerPiece) * 3);
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

/** Whether the text has more bytes in UTF-8 than that. Most texts are so short that they need not be encoded to tell. */
export function exceedsBytes(text: string, limit: number): boolean {
  // No UTF-16 unit takes more than 3 bytes.
  return text.length * 3 > limit && utf8Length(text) > limit;
}

/** Whether the text has no lone surrogate, which UTF-8 cannot hold. */
export function isWellFormed(text: string): boolean {
  return text.isWellFormed();
}

/** The first `length` UTF-16 units, or one fewer where that would split a character. */
export function cutText(text: string, length: number): string {
  const end = Math.max(0, Math.min(length, text.length));
  const isSplit = end > 0 && end < text.length && (text.codePointAt(end - 1) ?? 0) > 0xffff;
  return text.slice(0, isSplit ? end - 1 : end);
}
