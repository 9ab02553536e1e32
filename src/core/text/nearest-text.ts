import { countLines, lineNumberAt } from "./lines.ts";
import { occurrences } from "./occurrences.ts";

const differences = [
  "line endings",
  "trailing blanks",
  "indentation",
  "letter case",
  "Unicode form",
  "copied line numbers",
] as const;

type Difference = (typeof differences)[number];

interface NearestText {
  /** The first and the last line, from 1. */
  readonly first: number;
  readonly last: number;
  /** What keeps the text there from being the wanted one; each of them really does. */
  readonly differences: readonly Difference[];
}

/** UTF-16 units. Longer texts are not compared: this only improves an error's text, and must not cost a server its time. */
const longestText = 262_144;
const longestWanted = 10_000;
/** UTF-16 units of the lines that are looked at closely. */
const longestExcerpts = 16_000;

/** What a form leaves out. */
interface Form {
  readonly ignored: readonly Difference[];
  readonly composes: boolean;
}

/** Some whole lines of a text. */
interface Excerpt {
  readonly firstLine: number;
  readonly text: string;
}

/**
 * Where `wanted`, which is nowhere in the text verbatim, would be found if some differences were ignored.
 * The whole text is compared once, in its coarsest form; which differences there really are is found out
 * on the lines where that form fits. The time is linear, whatever the two texts are.
 */
export function findNearestText(text: string, wanted: string): NearestText | undefined {
  if (text.length > longestText || wanted.length > longestWanted) return undefined;
  const composes = isQuicklyComposed(text) && isQuicklyComposed(wanted);
  // Numbers first left in place: the file's own lines may start with a number and a tab.
  const inPlace = differences.filter((difference) => difference !== "copied line numbers");
  const searched = normalise(ended(text, inPlace), { ignored: inPlace, composes });
  const excerptsFor = (pattern: string): readonly Excerpt[] =>
    excerptsAround(text, searched, normalise(pattern, { ignored: inPlace, composes }));
  const excerpts = excerptsFor(wanted);
  if (excerpts.length > 0) return nearestIn(excerpts, wanted, { ignored: inPlace, composes });
  const plain = unnumbered(wanted, differences);
  return plain === wanted ? undefined : nearestIn(excerptsFor(plain), wanted, { ignored: differences, composes });
}

/** As few differences as will do, and the first place that has only these. */
function nearestIn(excerpts: readonly Excerpt[], wanted: string, coarsest: Form): NearestText | undefined {
  const { composes } = coarsest;
  let { ignored } = coarsest;
  const fits = (fewer: readonly Difference[]): boolean =>
    excerpts.some(({ text }) => locate(text, wanted, { ignored: fewer, composes }) !== undefined);
  for (const difference of differences) {
    const fewer = ignored.filter((other) => other !== difference);
    if (fewer.length < ignored.length && fits(fewer)) ignored = fewer;
  }
  for (const { text, firstLine } of excerpts) {
    const place = locate(text, wanted, { ignored, composes }, "whole lines");
    if (place === undefined) continue;
    return { first: firstLine + place.first - 1, last: firstLine + place.last - 1, differences: ignored };
  }
  return undefined;
}

/** The lines of the text whose form holds the pattern, as far as there is room. A form has the lines of its text. */
function excerptsAround(text: string, form: string, pattern: string): readonly Excerpt[] {
  const height = countLines(pattern);
  const [formLines, starts, ends] = [lineCursor(form), lineCursor(text), lineCursor(text)];
  const ranges: { readonly firstLine: number; readonly start: number; end: number }[] = [];
  let room = longestExcerpts;
  for (const at of occurrences(form, pattern)) {
    const firstLine = formLines.lineOf(at);
    const start = starts.startOf(firstLine);
    const end = ends.startOf(firstLine + height);
    const before = ranges.at(-1);
    const isJoined = before !== undefined && start <= before.end;
    room -= isJoined ? end - before.end : end - start;
    if (room < 0) break;
    if (isJoined) before.end = end;
    else ranges.push({ firstLine, start, end });
  }
  return ranges.map(({ firstLine, start, end }) => ({ firstLine, text: text.slice(start, end) }));
}

/** Goes through the lines of a text, forwards alone: many steps together are one pass. */
function lineCursor(text: string): {
  /** The line, from 1, that holds this offset. */
  readonly lineOf: (offset: number) => number;
  /** Where this line starts; the end of the text for lines after the last. */
  readonly startOf: (line: number) => number;
} {
  let line = 1;
  let start = 0;
  const next = (): number => {
    const newline = text.indexOf("\n", start);
    return newline === -1 ? text.length + 1 : newline + 1;
  };
  return {
    lineOf(offset) {
      for (let after = next(); after <= offset; after = next()) {
        start = after;
        line += 1;
      }
      return line;
    },
    startOf(wanted) {
      for (; line < wanted && start < text.length; line += 1) start = Math.min(next(), text.length);
      return start;
    },
  };
}

