import { appendFileSync, existsSync, readFileSync, truncateSync } from "node:fs";
import { join } from "node:path";
import type { MemoryErrorCode } from "../../src/index.ts";
import type { Operation } from "./operations.ts";
import type { Plan } from "./plan.ts";

/** What became of an operation, as the worker was answered. */
export interface Outcome {
  /** Absent for success. */
  readonly code?: MemoryErrorCode;
  readonly content: string;
  /** PutObject requests of the delivery that was answered. */
  readonly puts: number;
  /** Its GetObject requests. */
  readonly gets: number;
  /** Those of its conditional writes that lost a race: answered with 412 or 409. */
  readonly races: number;
}

/** An operation and all that its worker's journal says of it. */
export interface Deed {
  readonly operation: Operation;
  readonly worker: number;
  /** More than 1 where the worker was killed before it had an answer. */
  readonly deliveries: number;
  /** Milliseconds since 1970, before the first delivery and after the last answer. */
  readonly started: number;
  readonly ended: number;
  readonly outcome: Outcome | undefined;
}

type Entry = { readonly at: number } & (
  | { readonly kind: "deliver"; readonly operation: Operation }
  | { readonly kind: "answer"; readonly outcome: Outcome }
);

/** What one worker is about to do and what it was answered, in a file that outlives it. */
export class Journal {
  readonly #file: string;
  readonly #worker: number;

  constructor({ folder }: Plan, worker: number) {
    this.#file = join(folder, `worker-${worker}.jsonl`);
    this.#worker = worker;
  }

  deliver(operation: Operation): void {
    this.#append({ at: Date.now(), kind: "deliver", operation });
  }

  answer(outcome: Outcome): void {
    this.#append({ at: Date.now(), kind: "answer", outcome });
  }

  /** All operations so far, in order; of these only the last may be without an outcome. */
  deeds(): readonly Deed[] {
    const deeds: Deed[] = [];
    for (const { at, ...entry } of this.#entries()) {
      const last = deeds.at(-1);
      if (entry.kind === "answer") {
        if (last) deeds.splice(-1, 1, { ...last, ended: at, outcome: entry.outcome });
      } else if (last && last.operation.id === entry.operation.id) {
        deeds.splice(-1, 1, { ...last, deliveries: last.deliveries + 1 });
      } else {
        const { operation } = entry;
        const worker = this.#worker;
        deeds.push({ operation, worker, deliveries: 1, started: at, ended: Infinity, outcome: undefined });
      }
    }
    return deeds;
  }

  #entries(): readonly Entry[] {
    if (!existsSync(this.#file)) return [];
    const text = readFileSync(this.#file, "utf8");
    // Killed in the middle of a line: what it was about to do was not begun.
    const whole = text.slice(0, text.lastIndexOf("\n") + 1);
    if (whole.length < text.length) truncateSync(this.#file, Buffer.byteLength(whole));
    return whole
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => JSON.parse(line) as Entry);
  }

  #append(entry: Entry): void {
    appendFileSync(this.#file, `${JSON.stringify(entry)}\n`, { flush: true });
  }
}
