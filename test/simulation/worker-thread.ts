import { parentPort } from "node:worker_threads";
import { judgeEpisode, type JudgedEpisode } from "./episode.ts";
import { shrink } from "./shrink.ts";
import { addEpisode, type Tally } from "./tally.ts";
import type { Answer, Chunk, Found, Task } from "./thread-messages.ts";
import { describeLog, describePlan } from "./trace.ts";

export { judgeEpisode, judgePlan } from "./episode.ts";
export { makePlan } from "./make-plan.ts";
export { shrink } from "./shrink.ts";
export { runEpisode } from "./run-episode.ts";

/** One task after the other, in a thread of its own. */
parentPort?.on("message", (task: Task) => void answer(task));

async function answer(task: Task): Promise<void> {
  // Errors are answers here, and most of them are read by nobody: their stacks would cost a tenth of the time.
  Error.stackTraceLimit = task.kind === "trace" ? 10 : 0;
  // eslint-disable-next-line unicorn/require-post-message-target-origin -- that is a window's
  parentPort?.postMessage(await carryOut(task));
}

async function carryOut(task: Task): Promise<Answer> {
  if (task.kind === "episodes") return { chunk: await runEpisodes(task), text: "" };
  const found = await judgeEpisode(task.seed, task.episode, task.cache);
  const shown = task.kind === "shrink" ? await shrink(found, task.rule, task.milliseconds) : found;
  const summary = new Summary();
  summary.add(task.episode, shown);
  return { chunk: summary.chunk(), text: describe(shown) };
}

async function runEpisodes({ seed, cache, first, count }: Extract<Task, { kind: "episodes" }>): Promise<Chunk> {
  const summary = new Summary();
  for (let episode = first; episode < first + count; episode++) {
    summary.add(episode, await judgeEpisode(seed, episode, cache));
  }
  return summary.chunk();
}

class Summary {
  readonly #tally: Tally = new Map();
  readonly #found: Found[] = [];
  #operations = 0;
  #faults = 0;

  add(episode: number, judged: JudgedEpisode): void {
    const { log, violations } = judged;
    this.#operations += log.operations.length;
    this.#faults += log.faults;
    addEpisode(this.#tally, judged);
    for (const violation of violations) this.#found.push({ ...violation, episode, after: this.#operations });
  }

  chunk(): Chunk {
    return { operations: this.#operations, faults: this.#faults, found: this.#found, tally: [...this.#tally] };
  }
}

function describe({ plan, faults, log, violations }: JudgedEpisode): string {
  const broken = violations.map(({ rule, operation, detail }) => `Broken: ${rule} (op ${operation ?? "-"}): ${detail}`);
  return [describePlan(plan, faults), describeLog(log), ...broken].join("\n");
}
