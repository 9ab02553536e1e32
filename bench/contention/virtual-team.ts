import { createKeySpace } from "../../src/core/key-space.ts";
import { createUserMemory } from "../../src/core/memory.ts";
import type { ObjectStore } from "../../src/core/object-store.ts";
import { openStore } from "../../src/core/open-store.ts";
import { resolveMemoryOptions } from "../../src/options.ts";
import { systemRuntime } from "../../src/runtime.ts";
import { inMemoryStore } from "../../src/testing/index.ts";
import { VirtualTime } from "../../test/support/virtual-time.ts";
import { counter, countersPath } from "./counters.ts";
import { median as middle } from "../statistics.ts";
import { knownFilesBy, readsFirst, type DirectEdits } from "./known-files.ts";
import type { PauseRule } from "./pauses.ts";
import { forgetful, Pausing } from "./pausing.ts";
import { seeded, type Random } from "./seeded.ts";

/** Medians in milliseconds. One way in 50 takes three times as long. */
export interface Latency {
  readonly get: number;
  readonly put: number;
}

export interface VirtualTeam {
  readonly workers: number;
  /** Of each worker, one after the other without a pause of its own. */
  readonly edits: number;
  readonly latency: Latency;
  /** Every second worker is so many times as far away. @default 1 */
  readonly distance?: number;
  readonly rule: PauseRule;
  /** When a known file is edited unread. @default as the library does */
  readonly direct?: DirectEdits | undefined;
  /** Milliseconds from the end of an edit to the worker's next one, on average. @default 0 */
  readonly thinking?: number;
  readonly seed: number;
}

/** What came of it. */
export interface TeamFigures {
  readonly edits: number;
  readonly refused: number;
  readonly puts: number;
  readonly gets: number;
  /** Successes a second while all workers were at it. */
  readonly perSecond: number;
  /** Milliseconds of each edit that was not refused. */
  readonly times: readonly number[];
  /** When the first worker was ready, as a part of the time that the last one took. */
  readonly evenness: number;
}

/** The library's real commands, on a store in this process and a clock that waits for nobody. */
export async function runVirtualTeam(team: VirtualTeam): Promise<TeamFigures> {
  const time = new VirtualTime();
  const random = seeded(team.seed);
  const bucket = inMemoryStore();
  const log = { puts: 0, gets: 0, times: [] as number[], refused: 0, doneWhileAll: 0, readyAt: [] as number[] };

  const work = async (worker: number): Promise<void> => {
    const distance = worker % 2 === 1 ? (team.distance ?? 1) : 1;
    const store = distantStore(bucket, { time, random, latency: team.latency, distance, count: log });
    const edit = makeWorker(store, time, random, team);
    let done = 0;
    for (let count = 0; count < team.edits; count++) {
      const startedAt = time.now;
      if (await edit(counter(worker, done), counter(worker, done + 1))) {
        done += 1;
        log.times.push(time.now - startedAt);
        if (log.readyAt.length === 0) log.doneWhileAll += 1;
      } else log.refused += 1;
      if (team.thinking) await time.after(-Math.log(1 - random()) * team.thinking);
    }
    log.readyAt.push(time.now);
  };
  const everybody = async (): Promise<void> => {
    const lines = Array.from({ length: team.workers }, (_, worker) => counter(worker, 0));
    await createUserMemory(scopeOf(bucket, time)).execute({
      command: "create",
      path: countersPath,
      file_text: lines.join("\n"),
    });
    await Promise.all(lines.map((_, worker) => work(worker)));
  };
  await time.run(everybody());
  const [first = 1] = log.readyAt;
  return {
    edits: team.workers * team.edits,
    refused: log.refused,
    puts: log.puts,
    gets: log.gets,
    perSecond: (log.doneWhileAll / first) * 1_000,
    times: log.times,
    evenness: first / (log.readyAt.at(-1) ?? 1),
  };
}

