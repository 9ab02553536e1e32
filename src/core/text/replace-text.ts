import { MemoryError } from "../../errors.ts";
import type { Limits } from "../limits.ts";
import * as messages from "../messages.ts";
import { findNearestText } from "./nearest-text.ts";
import { occurrences } from "./occurrences.ts";
import { snippetAround } from "./snippet.ts";

const listedLines = 20;

/**
 * The text with its one occurrence of `oldText` replaced, literally. Occurrences that overlap count as
 * several. Throws `invalid_input` for an empty `oldText`, `no_match` and `ambiguous_match`.
 */
export function replaceText(
  sent: string,
  text: string,
  oldText: string,
  newText: string,
  limits: Pick<Limits, "viewCharacters">,
): { readonly text: string; readonly snippet: string } {
  if (oldText === "") throw new MemoryError("invalid_input", messages.emptyOldText());
  const [at, another] = occurrences(text, oldText);
  if (at === undefined) throw noMatch(sent, text, oldText);
  if (another !== undefined) throw ambiguousMatch(text, oldText);
  const edited = text.slice(0, at) + newText + text.slice(at + oldText.length);
  return { text: edited, snippet: snippetAround(edited, at, newText.length, limits.viewCharacters) };
}

/** The snippet for an edit that is already in the text; empty where its new text is not to be found any more. */
export function snippetOf(text: string, newText: string, limits: Pick<Limits, "viewCharacters">): string {
  const [at] = occurrences(text, newText);
  return at === undefined ? "" : snippetAround(text, at, newText.length, limits.viewCharacters);
}

function noMatch(sent: string, text: string, oldText: string): MemoryError {
  const nearest = findNearestText(text, oldText);
  const hint = nearest === undefined ? "" : messages.nearestText(nearest.first, nearest.last, nearest.differences);
  return new MemoryError("no_match", messages.noMatch(sent, oldText) + hint);
}

function ambiguousMatch(text: string, oldText: string): MemoryError {
  const lines = new Set<number>();
  let line = 1;
  let newline = text.indexOf("\n");
  for (const at of occurrences(text, oldText)) {
    for (; newline !== -1 && newline < at; newline = text.indexOf("\n", newline + 1)) line += 1;
    lines.add(line);
    if (lines.size > listedLines) break;
  }
  const listed = [...lines].slice(0, listedLines);
  return new MemoryError("ambiguous_match", messages.ambiguousMatch(oldText, listed, lines.size > listedLines));
}
