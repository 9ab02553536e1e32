import { VERSION } from "@anthropic-ai/sdk/version";
import {
  differs,
  ourOutcome,
  sdkOutcome,
  type Answer,
  type ConformanceCase,
  type ConformanceGroup,
  type Outcome,
} from "./conformance-case.ts";

/** The page that docs/conformance.md is: made of the stated cases alone, so that it is the same everywhere. */
export function renderPage(groups: readonly ConformanceGroup[]): string {
  const cases = groups.flatMap((group) => group.cases);
  const different = cases.filter(differs).length;
  return [
    "# Conformance",
    "",
    "<!-- Made by scripts/conformance.ts from test/conformance; do not edit. -->",
    "",
    `The \`memory_20250818\` tool of this package next to the one that Anthropic's SDK ships for a local folder`,
    `(\`BetaLocalFilesystemMemoryTool\` of \`@anthropic-ai/sdk\` ${VERSION}): the same calls on the same files, what Claude`,
    "reads, and what is left. A test runs every case on both, ours on a fake S3 through the AWS SDK, the SDK's on a",
    "temporary folder through the code of its tool runner, on Linux. It fails if either answers otherwise than is stated",
    "here.",
    "",
    `**${cases.length} cases: ${cases.length - different} same, ${different} different.**`,
    "",
    "## Why they differ",
    "",
    "| reason | cases |",
    "|---|---|",
    ...countedReasons(cases),
    "",
    "## Differences",
    "",
    "How to read the tables: ⏎ is a line end, ⇥ a tab, ✗ an answer with `is_error`. Of a case with several calls only",
    "the answers that differ are shown, equal ones once; … is a first line that both share. `<folder>` is the folder on",
    "the host, `<inode>` the size that its file system gives a folder. Long texts are shortened.",
    ...groups.flatMap(differencesOf),
    "",
    "## All cases",
    ...groups.flatMap(listOf),
    "",
  ].join("\n");
}

/** The most frequent reason first; of equally frequent ones that of the earlier case. */
function countedReasons(cases: readonly ConformanceCase[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const reason of cases.flatMap(({ why = [] }) => why)) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  const descending = [...counts].toSorted(([, one], [, other]) => other - one);
  return descending.map(([reason, count]) => `| ${reason} | ${count} |`);
}

function differencesOf({ title, cases }: ConformanceGroup): readonly string[] {
  const different = cases.filter(differs);
  if (different.length === 0) return [];
  const rows = different.map((one) => {
    const ours = ourOutcome(one);
    const sdk = sdkOutcome(one);
    const cells = [escapeMarkdown(one.name), cellOf(one, sdk, ours), cellOf(one, ours, sdk), (one.why ?? []).join(" ")];
    return `| ${cells.join(" | ")} |`;
  });
  return ["", `### ${title}`, "", "| case | the SDK's tool | ours | why |", "|---|---|---|---|", ...rows];
}

function listOf({ title, cases }: ConformanceGroup): readonly string[] {
  const different = cases.filter(differs).length;
  const counts = `${cases.length - different} same, ${different} different`;
  const rows = cases.map((one) => `- ${escapeMarkdown(one.name)}${differs(one) ? " (different)" : ""}`);
  return ["", `### ${title}: ${counts}`, "", ...rows];
}

const mostShown = 4;

/** What is different in an outcome, next to the other one. */
function cellOf(one: ConformanceCase, { answers, files }: Outcome, other: Outcome): string {
  const differing = answers.flatMap((answer, index) =>
    one.calls[index]?.[2] === undefined ? [] : [answerText(answer, other.answers[index])],
  );
  const state = one.sdkAfter === undefined ? [] : [filesText(files)];
  const shown = [...new Set(differing)];
  const more = shown.length > mostShown ? [`and ${shown.length - mostShown} more like these`] : [];
  return [...shown.slice(0, mostShown), ...more, ...state].join("<br>");
}

function answerText({ isError, text }: Answer, other: Answer | undefined): string {
  return (isError ? "✗ " : "") + code(withoutSharedStart(text, other?.text ?? ""));
}

/** Two answers that start with the same fixed sentence are told apart by what follows it. */
function withoutSharedStart(text: string, other: string): string {
  const [start = "", ...rows] = text.split("\n");
  return start === other.split("\n")[0] ? ["…", ...rows].join("\n") : text;
}

function filesText(files: Readonly<Record<string, string>>): string {
  const entries = Object.entries(files).map(([name, text]) =>
    name.endsWith("/") ? code(name) : `${code(name)}: ${code(text)}`,
  );
  return entries.length === 0 ? "files: none" : `files: ${entries.join(", ")}`;
}

const longestShown = 240;

/** A code span of a table cell. */
function code(text: string): string {
  if (text === "") return "(empty)";
  const start = text.slice(0, longestShown).replace(/[\uD800-\uDBFF]$/, "");
  const shown = text.length > longestShown ? `${start}… (${text.length} characters)` : text;
  const visible = shown
    .replaceAll("\n", "⏎")
    .replaceAll("\t", "⇥")
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, codePoint)
    .replaceAll("|", String.raw`\|`);
  const longestRun = Math.max(0, ...Array.from(visible.matchAll(/`+/g), ([run]) => run.length));
  const fence = "`".repeat(longestRun + 1);
  return longestRun === 0 ? `${fence}${visible}${fence}` : `${fence} ${visible} ${fence}`;
}

function codePoint(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16).toUpperCase()}}`;
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*_[\]<>|~]/g, String.raw`\$&`);
}
