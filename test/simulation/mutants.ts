import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import pLimit from "p-limit";
import { bundleSimulation } from "./bundle.ts";
import { runCommand } from "./command-line.ts";
import { plantedDefects, type PlantedDefect } from "./mutations.ts";
import { runInThreads, SimulationThread } from "./run-in-threads.ts";
import type { Found } from "./thread-messages.ts";

const usage = `npm run simulate:mutants -- [--operations N] [--seed S] [--jobs N] [--only TEXT]

Plants one deliberate defect after the other into the library, and lets the simulation find it.

  --operations N  how many commands each may take (default 200000)
  --seed S        0 to 4294967295 (default 1)
  --jobs N        defects at a time (default: one for each core)
  --only TEXT     only defects that have this in their name
  --help          this text
`;

/** A thread takes so many at once. */
const episodesInChunk = 20;

interface Settings {
  readonly operations: number;
  readonly seed: number;
  readonly jobs: number;
  readonly only: string;
}

/** `undefined` where help was asked for. Throws a `TypeError` for what makes no sense. */
function readSettings(): Settings | undefined {
  const text = { type: "string" } as const;
  const options = { operations: text, seed: text, jobs: text, only: text, help: { type: "boolean" } } as const;
  const { values } = parseArgs({ options });
  if (values.help) return undefined;
  const number = (name: "operations" | "seed" | "jobs", least: number, most: number): number | undefined => {
    const value = values[name];
    if (value === undefined) return undefined;
    if (/^\d+$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value);
    throw new TypeError(`--${name} should be a whole number from ${least} to ${most}, not ${value}.`);
  };
  const only = values.only ?? "";
  if (!plantedDefects.some(({ name }) => only.split("|").some((o) => name.includes(o))))
    throw new TypeError(`No defect is named "${only}".`);
  return {
    operations: number("operations", 1, 1e12) ?? 200_000,
    seed: number("seed", 0, 2 ** 32 - 1) ?? 1,
    jobs: number("jobs", 1, 1_024) ?? availableParallelism(),
    only,
  };
}

/** What became of a defect. */
interface Row {
  readonly name: string;
  readonly isFound: boolean;
  /** The rule that it broke, or why it was not found. */
  readonly by: string;
  readonly after: number;
}

/** A broken program is no finding: the text that was planted is. */
const ownFault = "an error of the program";

/** Runs episodes until one breaks a rule that does not break without the defect. */
async function hunt(
  { name, also = [], ...mutation }: PlantedDefect,
  { seed, operations }: Settings,
  known: ReadonlySet<string>,
): Promise<Row> {
  const bundle = await bundleSimulation({ mutation: [mutation, ...also] });
  const thread = new SimulationThread(bundle.file);
  try {
    let done = 0;
    for (let first = 0; done < operations; first += episodesInChunk) {
      const task = { kind: "episodes", seed, cache: "both", first, count: episodesInChunk } as const;
      const { chunk } = await thread.do(task);
      const broken = chunk.found.find(({ rule }) => rule === ownFault);
      if (broken) return { name, isFound: false, by: `cannot run: ${broken.detail}`, after: done + broken.after };
      const found = chunk.found.find(({ rule }) => !known.has(rule));
      if (found)
        return { name, isFound: true, by: `${found.rule} (episode ${found.episode})`, after: done + found.after };
      done += chunk.operations;
    }
    return { name, isFound: false, by: "NOT FOUND", after: done };
  } finally {
    await thread.end();
    await bundle.remove();
  }
}

function textOf({ name, by, after }: Row): string {
  return `${name.padEnd(nameWidth)}  ${String(after).padStart(7)}  ${by}`;
}

const nameWidth = Math.max(...plantedDefects.map(({ name }) => name.length));

/** What the library itself breaks says nothing of a defect. */
async function rulesBrokenWithout(settings: Settings): Promise<ReadonlySet<string>> {
  const { file, remove } = await bundleSimulation();
  let found: readonly Found[];
  try {
    ({ found } = await runInThreads({ file, ...settings }));
  } finally {
    await remove();
  }
  return new Set(found.map(({ rule }) => rule));
}

async function findAll(settings: Settings): Promise<number> {
  const known = await rulesBrokenWithout(settings);
  console.log(`Without a defect: ${[...known].map((rule) => `"${rule}" is broken`).join(", ") || "no rule is broken"}`);
  const wanted = plantedDefects.filter(({ name }) => settings.only.split("|").some((o) => name.includes(o)));
  const rows = await pLimit(settings.jobs).map(wanted, async (defect): Promise<Row> => {
    const row = await hunt(defect, settings, known).catch((error: unknown): Row => {
      return { name: defect.name, isFound: false, by: `cannot be planted: ${String(error)}`, after: 0 };
    });
    console.error(textOf(row));
    return row;
  });
  console.log(`\n${"defect".padEnd(nameWidth)}    after  found by\n${rows.map(textOf).join("\n")}\n`);
  const found = rows.filter(({ isFound }) => isFound).length;
  console.log(`${found} of ${rows.length} found`);
  return found === rows.length ? 0 : 1;
}

process.exitCode = await runCommand(usage, readSettings, findAll);
