import { markdownTable } from "markdown-table";
import type { Circumstances } from "./machine.ts";
import type { Finding, PartResult, Table } from "./part.ts";

/** One part as it lies in `bench/results`. */
export interface StoredResult extends PartResult, Circumstances {
  readonly heading: string;
}

type Cells = Pick<Table, "columns" | "rows">;

/** `docs/performance.md`, from the last result of each part. */
export function performancePage(results: readonly StoredResult[]): string {
  const findings = results.flatMap((result) => result.findings ?? []);
  return `${[
    "# Performance",
    findings.map(takeaway).join("\n"),
    "The figures and sentences of this page are written by `npm run bench` ([how](../bench/README.md)) from what it has measured; `bench/results` has every sample.",
    ...results.flatMap(section),
    "## Where and when",
    tableText(whereAndWhen(results)),
    "What stood beside it:",
    tableText(versionsTable(results)),
  ].join("\n\n")}\n`;
}

/** One line of a list; it says so where a goal was missed. */
export function takeaway({ sentence, goal }: Finding): string {
  if (goal === undefined) return `- ${sentence}`;
  return `- ${sentence} ${goal.met ? "Goal reached" : "**Goal missed**"}: ${goal.wanted}.`;
}

function section({ heading, tables }: StoredResult): readonly string[] {
  return [`## ${heading}`, ...tables.flatMap((table) => [`### ${table.title}`, tableText(table), ...noteTexts(table)])];
}

/** A table with its notes, for the console. */
export function printedTable(table: Table): string {
  return [table.title, tableText(table, "aligned"), ...noteTexts(table)].join("\n\n");
}

function tableText({ columns, rows }: Cells, look: "compact" | "aligned" = "compact"): string {
  const cells = [columns, ...rows].map((row) => row.map((cell) => cell.replaceAll("|", "\\|")));
  return look === "aligned" ? markdownTable(cells) : markdownTable(cells, { alignDelimiters: false, padding: true });
}

function noteTexts({ notes = [] }: Table): readonly string[] {
  return notes.length === 0 ? [] : [notes.map((note) => `- ${note}`).join("\n")];
}

function whereAndWhen(results: readonly StoredResult[]): Cells {
  return {
    columns: ["part", "date", "s3-memory-tool", "Node", "machine"],
    rows: results.map(({ heading, date, revision, node, machine }) => [heading, date, revision, node, machine]),
  };
}

/** Several versions in one cell where parts were measured with different ones. */
function versionsTable(results: readonly StoredResult[]): Cells {
  const names = [...new Set(results.flatMap(({ versions }) => Object.keys(versions)))].sort();
  const measured = (name: string): string =>
    [...new Set(results.flatMap(({ versions }) => versions[name] ?? []))].join(", ");
  return { columns: ["package", "version"], rows: names.map((name) => [name, measured(name)]) };
}