interface Distance {
  readonly time: VirtualTime;
  readonly random: Random;
  readonly latency: Latency;
  readonly distance: number;
  readonly count: { puts: number; gets: number };
}

/** Half of a request's time goes by before the store decides, half after it. */
function distantStore(bucket: ObjectStore, { time, random, latency, distance, count }: Distance): ObjectStore {
  const way = async (median: number): Promise<void> => {
    const spread = Math.exp(0.2 * normal(random)) * (random() < 0.02 ? 3 : 1);
    await time.after((median / 2) * distance * spread);
  };
  return {
    ...bucket,
    async get(...values) {
      count.gets += 1;
      await way(latency.get);
      const answer = await bucket.get(...values);
      await way(latency.get);
      return answer;
    },
    async put(...values) {
      count.puts += 1;
      await way(latency.put);
      const answer = await bucket.put(...values);
      await way(latency.put);
      return answer;
    },
  };
}

function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

function scopeOf(store: ObjectStore, time: VirtualTime): Parameters<typeof createUserMemory>[0] {
  const resolved = resolveMemoryOptions({ store, onError: () => undefined });
  const keys = createKeySpace({ user: "team" });
  const runtime = { ...systemRuntime, now: () => time.now, sleep: async (pause: number) => time.after(pause) };
  return { ...resolved, ...openStore(resolved, runtime.now), keys, actor: undefined, readOnly: false, runtime };
}

type Edit = (before: string, after: string) => Promise<boolean>;

/** A process of its own: a memory that knows nothing of the others. Answers whether the edit was made. */
function makeWorker(
  store: ObjectStore,
  time: VirtualTime,
  random: Random,
  { rule, direct }: Pick<VirtualTeam, "rule" | "direct">,
): Edit {
  const scope = scopeOf(store, time);
  const known = direct && knownFilesBy(direct, store, () => time.now);
  const pausing = rule.pause && new Pausing(rule.pause, time, random, scope.retry.totalMilliseconds);
  // The library's own pause and its check of the time are left out where another rule is tried: what it asks for is nothing.
  const other = pausing && {
    ...forgetful,
    runtime: { ...scope.runtime, sleep: () => pausing.sleep(), random: () => 0 },
  };
  const memory = createUserMemory({ ...scope, ...known, runtime: { ...scope.runtime, random }, ...other });
  return async (before, after) => {
    const signal = pausing?.begin();
    const input = { command: "str_replace", path: countersPath, old_str: before, new_str: after };
    return !(await memory.execute(input, signal && { signal })).isError;
  };
}

/** Milliseconds of an edit that loses one race and meets nobody after it: the median of many. */
export async function timeWithOneLostRace(rule: PauseRule, milliseconds: number, edits: number): Promise<number> {
  const time = new VirtualTime();
  const random = seeded(1);
  const bucket = inMemoryStore();
  const other = createUserMemory(scopeOf(bucket, time));
  const count = { puts: 0, gets: 0 };
  const latency = { get: milliseconds, put: milliseconds };
  const store = distantStore(bucket, { time, random, latency, distance: 1, count });
  let isDisturbed = false;
  const disturbed: ObjectStore = {
    ...store,
    async put(...values) {
      if (isDisturbed) await other.execute({ command: "insert", path: countersPath, insert_line: 0, insert_text: "x" });
      isDisturbed = false;
      return store.put(...values);
    },
  };
  const edit = makeWorker(disturbed, time, random, { rule, direct: readsFirst });
  const times: number[] = [];
  const editAgainAndAgain = async (): Promise<void> => {
    await other.execute({ command: "create", path: countersPath, file_text: counter(0, 0) });
    for (let n = 0; n < edits; n++) {
      await time.after(10_000); // what the edit before has learned is forgotten
      isDisturbed = true;
      const startedAt = time.now;
      await edit(counter(0, n), counter(0, n + 1));
      times.push(time.now - startedAt);
    }
  };
  await time.run(editAgainAndAgain());
  return middle(times);
}
