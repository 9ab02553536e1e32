import * as messages from "../messages.ts";
import { cutText } from "./encoding.ts";
import { countLines, lineNumberAt, linesBetween } from "./lines.ts";
import { numberedLine } from "./numbered-view.ts";

const linesAround = 2;
const changedLinesAtEachEnd = 20;
/** A row that is cut shorter than this shows nothing useful. */
const shortestRow = 80;

/**
 * The changed part of a text as a view shows it: the lines that hold the `length` characters from
 * `start`, and 2 around them. Of more than 40 changed lines the first and last 20; long lines are cut
 * so that the answer it goes into stays within `viewCharacters`. Empty for an empty text.
 */
export function snippetAround(text: string, start: number, length: number, viewCharacters: number): string {
  const total = countLines(text);
  if (total === 0) return "";
  const first = Math.min(lineNumberAt(text, start), total);
  const last = Math.min(lineNumberAt(text, Math.max(start, start + length - 1)), total);
  const leftOut = last - first + 1 - 2 * changedLinesAtEachEnd;
  const from = Math.max(1, first - linesAround);
  const to = Math.min(total, last + linesAround);
  const rows =
    leftOut <= 0
      ? rowsBetween(text, from, to)
      : [
          ...rowsBetween(text, from, first + changedLinesAtEachEnd - 1),
          messages.changedLinesLeftOut(leftOut),
          ...rowsBetween(text, last - changedLinesAtEachEnd + 1, to),
        ];
  const room = viewCharacters - messages.edited(" ").length + 1;
  return fitRows(rows, room) ?? messages.snippetLeftOut(first, last);
}

function rowsBetween(text: string, first: number, last: number): string[] {
  return Array.from(linesBetween(text, first, last), ({ number, line }) => numberedLine(number, line));
}

/** The rows joined, the longest ones cut so that all fit; `undefined` where too little of them would be left. */
function fitRows(rows: readonly string[], room: number): string | undefined {
  const share = fairShare(
    rows.map((row) => row.length),
    room - (rows.length - 1),
  );
  if (share < shortestRow) return undefined;
  return rows.map((row) => shortenRow(row, share)).join("\n");
}

function shortenRow(row: string, length: number): string {
  if (row.length <= length) return row;
  const note = messages.lineShortened(row.length - row.indexOf("\t") - 1);
  return cutText(row, length - note.length) + note;
}

/** The largest length that each may have so that all together stay within `room`; `Infinity` if they do as they are. */
function fairShare(lengths: readonly number[], room: number): number {
  let left = room;
  const ascending = lengths.toSorted((one, other) => one - other);
  for (const [index, length] of ascending.entries()) {
    const share = Math.floor(left / (ascending.length - index));
    if (length > share) return share;
    left -= length;
  }
  return Infinity;
}
