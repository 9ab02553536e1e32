import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Table } from "../part.ts";
import { figure, median, spread } from "../statistics.ts";

/** In the project, so that its packages are found, and this one by its name. */
const cwd = fileURLToPath(new URL("../../", import.meta.url));
const entries = ["s3-memory-tool", "s3-memory-tool/anthropic", "s3-memory-tool/testing"];
/** The packages that are built in, as they would be loaded by their own entries, and the peers. */
const packages = ["zod/mini", "diff", "p-limit", "lru.min", "@anthropic-ai/sdk", "@aws-sdk/client-s3"];

export interface ImportCosts {
  /** Milliseconds from the start of a process to its first line. */
  readonly empty: readonly number[];
  /** Milliseconds to the line after the import. */
  readonly imports: Readonly<Record<string, readonly number[]>>;
  readonly files: Readonly<Record<string, number>>;
}

const run = (program: string): number =>
  Number(execFileSync(process.execPath, ["--input-type=module", "--eval", program], { cwd, encoding: "utf8" }));

/** In turns, each in a process of its own. */
export function measureImports(rounds: number): ImportCosts {
  const names = [...entries, ...packages];
  const empty: number[] = [];
  const imports = Object.fromEntries(names.map((name): [string, number[]] => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    empty.push(run("console.log(performance.now())"));
    for (const [name, samples] of Object.entries(imports)) {
      samples.push(run(`await import("${name}"); console.log(performance.now())`));
    }
  }
  return { empty, imports, files: Object.fromEntries(names.map((name) => [name, filesOf(name)])) };
}

function filesOf(name: string): number {
  return run(`
    import { registerHooks } from "node:module";
    let files = 0;
    registerHooks({ load: (url, context, next) => ((files += url.startsWith("file:") ? 1 : 0), next(url, context)) });
    await import("${name}");
    console.log(files);
  `);
}

/** What the import adds to an empty process. */
export function importCost({ empty, imports }: ImportCosts, name: string): readonly number[] {
  const start = median([...empty]);
  return (imports[name] ?? []).map((milliseconds) => milliseconds - start);
}

export function importTable(costs: ImportCosts): Table {
  const rows = Object.keys(costs.imports).map((name) => [
    `\`${name}\``,
    spread(importCost(costs, name)),
    String(costs.files[name]),
  ]);
  return {
    title: "Importing",
    columns: ["import", "ms above an empty process", "files loaded"],
    rows,
    notes: [
      `An empty process of Node reaches its first line after ${figure(median([...costs.empty]))} ms.`,
      "`zod/mini`, `diff`, `p-limit` and `lru.min` by their own entries: what is used of them is built into this package instead.",
      "`s3-memory-tool/anthropic` loads a part of Anthropic's SDK, which the application has loaded anyway.",
    ],
  };
}
