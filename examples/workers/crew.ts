import { fork, type ChildProcess } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Environment } from "../support/surroundings.ts";
import type { Delivery } from "./queue.ts";
import type { Task } from "./tasks.ts";
import type { Outcome, Report } from "./worker.ts";

const program = fileURLToPath(new URL("worker.ts", import.meta.url));

/** A process that works on one task after the other. */
export interface Worker {
  readonly name: string;
  readonly process: ChildProcess;
  readonly task: Delivery<Task> | undefined;
}

export interface CrewOptions {
  readonly environment: Environment;
  /** It is ready for the next task. */
  readonly onFree: () => void;
  readonly onOutcome: (worker: Worker, delivery: Delivery<Task>, outcome: Outcome) => void;
  /** It has ended before it was told to. */
  readonly onDeath: (worker: Worker) => void;
}

interface Member extends Worker {
  task: Delivery<Task> | undefined;
  isReady: boolean;
}

/** The processes, each with at most one task. */
export class Crew {
  readonly #options: CrewOptions;
  readonly #members = new Set<Member>();
  #started = 0;
  #arrived = 0;
  #isOver = false;

  constructor(options: CrewOptions) {
    this.#options = options;
  }

  get started(): number {
    return this.#started;
  }

  /** How many of them were ever ready. */
  get arrived(): number {
    return this.#arrived;
  }

  start(): Worker {
    this.#started += 1;
    const child = fork(program, { env: { ...this.#options.environment } });
    const member: Member = { name: `worker ${this.#started}`, process: child, task: undefined, isReady: false };
    this.#members.add(member);
    child.on("message", (report: Report) => this.#hear(member, report));
    child.on("exit", () => {
      this.#members.delete(member);
      if (!this.#isOver) this.#options.onDeath(member);
    });
    return member;
  }

  /** Whoever is free and lets a task be given to it. */
  free(): Worker | undefined {
    return [...this.#members].find(({ isReady, task }) => isReady && task === undefined);
  }

  give(worker: Worker, delivery: Delivery<Task>): void {
    for (const member of this.#members) if (member === worker) member.task = delivery;
    worker.process.send(delivery);
  }

  /** Who has a task of this customer. */
  holderOf(customer: string): Worker | undefined {
    return [...this.#members].find(({ task }) => task?.task.customer === customer);
  }

  /** Nobody is sent anything any more; each ends when it has nothing left to do. */
  async dismiss(): Promise<void> {
    this.#isOver = true;
    const members = [...this.#members];
    await Promise.all(
      members.map(
        ({ process: child }) =>
          new Promise<void>((resolve) => {
            child.once("exit", () => resolve());
            child.disconnect();
          }),
      ),
    );
  }

  #hear(member: Member, report: Report): void {
    if (report.isReady) {
      member.isReady = true;
      this.#arrived += 1;
    } else {
      const { task: delivery } = member;
      member.task = undefined;
      if (delivery?.receipt === report.receipt) this.#options.onOutcome(member, delivery, report);
    }
    this.#options.onFree();
  }
}
