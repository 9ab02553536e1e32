import { Worker } from "node:worker_threads";
import type { CacheChoice } from "./cache-choice.ts";
import { addTally, type Tally } from "./tally.ts";
import type { Answer, Chunk, Found, Task } from "./thread-messages.ts";

export interface Run {
  /** The bundled simulation. */
  readonly file: string;
  readonly seed: number;
  /** @default "both" */
  readonly cache?: CacheChoice;
  /** At least so many: the last chunk is run to its end. */
  readonly operations: number;
  readonly jobs: number;
  /** Ends after the first chunk in which something is found. */
  readonly stopsAtFirst?: boolean;
  readonly onProgress?: (operations: number, found: readonly Found[]) => void;
}

export interface RunResult {
  readonly operations: number;
  readonly faults: number;
  readonly found: readonly Found[];
  readonly tally: Tally;
}

/** A thread takes so many at once. They count as a whole, so that the result does not depend on the number of threads. */
const episodesInChunk = 40;

/** A thread that carries out one task at a time. */
export class SimulationThread {
  readonly #worker: Worker;
  #current = Promise.withResolvers<Answer>();

  constructor(file: string) {
    this.#worker = new Worker(file);
    this.#worker.on("message", (answer: Answer) => this.#current.resolve(answer));
    this.#worker.on("error", (error) => this.#current.reject(error));
  }

  do(task: Task): Promise<Answer> {
    this.#current = Promise.withResolvers();
    // eslint-disable-next-line unicorn/require-post-message-target-origin -- that is a window's
    this.#worker.postMessage(task);
    return this.#current.promise;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

/** Runs the episodes of a seed from the first one on, in as many threads as there are jobs. */
export async function runInThreads(run: Run): Promise<RunResult> {
  const collected = new Collected(run);
  let next = 0;
  const threads = Array.from({ length: run.jobs }, () => new SimulationThread(run.file));
  try {
    await Promise.all(
      threads.map(async (thread) => {
        while (!collected.isEnough) {
          const index = next++;
          const first = index * episodesInChunk;
          const { seed, cache = "both" } = run;
          const { chunk } = await thread.do({ kind: "episodes", seed, cache, first, count: episodesInChunk });
          collected.add(index, chunk);
        }
      }),
    );
  } finally {
    await Promise.all(threads.map((thread) => thread.end()));
  }
  return collected;
}

/** Adds chunks up in the order of their episodes, whichever thread was first. */
class Collected implements RunResult {
  operations = 0;
  faults = 0;
  readonly found: Found[] = [];
  readonly tally: Tally = new Map();
  isEnough = false;
  readonly #run: Run;
  readonly #waiting = new Map<number, Chunk>();
  #next = 0;

  constructor(run: Run) {
    this.#run = run;
  }

  add(index: number, chunk: Chunk): void {
    this.#waiting.set(index, chunk);
    for (let following = this.#take(); following && !this.isEnough; following = this.#take()) this.#count(following);
  }

  #take(): Chunk | undefined {
    const chunk = this.#waiting.get(this.#next);
    if (chunk) this.#next += 1;
    return chunk;
  }

  #count({ operations, faults, found, tally }: Chunk): void {
    const { stopsAtFirst = false, onProgress } = this.#run;
    this.found.push(...found.map((one) => ({ ...one, after: one.after + this.operations })));
    this.operations += operations;
    this.faults += faults;
    addTally(this.tally, tally);
    this.isEnough = this.operations >= this.#run.operations || (stopsAtFirst && this.found.length > 0);
    onProgress?.(this.operations, found);
  }
}
