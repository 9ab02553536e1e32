import { MemoryError } from "../../errors.ts";
import type { Limits } from "../limits.ts";
import * as messages from "../messages.ts";
import { cutText } from "./encoding.ts";
import { countLines, endOfLine, linesBetween, startOfLine } from "./lines.ts";

type LineRange = readonly [first: number, last: number];

export interface ViewOptions extends Pick<Limits, "viewCharacters" | "fileLines"> {
  /** First and last line, from 1; -1 for the last line of the file. */
  readonly viewRange?: LineRange;
}

/** One row of a view: the line exactly as it is in the file, so that text copied from it matches. */
export function numberedLine(number: number, line: string): string {
  return `${String(number).padStart(6)}\t${line}`;
}

/**
 * What Claude sees of a file: a header and numbered lines. Cut after a whole line where it would be
 * longer than `viewCharacters`; the last line then says so and how to go on. An empty file is only
 * the header. Throws `invalid_input` for a range outside the file, `too_large` for too many lines.
 */
export function viewText(sent: string, text: string, options: ViewOptions): string {
  const total = countLines(text);
  if (total > options.fileLines) {
    throw new MemoryError("too_large", messages.tooManyLines(sent, options.fileLines));
  }
  const header = messages.fileHeader(sent);
  if (total === 0) return header;
  const [first, last] = resolveRange(options.viewRange ?? [1, -1], total);

  const rows: string[] = [];
  let length = header.length;
  let start = startOfLine(text, first);
  for (let number = first; number <= last; number += 1) {
    const end = endOfLine(text, start);
    const row = numberedLine(number, text.slice(start, end));
    start = end + 1;
    length += 1 + row.length;
    if (length > options.viewCharacters) return cutView(header, text, { rows, first, last, total }, options);
    rows.push(row);
  }
  return [header, ...rows].join("\n");
}

function resolveRange(range: LineRange, total: number): LineRange {
  const [first, end] = range;
  const last = end === -1 ? total : Math.min(end, total);
  const isValid = Number.isInteger(first) && Number.isInteger(end) && first >= 1 && first <= last;
  if (!isValid) throw new MemoryError("invalid_input", messages.badViewRange(range, total));
  return [first, last];
}

/** The rows that fit together with a last line that says what is missing. */
function cutView(
  header: string,
  text: string,
  asked: { readonly rows: readonly string[]; readonly first: number; readonly last: number; readonly total: number },
  { viewCharacters }: ViewOptions,
): string {
  const { first, last, total } = asked;
  const end = last === total ? -1 : last;
  let length = header.length + asked.rows.reduce((sum, row) => sum + 1 + row.length, 0);
  for (let count = asked.rows.length; count > 0; count -= 1) {
    const lastShown = first + count - 1;
    const note = messages.viewCut({ first, last: lastShown, of: total }, [lastShown + 1, end]);
    if (length + 1 + note.length <= viewCharacters) {
      return [header, ...asked.rows.slice(0, count), note].join("\n");
    }
    length -= 1 + (asked.rows[count - 1] ?? "").length;
  }
  return cutFirstLine(header, text, { first, last, total, end }, viewCharacters);
}

/** Not even the first line fits: as much of it as does, cut between two characters. */
function cutFirstLine(
  header: string,
  text: string,
  asked: { readonly first: number; readonly last: number; readonly total: number; readonly end: number },
  viewCharacters: number,
): string {
  const { first, last, total, end } = asked;
  const next: LineRange | undefined = first === last ? undefined : [first + 1, end];
  const [{ line } = { line: "" }] = linesBetween(text, first, first);
  const note = (shown: number): string =>
    messages.lineCut({ number: first, of: total, shown, length: line.length }, next);
  const room = viewCharacters - header.length - numberedLine(first, "").length - note(line.length).length - 2;
  const shown = cutText(line, room);
  return [header, numberedLine(first, shown), note(shown.length)].join("\n");
}
