/**
 * `node bench/run.ts [part …] [--quick] [--report]`: measures the parts named, or all of them, one after another;
 * prints their tables, writes them to `bench/results` and makes `docs/performance.md` anew. See README.md.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { circumstances } from "./machine.ts";
import type { PartResult } from "./part.ts";
import { parts } from "./parts.ts";
import { performancePage, printedTable, takeaway, type StoredResult } from "./report.ts";

const page = new URL("../docs/performance.md", import.meta.url);
const resultFile = (name: string): URL => new URL(`results/${name}.json`, import.meta.url);

async function run(name: string, quick: boolean): Promise<void> {
  const entry = parts.get(name);
  if (entry === undefined) throw new TypeError(`no part "${name}"; there are ${[...parts.keys()].join(", ")}`);
  const started = performance.now();
  console.log(`\n━━ ${name} ━━`);
  const part = await entry.load();
  const result = await part({ quick, log: (line) => console.log(`… ${line}`) });
  for (const table of result.tables) console.log(`\n${printedTable(table)}`);
  for (const finding of result.findings ?? []) console.log(takeaway(finding));
  console.log(`\n${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
  if (!quick) store(name, { ...circumstances(), heading: entry.heading, ...result });
}

function store(name: string, result: PartResult & StoredResult): void {
  mkdirSync(new URL("./", resultFile(name)), { recursive: true });
  const indented = JSON.stringify(result, fourDigits, 1);
  // Samples side by side: with a line each the file would be ten times as long. Only blanks between values go.
  const text = indented.replaceAll(/\[[^[\]{}]*\]/g, (list) => list.replaceAll(/\n\s*/g, ""));
  writeFileSync(resultFile(name), `${text}\n`);
}

/** No clock here is better than that. */
function fourDigits(_: string, value: unknown): unknown {
  return typeof value === "number" && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
}

function writePage(): void {
  const stored = [...parts.keys()].map(resultFile).filter((file) => existsSync(file));
  const results = stored.map((file): unknown => JSON.parse(readFileSync(file, "utf8")));
  writeFileSync(page, performancePage(results as StoredResult[])); // nobody but `store` writes them
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, report: { type: "boolean", default: false } },
});
const asked = positionals.length === 0 ? parts.keys() : positionals;
for (const name of values.report ? [] : asked) {
  // Minutes of the others' work are not thrown away for one that fails.
  await run(name, values.quick).catch((error: unknown) => {
    console.error(`!! ${name} failed:`, error);
    process.exitCode = 1;
  });
}
if (!values.quick) writePage();
