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

/** Bytes of the text in UTF-8, counted without encoding it. */
export function utf8Length(text: string): number {
  let length = text.length;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    // Each half of a surrogate pair stands for 2 of the character's 4 bytes.
    length += unit < 0x800 || (unit >= 0xd800 && unit <= 0xdfff) ? 1 : 2;
  }
  return length;
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
