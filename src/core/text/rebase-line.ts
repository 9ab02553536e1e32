import { diffArrays } from "diff";

/** Lines removed and added. What differs more is another text, and not worth the time of the search. */
const mostEdits = 1_000;

/**
 * A line number means a line of certain bytes. The line of `now` after which belongs what was to go after line `line` of
 * `basis`: line 0 is the top and the last line the end, whatever else happened; any other is found again by a line
 * diff, itself or the line that followed it. `undefined` where both are gone.
 */
export function rebaseLine(line: number, basis: string, now: string): number | undefined {
  if (line <= 0 || basis === now) return line;
  const [old, present] = [linesOf(basis), linesOf(now)];
  // A line of neither: whoever inserts there refuses it.
  if (line > old.length) return line > present.length ? line : undefined;
  if (line === old.length) return present.length;
  // Most changes are in one place, and however large it is, what lies before and behind it stays what it was.
  const growth = present.length - old.length;
  const firstChanged = old.findIndex((text, index) => text !== present[index]);
  if (firstChanged === -1 || firstChanged > line) return line; // with the line behind it
  const lastChanged = old.findLastIndex((text, index) => text !== present[index + growth]);
  if (lastChanged < line - 1) return line + growth;
  return firstChanged === line ? line : afterDiff(line, old, present);
}

function afterDiff(line: number, old: string[], present: string[]): number | undefined {
  let before = 0;
  let after = 0;
  for (const { added, removed, count } of diffArrays(old, present, { maxEditLength: mostEdits }) ?? []) {
    if (added) after += count;
    else if (removed) before += count;
    else {
      // Line `line` is in this run of common lines, or else the one behind it begins the run. A blank line alone marks no place.
      const isPlace = count > 1 || old[before]?.trim() !== "";
      if (isPlace && before < line && line <= before + count) return after + line - before;
      if (isPlace && before === line) return after;
      before += count;
      after += count;
    }
  }
  return undefined;
}

function linesOf(text: string): string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}
