import { expect, it } from "vitest";
import { filesOf, read } from "./project.ts";

interface Finding {
  readonly sentence: string;
  readonly goal?: { readonly met: boolean };
}

interface Result {
  readonly findings?: readonly Finding[];
  readonly tables: readonly { readonly rows: readonly (readonly string[])[] }[];
}

const page = read("docs/performance.md");
const results = filesOf("bench/results/*.json");

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
}

function findingLine({ sentence, goal }: Finding): string {
  if (goal === undefined) return `- ${sentence}`;
  return `- ${sentence} ${goal.met ? "Goal reached: " : "**Goal missed**: "}`;
}

it("has results of the benchmarks to show", () => {
  expect(results).not.toEqual([]);
});

it.each(results)("has on its page what %s says, and every goal that was missed", (file) => {
  const { findings = [], tables } = JSON.parse(read(file)) as Result;
  const lines = [...findings.map(findingLine), ...tables.flatMap(({ rows }) => rows.map(row))];
  expect(lines.filter((line) => !page.includes(line))).toEqual([]);
});
