import { availableParallelism } from "node:os";
import { randomInt } from "node:crypto";
import { parseArgs } from "node:util";
import { bundleSimulation } from "./bundle.ts";
import { cacheChoices, type CacheChoice } from "./cache-choice.ts";
import { runCommand } from "./command-line.ts";
import { runInThreads, SimulationThread } from "./run-in-threads.ts";
import { describeTally } from "./tally.ts";
import type { Found } from "./thread-messages.ts";

const usage = `npm run simulate -- [--operations N] [--seed S] [--jobs N] [--cache on|off] [--episode I]

Runs real commands of the real core against a simulated S3 with faults, and checks every answer.

  --operations N  how many commands at least (default 50000)
  --seed S        0 to 4294967295 (default: a fresh one, printed)
  --jobs N        threads (default: one for each core)
  --cache on|off  what workers remember of files is used for edits, or not (default: both, half of the episodes each)
  --episode I     only this episode of the seed, with all that happens in it
  --help          this text
`;

const mostReports = 5;
const shrinkMilliseconds = 30_000;

interface Settings {
  readonly operations: number;
  readonly seed: number;
  readonly jobs: number;
  readonly cache: CacheChoice;
  readonly episode: number | undefined;
}

/** `undefined` where help was asked for. Throws a `TypeError` for what makes no sense. */
function readSettings(): Settings | undefined {
  const text = { type: "string" } as const;
  const numbers = { operations: text, seed: text, jobs: text, episode: text };
  const options = { ...numbers, cache: text, help: { type: "boolean" } } as const;
  const { values } = parseArgs({ options });
  if (values.help) return undefined;
  const number = (name: keyof typeof numbers, least: number, most: number): number | undefined => {
    const value = values[name];
    if (value === undefined) return undefined;
    if (/^\d+$/.test(value) && Number(value) >= least && Number(value) <= most) return Number(value);
    throw new TypeError(`--${name} should be a whole number from ${least} to ${most}, not ${value}.`);
  };
  const cache = cacheChoices.find((choice) => choice === (values.cache ?? "both"));
  if (cache === undefined) throw new TypeError(`--cache should be on, off or both, not ${values.cache}.`);
  return {
    cache,
    operations: number("operations", 1, 1e12) ?? 50_000,
    seed: number("seed", 0, 2 ** 32 - 1) ?? randomInt(2 ** 32),
    jobs: number("jobs", 1, 1_024) ?? availableParallelism(),
    episode: number("episode", 0, 2 ** 32 - 1),
  };
}

function lastLine(operations: number, faults: number, violations: number, seed: number): string {
  return `${operations} operations, ${faults} faults, ${violations} violations, seed ${seed}`;
}

async function replay(file: string, { seed, cache }: Settings, episode: number): Promise<number> {
  const thread = new SimulationThread(file);
  try {
    const { chunk, text } = await thread.do({ kind: "trace", seed, cache, episode });
    console.log(text);
    console.log(lastLine(chunk.operations, chunk.faults, chunk.found.length, seed));
    return chunk.found.length > 0 ? 1 : 0;
  } finally {
    await thread.end();
  }
}

/** One violation of each rule: more of the same say little more. */
function toReport(found: readonly Found[]): readonly Found[] {
  const first = found.filter(({ rule }, index) => found.findIndex((other) => other.rule === rule) === index);
  return first.slice(0, mostReports);
}

async function report(file: string, { seed, cache }: Settings, { episode, rule, detail }: Found): Promise<void> {
  console.log(`\nVIOLATION of "${rule}" in episode ${episode}: ${detail}`);
  console.log(`It comes again with: npm run simulate -- --seed ${seed}${cacheArgument(cache)} --episode ${episode}`);
  const thread = new SimulationThread(file);
  try {
    const task = { kind: "shrink", seed, cache, episode, rule, milliseconds: shrinkMilliseconds } as const;
    console.log(`Shrunk:\n${(await thread.do(task)).text}`);
  } finally {
    await thread.end();
  }
}

const cacheArgument = (cache: CacheChoice): string => (cache === "both" ? "" : ` --cache ${cache}`);

async function simulate(file: string, settings: Settings): Promise<number> {
  const { operations, seed, jobs, cache } = settings;
  const started = performance.now();
  let said = started;
  const onProgress = (done: number, found: readonly Found[]): void => {
    for (const { episode, rule } of found) console.error(`seed ${seed}, episode ${episode}: ${rule}`);
    if (performance.now() - said < 10_000) return;
    said = performance.now();
    console.error(`${done} operations, ${Math.round((done * 1000) / (said - started))} a second`);
  };
  const result = await runInThreads({ file, seed, cache, operations, jobs, onProgress });
  for (const found of toReport(result.found)) await report(file, settings, found);
  console.log(`\nWhat came up:\n${describeTally(result.tally)}\n`);
  console.log(lastLine(result.operations, result.faults, result.found.length, seed));
  return result.found.length > 0 ? 1 : 0;
}

async function main(settings: Settings): Promise<number> {
  const bundle = await bundleSimulation();
  try {
    const { episode } = settings;
    return episode === undefined ? await simulate(bundle.file, settings) : await replay(bundle.file, settings, episode);
  } finally {
    await bundle.remove();
  }
}

process.exitCode = await runCommand(usage, readSettings, main);