/**
 * The lines that hold `wanted` if these differences are ignored. With `"whole lines"`, blanks dropped
 * at an edge of `wanted` count as indentation or trailing blanks only at an edge of a line.
 */
function locate(
  text: string,
  wanted: string,
  form: Form,
  edges?: "whole lines",
): { readonly first: number; readonly last: number } | undefined {
  const { ignored } = form;
  const compared = unnumbered(wanted, ignored);
  const pattern = normalise(compared, form);
  const searched = normalise(ended(text, ignored), form);
  const startsLine = edges !== undefined && ignored.includes("indentation") && /^[ \t]/.test(compared);
  const endsLine = edges !== undefined && ignored.includes("trailing blanks") && /[ \t]\r*$/.test(compared);
  for (const at of occurrences(searched, pattern)) {
    const end = at + pattern.length;
    if (startsLine && at > 0 && searched[at - 1] !== "\n") continue;
    if (endsLine && end < searched.length && !/[\r\n]/.test(searched.charAt(end))) continue;
    const first = lineNumberAt(searched, at);
    return { first, last: first + countLines(pattern) - 1 };
  }
  return undefined;
}

/** A last line without `\n` differs from one with it in its line ending. */
function ended(text: string, ignored: readonly Difference[]): string {
  return ignored.includes("line endings") && !text.endsWith("\n") ? `${text}\n` : text;
}

/** Without the numbers that a view puts before its lines, where these are ignored. */
function unnumbered(wanted: string, ignored: readonly Difference[]): string {
  return ignored.includes("copied line numbers") ? wanted.replaceAll(/(^|\n) {0,5}\d{1,9}\t/g, "$1") : wanted;
}

/** A form that is equal for texts that differ only in what is ignored; it has as many lines as the text. */
function normalise(text: string, { ignored, composes }: Form): string {
  let form = text;
  if (ignored.includes("letter case")) form = form.toLowerCase();
  if (composes && ignored.includes("Unicode form")) form = form.normalize("NFC");
  return withoutLineEdges(form, {
    endings: ignored.includes("line endings"),
    trailing: ignored.includes("trailing blanks"),
    indentation: ignored.includes("indentation"),
  });
}

const [tab, newline, carriageReturn, space, firstMark] = [0x09, 0x0a, 0x0d, 0x20, 0x300];

interface LineEdges {
  readonly endings: boolean;
  readonly trailing: boolean;
  readonly indentation: boolean;
}

const decoder = new TextDecoder("utf-16le", { ignoreBOM: true });

/** Unit by unit: a string for each of 200,000 lines would cost many times as much. */
function withoutLineEdges(text: string, dropped: LineEdges): string {
  if (!dropped.endings && !dropped.trailing && !dropped.indentation) return text;
  const units = new Uint16Array(text.length);
  let length = 0;
  let lineStart = 0;
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    if (unit === newline) length = endLine(units, lineStart, length, dropped);
    else if (dropped.indentation && length === lineStart && isBlank(unit)) continue;
    units[length] = unit;
    length += 1;
    if (unit === newline) lineStart = length;
  }
  return decoder.decode(units.subarray(0, endLine(units, lineStart, length, dropped)));
}

/** Drops what is to be dropped at the end of a line, in place; the new length. */
function endLine(units: Uint16Array, start: number, length: number, dropped: LineEdges): number {
  let ending = length;
  while (ending > start && units[ending - 1] === carriageReturn) ending -= 1;
  let end = ending;
  while (dropped.trailing && end > start && isBlank(units[end - 1])) end -= 1;
  if (dropped.endings) return end;
  if (end < ending) units.copyWithin(end, ending, length);
  return end + length - ending;
}

function isBlank(unit: number | undefined): boolean {
  return unit === space || unit === tab;
}

/**
 * Whether NFC takes linear time: ordering a long run of combining marks takes quadratic time. A run of 32 units holds
 * one that starts at a multiple of 16; to look there alone costs a tenth of looking for runs everywhere.
 */
function isQuicklyComposed(text: string): boolean {
  const marks = /\p{M}{8}/uy;
  for (let index = 0; index < text.length; index += 16) {
    if (text.charCodeAt(index) < firstMark) continue;
    marks.lastIndex = index;
    if (marks.test(text)) return false;
  }
  return true;
}
