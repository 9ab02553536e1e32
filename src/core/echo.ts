import { replaceUnfit } from "./characters.ts";
import { cutText } from "./text/encoding.ts";

const longestEcho = 1_000;

/**
 * A path as it is repeated to Claude: exactly as sent, but shortened after 1,000 characters with its
 * length, and with the characters that no path may hold written `\u{…}`.
 */
export function echoPath(sent: string): string {
  return shortened(sent, (kept) => replaceUnfit(kept, codePoint));
}

/** A text as it is repeated to Claude: verbatim, but shortened after 1,000 characters with its length. */
export function echoText(text: string): string {
  return shortened(text, (kept) => kept);
}

function shortened(text: string, write: (kept: string) => string): string {
  if (text.length <= longestEcho) return write(text);
  return `${write(cutText(text, longestEcho))}… (${grouped(text.length)} characters)`;
}

function codePoint(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}

/** `12,345`. Loading the locale's rules for it would cost the first call 20 ms and more. */
function grouped(count: number): string {
  return String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ",");
}
