import { MemoryError } from "../errors.ts";
import { firstUnfit } from "./characters.ts";
import { doesNotExist } from "./messages.ts";
import { decodesToDanger } from "./percent-decoding.ts";

declare const brand: unique symbol;

/** A canonical path: `/memories` or below it, in NFC, without `.`, `..`, doubled or trailing slashes. */
export type MemoryPath = string & { readonly [brand]: "MemoryPath" };

const mostSegments = 20;

/** UTF-16 units as sent. Dots and doubled slashes fold, so this may be far longer than a key. */
const longestSent = 65_536;

/**
 * UTF-16 units once folded. A key has 1,024 bytes, and no spelling of 1,024 bytes of NFC takes more
 * than 1,536 units. Normalising is quadratic in a run of combining marks, so it gets no more than this.
 */
const longestFolded = 2_048;

/** The root of every memory, `/memories`. */
export const rootPath = branded("/memories");

/**
 * The one maker of a {@link MemoryPath}. Throws `invalid_path` with the text for Claude. Purely
 * lexical: looks at nothing but the text.
 */
export function parseMemoryPath(sent: string): MemoryPath {
  const verdict = judge(sent);
  if ("refusal" in verdict) throw invalidPath(sent, verdict.refusal);
  return verdict.path;
}

/** The text as a path if it is already in canonical form, else `undefined`. */
export function canonicalOrUndefined(text: string): MemoryPath | undefined {
  const verdict = judge(text);
  return "path" in verdict && verdict.path === text ? verdict.path : undefined;
}

/** The refusal of a path. `rule` is the sentence about its form; without one the text gives nothing away. */
export function invalidPath(sent: string, rule = ""): MemoryError {
  return new MemoryError("invalid_path", doesNotExist(sent) + (rule === "" ? "" : ` ${rule}`));
}

export function isRoot(path: MemoryPath): boolean {
  return path === rootPath;
}

/** The directories above a path, from below the root downwards; neither the root nor the path itself. */
export function ancestorsOf(path: MemoryPath): readonly MemoryPath[] {
  const segments = segmentsBelowRoot(path);
  return segments.slice(1).map((_, index) => joined(segments.slice(0, index + 1)));
}

/** `true` where `path` lies anywhere below `ancestor`; a path is not below itself. */
export function isBelow(path: MemoryPath, ancestor: MemoryPath): boolean {
  return path.startsWith(`${ancestor}/`);
}

/** `true` where one of the two is the other or lies below it. */
export function overlaps(first: MemoryPath, second: MemoryPath): boolean {
  return first === second || isBelow(first, second) || isBelow(second, first);
}

export function segmentsBelowRoot(path: MemoryPath): readonly string[] {
  return path.split("/").slice(2);
}

/** The name of a file or directory; of the root `memories`. */
export function lastSegment(path: MemoryPath): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** A name without an ending, such as `projects`. A guess: it may cost a request or a round trip, never decide an answer. */
export function looksLikeDirectory(path: MemoryPath): boolean {
  return lastSegment(path).lastIndexOf(".") <= 0;
}

type Verdict = { readonly path: MemoryPath } | { readonly refusal: string };

/** Gives nothing away. */
const escaped: Verdict = { refusal: "" };
const tooLong: Verdict = { refusal: "A path may have at most 1024 bytes." };

function judge(sent: string): Verdict {
  if (isPlain(sent)) return { path: branded(sent) };
  if (!startsAtRoot(sent)) return { refusal: "Memory paths start with /memories." };
  if (sent.length > longestSent) return tooLong;
  const segments = fold(sent);
  if (segments === undefined) return escaped;
  const refusal = refusalOfForm(sent, segments);
  if (refusal !== undefined) return { refusal };
  const folded = joined(segments);
  if (folded.length > longestFolded) return tooLong;
  const path = branded(folded.normalize("NFC"));
  // No composition known today brings a refused character about; this check does not rely on that.
  const refusalOfComposed = path === sent ? undefined : refusalOfForm(path, segmentsBelowRoot(path));
  return refusalOfComposed === undefined ? { path } : { refusal: refusalOfComposed };
}

/**
 * Whether the text is canonical by its ASCII characters alone: names without `%` and `\`, none of them `.` or `..`. Nearly
 * every path is, and a view of a large directory judges thousands, so these are spared the rules that they cannot break.
 */
function isPlain(sent: string): boolean {
  return sent.length <= longestFolded && /^\/memories(?:\/(?!\.{1,2}(?:\/|$))[ -$&-.0-[\]-~]+){0,20}$/.test(sent);
}

function startsAtRoot(sent: string): boolean {
  return /^\/+(?:\.\/+)*memories(?:\/|$)/.test(sent.slice(0, longestSent));
}

/** The segments below the root; `undefined` if a `..` would leave it. */
function fold(sent: string): readonly string[] | undefined {
  const segments: string[] = [];
  for (const segment of names(sent)) {
    if (segment !== "..") segments.push(segment);
    else if (segments.pop() === undefined) return undefined;
  }
  return segments;
}

/** Every segment below the root that names or leaves something, in the order sent. */
function names(sent: string): readonly string[] {
  return sent
    .split("/")
    .filter((segment) => segment !== "" && segment !== ".")
    .slice(1);
}

/** The sentence about the rule that the form breaks, empty for a hidden escape; `undefined` if all is well. */
function refusalOfForm(text: string, segments: readonly string[]): string | undefined {
  if (text.includes("\\")) return "A path may not contain backslashes.";
  const unfit = firstUnfit(text);
  if (unfit !== undefined) return ruleAgainst(unfit);
  if (segments.length > mostSegments) return `A path may have at most ${mostSegments} parts.`;
  // Names that a later `..` folds away are looked at too: no decoder may see what was not checked.
  const danger = decodesToDanger(names(text).filter((segment) => segment !== ".."));
  if (danger === undefined) return undefined;
  return danger === "escape" ? "" : ruleAgainst("control");
}

function ruleAgainst(unfit: NonNullable<ReturnType<typeof firstUnfit>>): string {
  switch (unfit) {
    case "ill_formed":
      return "A path must be well-formed Unicode.";
    case "control":
      return "A path may not contain control characters.";
    case "line_separator":
      return "A path may not contain line separators.";
    case "joiner":
      return "A path may contain joiners only between two visible characters.";
    case "invisible":
      return "A path may not contain invisible characters.";
    default:
      return unfit satisfies never;
  }
}

function joined(segments: readonly string[]): MemoryPath {
  return branded([rootPath, ...segments].join("/"));
}

function branded(canonical: string): MemoryPath {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the one place that gives the brand
  return canonical as MemoryPath;
}
