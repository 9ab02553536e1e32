/** A task in somebody's hands. */
export interface Delivery<Task> {
  readonly receipt: number;
  readonly task: Task;
  /** How often the task has been handed out, this time included. */
  readonly attempt: number;
  /** After this time somebody else may get it. */
  readonly milliseconds: number;
}

interface Entry<Task> {
  readonly task: Task;
  attempt: number;
}

export interface QueueOptions {
  /** A task that is not acknowledged in this time is handed out again. */
  readonly visibilityMilliseconds: number;
  /** A task that was handed out so often is given up. */
  readonly attempts: number;
  /** Something can be received again, or nothing is left. */
  readonly onChange: () => void;
}

/** What queues promise: each task at least once, in no certain order. A worker that dies simply does not acknowledge. */
export class Queue<Task> {
  readonly #waiting: Entry<Task>[];
  readonly #taken = new Map<number, { readonly entry: Entry<Task>; readonly timer: NodeJS.Timeout }>();
  readonly #options: QueueOptions;
  #receipts = 0;
  /** What was handed out too often. */
  readonly givenUp: Task[] = [];

  constructor(tasks: readonly Task[], options: QueueOptions) {
    this.#waiting = tasks.map((task) => ({ task, attempt: 0 }));
    this.#options = options;
  }

  /** How many deliveries there have been. */
  get deliveries(): number {
    return this.#receipts;
  }

  get isDone(): boolean {
    return this.#waiting.length === 0 && this.#taken.size === 0;
  }

  receive(): Delivery<Task> | undefined {
    const entry = this.#waiting.shift();
    if (entry === undefined) return undefined;
    entry.attempt += 1;
    const receipt = (this.#receipts += 1);
    const milliseconds = this.#options.visibilityMilliseconds;
    const timer = setTimeout(() => this.release(receipt), milliseconds);
    this.#taken.set(receipt, { entry, timer });
    return { receipt, task: entry.task, attempt: entry.attempt, milliseconds };
  }

  /** The task is done. Too late where it was handed out again meanwhile: then it is done twice. */
  acknowledge(receipt: number): void {
    if (this.#take(receipt)) this.#options.onChange();
  }

  /** The task is not done: somebody else shall have it. */
  release(receipt: number): void {
    const entry = this.#take(receipt);
    if (entry === undefined) return;
    if (entry.attempt < this.#options.attempts) this.#waiting.push(entry);
    else this.givenUp.push(entry.task);
    this.#options.onChange();
  }

  #take(receipt: number): Entry<Task> | undefined {
    const taken = this.#taken.get(receipt);
    clearTimeout(taken?.timer);
    this.#taken.delete(receipt);
    return taken?.entry;
  }
}
