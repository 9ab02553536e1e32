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

/** UTF-16 units. Longer texts are not compared: this only improves an error's text. */
const longestCompared = 1_000_000;

/**
 * Where `wanted`, which is nowhere in the text verbatim, would be found if some differences were
 * ignored. Each try is one pass over normalised forms of both, so the time is linear.
 */
export function findNearestText(text: string, wanted: string): NearestText | undefined {
  if (Math.max(text.length, wanted.length) > longestCompared) return undefined;
  // Numbers first left in place: the file's own lines may start with a number and a tab.
  const starts = [differences.filter((difference) => difference !== "copied line numbers"), differences];
  let ignored: readonly Difference[] | undefined = starts.find((start) => locate(text, wanted, start) !== undefined);
  if (ignored === undefined) return undefined;
  for (const difference of differences) {
    const fewer: readonly Difference[] = ignored.filter((other) => other !== difference);
    if (fewer.length < ignored.length && locate(text, wanted, fewer) !== undefined) ignored = fewer;
  }
  const place = locate(text, wanted, ignored, "whole lines");
  return place === undefined ? undefined : { ...place, differences: ignored };
}

/**
 * The lines that hold `wanted` if these differences are ignored. With `"whole lines"`, blanks dropped
 * at an edge of `wanted` count as indentation or trailing blanks only at an edge of a line.
 */
function locate(
  text: string,
  wanted: string,
  ignored: readonly Difference[],
  edges?: "whole lines",
): { readonly first: number; readonly last: number } | undefined {
  const unnumbered = ignored.includes("copied line numbers") ? withoutNumbers(wanted) : wanted;
  const pattern = normalise(unnumbered, ignored);
  const isUnended = ignored.includes("line endings") && !text.endsWith("\n");
  const searched = normalise(isUnended ? `${text}\n` : text, ignored);
  const startsLine = edges !== undefined && ignored.includes("indentation") && /^[ \t]/.test(unnumbered);
  const endsLine = edges !== undefined && ignored.includes("trailing blanks") && /[ \t]\r*$/.test(unnumbered);
  for (const at of occurrences(searched, pattern)) {
    const end = at + pattern.length;
    if (startsLine && at > 0 && searched[at - 1] !== "\n") continue;
    if (endsLine && end < searched.length && !/[\r\n]/.test(searched.charAt(end))) continue;
    const first = lineNumberAt(searched, at);
    return { first, last: first + countLines(pattern) - 1 };
  }
  return undefined;
}

/** Without the numbers that a view puts before its lines. */
function withoutNumbers(wanted: string): string {
  return wanted.replaceAll(/(^|\n) {0,5}\d{1,9}\t/g, "$1");
}

/** A form that is equal for texts that differ only in what is ignored; it has as many lines as the text. */
function normalise(text: string, ignored: readonly Difference[]): string {
  let form = text;
  if (ignored.includes("letter case")) form = form.toLowerCase();
  if (ignored.includes("Unicode form")) form = composed(form);
  const inLines = ["line endings", "trailing blanks", "indentation"] as const;
  if (!inLines.some((difference) => ignored.includes(difference))) return form;
  const options = {
    endings: ignored.includes("line endings"),
    trailing: ignored.includes("trailing blanks"),
    indentation: ignored.includes("indentation"),
  };
  return form
    .split("\n")
    .map((line) => normaliseLine(line, options))
    .join("\n");
}

function normaliseLine(
  line: string,
  ignored: { readonly endings: boolean; readonly trailing: boolean; readonly indentation: boolean },
): string {
  let ending = line.length;
  while (line[ending - 1] === "\r") ending -= 1;
  let end = ending;
  while (ignored.trailing && isBlank(line[end - 1])) end -= 1;
  let start = 0;
  while (ignored.indentation && start < end && isBlank(line[start])) start += 1;
  return line.slice(start, end) + (ignored.endings ? "" : line.slice(ending));
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}

/** NFC, but not of long runs of combining marks: ordering them takes quadratic time. */
function composed(text: string): string {
  return /\p{M}{64}/u.test(text) ? text : text.normalize("NFC");
}
