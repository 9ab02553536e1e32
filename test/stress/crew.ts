import { fork, type ChildProcess } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Message, Order, Plan } from "./plan.ts";
import { randomFor } from "./random.ts";

/**
 * A file's metadata carries its last 16 writes: a repeated delivery is recognised as long as no more than 15
 * others were written in between. So after a kill no more operations start than that bound leaves room for,
 * until what was open is done.
 */
const keptWrites = 16;
export const mostProcesses = keptWrites - 1;

const operationsPerKill = 100;
const fewestKills = 10;
/** Milliseconds: about what a server takes for a write. A kill within them leaves a write behind that nobody heard of. */
const writeMilliseconds = 10;
/** No operation is given up later than this: 15 s and one request. */
const stallMilliseconds = 60_000;

/** The worker processes of one server: starts them, kills them at random moments and replaces them. */
export class Crew {
  readonly #plan: Plan;
  readonly #random;
  readonly #members = new Map<number, ChildProcess>();
  readonly #children = new Set<ChildProcess>();
  readonly #waiting: number[] = [];
  readonly #result = Promise.withResolvers<{ readonly kills: number }>();
  /** Numbers of the operations with which a kill falls due, the next one first. */
  readonly #killsDue: number[];
  /** Started and its modules loaded, so that a killed worker's work goes on at once. */
  #spare: ChildProcess;
  #killed: number | undefined;
  #aim: "write" | "timer" | undefined;
  #kills = 0;
  #finished = 0;
  #operations = 0;
  #sinceKill = 0;
  /** When the first operation began: how long the processes took to start says nothing of the operations. */
  #started = Infinity;
  #stall: NodeJS.Timeout | undefined;

  constructor(plan: Plan, signal: AbortSignal) {
    this.#plan = plan;
    this.#random = randomFor(plan.seed, "kills");
    const total = plan.processes * plan.edits;
    const kills = Math.max(fewestKills, Math.round(total / operationsPerKill));
    // One in each of as many equal parts; the last operations end before a kill can hit them.
    const part = (total * 0.9) / kills;
    this.#killsDue = Array.from({ length: kills }, (_, index) => (index + this.#random.below(1_000) / 1_000) * part);
    this.#spare = this.#fork();
    for (let worker = 1; worker <= plan.processes; worker++) this.#begin(worker);
    signal.addEventListener("abort", () => this.#fail(new Error("interrupted")), { once: true });
    this.#watchForStall();
  }

  /** Resolves when every worker has done its part; rejects when one gives up. No process is left either way. */
  get result(): Promise<{ readonly kills: number }> {
    return this.#result.promise;
  }

  #begin(worker: number): void {
    const child = this.#spare;
    this.#spare = this.#fork();
    this.#members.set(worker, child);
    child.on("message", (message: Message) => {
      if (this.#members.get(worker) === child) this.#hear(worker, message);
    });
    child.once("exit", (code, signal) => this.#lose(worker, child, signal ?? `exit code ${code}`));
    order(child, { kind: "begin", worker, plan: this.#plan });
  }

  #fork(): ChildProcess {
    // What the first ones have compiled the later ones need not.
    const env = { ...process.env, NODE_COMPILE_CACHE: compileCacheOf(this.#plan) };
    const child = fork(fileURLToPath(new URL("worker.ts", import.meta.url)), { env });
    this.#children.add(child);
    child.once("exit", () => this.#children.delete(child));
    return child;
  }

  #hear(worker: number, message: Message): void {
    this.#watchForStall();
    if (message.kind === "writing") return this.#hitWrite(worker);
    if (this.#killed === worker) this.#killed = undefined;
    if (message.kind === "ask") {
      this.#waiting.push(worker);
    } else {
      this.#members.delete(worker);
      this.#finished += 1;
    }
    if (this.#finished === this.#plan.processes) this.#end();
    else this.#letGo();
  }

  #letGo(): void {
    const room = (): boolean => this.#killed === undefined || this.#sinceKill < keptWrites - this.#plan.processes;
    while (this.#waiting.length > 0 && room()) {
      const worker = this.#waiting.shift() ?? 0;
      const child = this.#members.get(worker);
      if (!child) continue;
      this.#started = Math.min(this.#started, performance.now());
      this.#operations += 1;
      this.#sinceKill += 1;
      order(child, { kind: "go" });
      this.#takeAim(worker);
    }
  }

  /**
   * Three of four kills hit whoever writes next, before it has heard whether its write was carried out; the others
   * hit the worker of this operation, at any moment of it or soon after.
   */
  #takeAim(worker: number): void {
    const [due = Infinity] = this.#killsDue;
    if (this.#aim !== undefined || this.#killed !== undefined || this.#operations < due) return;
    if (this.#random.chance(0.75)) {
      this.#aim = "write";
      return;
    }
    const usual = ((performance.now() - this.#started) / this.#operations) * this.#plan.processes;
    this.#killIn((this.#random.below(1_200) / 1_000) * usual, worker);
  }

  #hitWrite(worker: number): void {
    if (this.#aim === "write") this.#killIn(this.#random.below(writeMilliseconds), worker);
  }

  #killIn(milliseconds: number, worker: number): void {
    this.#aim = "timer";
    setTimeout(() => this.#kill(worker), milliseconds);
  }

  #kill(worker: number): void {
    this.#aim = undefined;
    const child = this.#members.get(worker);
    if (!child) return; // it has finished: the next operation's worker is aimed at
    this.#killsDue.shift();
    this.#kills += 1;
    this.#sinceKill = 0;
    this.#killed = worker;
    this.#members.delete(worker);
    const place = this.#waiting.indexOf(worker);
    if (place !== -1) this.#waiting.splice(place, 1);
    child.once("exit", () => this.#begin(worker));
    child.kill("SIGKILL");
  }

  #lose(worker: number, child: ChildProcess, end: string): void {
    if (this.#members.get(worker) === child) this.#fail(new Error(`worker ${worker} gave up (${end})`));
  }

  #watchForStall(): void {
    clearTimeout(this.#stall);
    this.#stall = setTimeout(() => this.#fail(new Error("no worker has got on for a minute")), stallMilliseconds);
  }

  #end(): void {
    this.#stop();
    this.#result.resolve({ kills: this.#kills });
  }

  #fail(error: Error): void {
    this.#stop();
    this.#result.reject(error);
  }

  #stop(): void {
    clearTimeout(this.#stall);
    this.#members.clear();
    for (const child of this.#children) {
      child.removeAllListeners("exit");
      child.kill("SIGKILL");
    }
  }
}

export function compileCacheOf({ folder }: Plan): string {
  return join(folder, "compile-cache");
}

function order(child: ChildProcess, message: Order): void {
  // One that has just ended is heard of by its `exit`.
  child.send(message, () => undefined);
}
