const percent = 0x25;
const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * What a reader that decodes percent-encoding, however often, would make of these names: `escape`
 * where one of the decoded names, split at both kinds of slash, is `..`, `control` where one holds a
 * control character. For the test only: a name keeps its literal `%20`.
 */
export function decodesToDanger(names: readonly string[]): "escape" | "control" | undefined {
  const text = names.join("/");
  if (!text.includes("%")) return undefined;
  const decoded = decodeCompletely(text);
  if (decoded.split(/[/\\]/).includes("..")) return "escape";
  return /\p{Cc}/u.test(decoded) ? "control" : undefined;
}

/**
 * Decodes until nothing is left to decode, in one pass: every byte is put at the end of the decoded
 * ones, and what that completes is replaced at once. Two encoded bytes never share a character, so
 * the order in which they are decoded makes no difference. What is malformed stays as it is.
 */
function decodeCompletely(text: string): string {
  const bytes = encoder.encode(text);
  let length = 0;
  for (const byte of bytes) {
    bytes[length++] = byte;
    for (let end = reduced(bytes, length); end < length; end = reduced(bytes, length)) length = end;
  }
  return decoder.decode(bytes.subarray(0, length));
}

/** Replaces an encoded byte at the end by what it stands for. Returns the length that then holds. */
function reduced(bytes: Uint8Array, length: number): number {
  const last = bytes[length - 1] ?? 0;
  const before = bytes[length - 2] ?? 0;
  const shorter = shorterLead(before, last);
  if (shorter !== undefined) {
    bytes[length - 2] = shorter;
    return length - 1;
  }
  if (bytes[length - 3] !== percent) return length;
  const pair = String.fromCharCode(before, last);
  if (!/^[0-9a-f]{2}$/i.test(pair)) return length;
  bytes[length - 3] = Number.parseInt(pair, 16);
  return length - 2;
}

/**
 * Overlong UTF-8 (`%c0%ae` for a dot) is malformed, but lax decoders read it: an overlong lead and its
 * first continuation stand for a shorter lead, in the end for a plain character.
 */
function shorterLead(lead: number, continuation: number): number | undefined {
  if (continuation < 0x80 || continuation > 0xbf) return undefined;
  const bits = continuation & 0x3f;
  if (lead === 0xc0 || lead === 0xc1) return ((lead & 1) << 6) | bits;
  if (lead === 0xe0 && bits < 0x20) return 0xc0 | bits;
  if (lead === 0xf0 && bits < 0x10) return 0xe0 | bits;
  if (lead === 0xf8 && bits < 0x08) return 0xf0 | bits;
  if (lead === 0xfc && bits < 0x04) return 0xf8 | bits;
  return undefined;
}
