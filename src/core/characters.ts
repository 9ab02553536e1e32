/**
 * The characters that no path may hold. They are written as fixed code points, not as Unicode
 * categories, where a newer runtime could otherwise judge a stored name differently.
 */

/** Soft hyphen, zero-width space, word joiner, directional marks, interlinear marks, language tag and their kind. */
const invisible = String.raw`\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u206F\uFEFF\uFFF0-\uFFFB\u{1BCA0}-\u{1BCA3}\u{1D173}-\u{1D17A}\u{E0000}-\u{E00FF}\u{E01F0}-\u{E0FFF}`;

/** XML cannot carry these two, so a batch delete could never name such a key. */
const notInXml = String.raw`\uFFFE\uFFFF`;

/** The flag of a part of a country, such as Scotland: a black flag, a code in tag characters, an end tag. */
const flag = String.raw`\u{1F3F4}[\u{E0030}-\u{E0039}\u{E0061}-\u{E007A}]{3,7}\u{E007F}`;

const visible = String.raw`[^\p{White_Space}\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}/\\]`;

/** A joiner belongs between two visible characters: emoji families, Persian. An emoji may be followed by U+FE0F. */
const strayJoiner = String.raw`(?<!${visible}\p{Variation_Selector}*)[\u200C\u200D]|[\u200C\u200D](?!${visible})`;

/** Printable ASCII has nothing of it, and most paths are that. */
const plain = /^[\x20-\x7e]*$/;

let compiled: RegExp | undefined;

/** A whole flag comes first, so that its tag characters are not taken for strays. Compiled at its first use: that takes a millisecond. */
function flagOrUnfit(): RegExp {
  return (compiled ??= new RegExp(
    String.raw`(?<flag>${flag})|[\p{Cc}\p{Cs}\u2028\u2029${invisible}${notInXml}]|${strayJoiner}`,
    "gu",
  ));
}

/** What is wrong with the first character that no path may hold; `undefined` if there is none. */
export function firstUnfit(
  text: string,
): "ill_formed" | "control" | "line_separator" | "joiner" | "invisible" | undefined {
  if (plain.test(text)) return undefined;
  for (const match of text.matchAll(flagOrUnfit())) {
    if (match.groups?.["flag"] !== undefined) continue;
    const [character] = match;
    if (/\p{Cs}/u.test(character)) return "ill_formed";
    if (/\p{Cc}/u.test(character)) return "control";
    if (/[\u2028\u2029]/u.test(character)) return "line_separator";
    return /[\u200C\u200D]/u.test(character) ? "joiner" : "invisible";
  }
  return undefined;
}

/** The text with every character that no path may hold passed through `write`. */
export function replaceUnfit(text: string, write: (character: string) => string): string {
  if (plain.test(text)) return text;
  return text.replaceAll(flagOrUnfit(), (match: string, wholeFlag: string | undefined) => wholeFlag ?? write(match));
}
