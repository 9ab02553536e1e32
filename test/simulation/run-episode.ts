import { createKeySpace } from "../../src/core/key-space.ts";
import { openStore, type OpenStore } from "../../src/core/open-store.ts";
import { createUserMemory, type UserScope } from "../../src/core/memory.ts";
import type { MemoryResult } from "../../src/core/result.ts";
import { resolveMemoryOptions } from "../../src/options.ts";
import { Conversation } from "./conversation.ts";
import { FaultSource, type Fault } from "./faults.ts";
import type { Wire } from "./in-flight.ts";
import type { EpisodeLog, LogEvent, Operation, State, Violation } from "./log.ts";
import type { Plan } from "./plan.ts";
import { createRandom, deriveSeed } from "./random.ts";
import { RunningOperation, type Delivery } from "./running-operation.ts";
import { Scheduler, type Order } from "./scheduler.ts";
import { SimulatedBucket } from "./simulated-bucket.ts";
import { SimulatedIds } from "./simulated-ids.ts";
import { useTimersOf } from "./simulated-timers.ts";
import { storeBySignal } from "./store-by-signal.ts";
import { Worker, type LiveConversation, type LiveProcess, type Surroundings } from "./worker.ts";

export interface EpisodeResult {
  readonly log: EpisodeLog;
  /** What the engine itself saw go wrong, whatever the checker says. */
  readonly violations: readonly Violation[];
  /** The faults of single requests: with these as `listed`, the episode is the same again. */
  readonly faults: readonly Fault[];
  /** What happened, in its order: with that a smaller plan goes the same way, as far as it can. */
  readonly order: () => Order;
}

/** Far more than any episode needs: whoever is not done by then never will be. */
const mostSteps = 100_000;

/** Runs a plan. The same plan and schedule seed give the same log, byte for byte. */
export async function runEpisode(plan: Plan, scheduleSeed: number, order?: Order): Promise<EpisodeResult> {
  const episode = new Episode(plan, new Scheduler(plan.style, createRandom(scheduleSeed), order));
  useTimersOf(episode.scheduler);
  process.on("unhandledRejection", episode.noteStray);
  try {
    return await episode.run();
  } finally {
    process.off("unhandledRejection", episode.noteStray);
    useTimersOf(undefined);
  }
}

/** Everything that follows from the last step by itself has happened: there are only microtasks in it. */
function untilQuiet(): Promise<void> {
  return new Promise((resolve) => void setImmediate(resolve));
}

class Episode {
  readonly scheduler: Scheduler;
  readonly #plan: Plan;
  readonly #wire: Wire;
  readonly #bucket: SimulatedBucket;
  readonly #faults: FaultSource;
  readonly #ids = new SimulatedIds();
  readonly #scope: Omit<UserScope, "runtime" | keyof OpenStore> & Parameters<typeof openStore>[0];
  readonly #workers: Worker[] = [];
  /** By their number; those of the plan come first. */
  readonly #processes: LiveProcess[];
  readonly #initial: readonly State[];
  readonly #events: LogEvent[] = [];
  readonly #operations: Operation[] = [];
  readonly #running: RunningOperation[] = [];
  readonly #bySignal = new WeakMap<AbortSignal, RunningOperation>();
  /** By tool_use: all deliveries of one have the input that was chosen for the first. */
  readonly #firstDeliveries = new Map<string, Operation>();
  readonly #writeIds = new Map<number, string>();
  readonly #violations: Violation[] = [];
  #requests = 0;
  #conversations = 0;
  #faultCount = 0;

  constructor(plan: Plan, scheduler: Scheduler) {
    this.#plan = plan;
    this.scheduler = scheduler;
    this.#bucket = new SimulatedBucket(plan.settings.etags, () => this.scheduler.now);
    this.#faults = new FaultSource(plan.faults);
    const record = (event: LogEvent): void => this.#record(event);
    this.#wire = { scheduler: this.scheduler, bucket: this.#bucket, faults: this.#faults, record };
    const { files = Infinity, totalBytes = Infinity } = plan.limits;
    const store = storeBySignal((signal) => this.#operationOf(signal).store);
    const { onExisting, directEdits } = plan.settings;
    const options = { store, limits: { files, totalBytes }, retry: plan.retry, onExisting, cache: { directEdits } };
    const shared = resolveMemoryOptions({ ...options, onError: () => undefined });
    const keys = createKeySpace({ prefix: undefined, user: "u" });
    this.#scope = { ...shared, keys, actor: undefined, readOnly: false };
    this.#initial = this.#plant();
    const planned = Math.max(...plan.workers.map(({ process }) => process));
    this.#processes = Array.from({ length: planned + 1 }, (_, number) => this.#newProcess(number));
    const around = this.#surroundings();
    for (const [index, { turns }] of plan.workers.entries()) this.#workers.push(new Worker(index, turns, around));
  }

  readonly noteStray = (reason: unknown): void =>
    this.#violated("a rejection that nobody handles", undefined, describe(reason));

  async run(): Promise<EpisodeResult> {
    for (let step = 0; step < mostSteps; step++) {
      const happen = this.scheduler.next();
      if (happen === undefined) break;
      happen();
      await untilQuiet();
    }
    for (const { state, operation } of this.#running) {
      if (state === "under way")
        this.#violated("a command never answers", operation, "Nothing is left that could go on.");
    }
    const { files = Infinity, totalBytes = Infinity } = this.#plan.limits;
    const log: EpisodeLog = {
      settings: { ...this.#plan.settings, files, totalBytes },
      memories: this.#scope.keys.memories,
      operations: this.#operations,
      initial: this.#initial,
      events: this.#events,
      final: this.#bucket.states(),
      writeIds: this.#writeIds,
      faults: this.#faultCount,
    };
    const order = (): Order => this.scheduler.order;
    return { log, violations: this.#violations, faults: this.#faults.drawn, order };
  }

  /** What earlier conversations and other tools left. */
  #plant(): readonly State[] {
    const encoder = new TextEncoder();
    return this.#plan.initial.map(({ name, text, by }, index) =>
      this.#bucket.plant(this.#scope.keys.memories + name, {
        body: encoder.encode(text),
        contentType: "text/plain; charset=utf-8",
        metadata: by === "memory" ? { "write-ids": `i${index + 1}`, command: "create" } : {},
      }),
    );
  }

  #surroundings(): Surroundings {
    const { scheduler } = this;
    return {
      add: (ticket) => scheduler.add(ticket),
      remove: (ticket) => scheduler.remove(ticket),
      removeWorker: (worker) => scheduler.removeWorker(worker),
      processOf: (worker) => {
        const process = this.#processes[this.#plan.workers[worker]?.process ?? -1];
        if (process === undefined) throw new RangeError(`Worker ${worker} has no process in the plan.`);
        return process;
      },
      startProcess: () => {
        const process = this.#newProcess(this.#processes.length);
        this.#processes.push(process);
        return process;
      },
      newConversation: (process) => this.#newConversation(process),
      call: (worker, conversation, delivery) => this.#call(worker, conversation, delivery),
      recordDeath: (operations) => {
        const [first] = operations;
        if (first) this.#record({ kind: "fault", operation: first.operation, request: undefined, fault: "death" });
        for (const { operation } of operations) this.#record({ kind: "death", operation });
      },
      giveTo: (worker, deliveries) => this.#workers[worker]?.give(deliveries),
    };
  }

  #newProcess(number: number): LiveProcess {
    return { number, store: openStore(this.#scope, () => this.scheduler.now) };
  }

  #newConversation({ number: process, store }: LiveProcess): LiveConversation {
    const number = this.#conversations++;
    const random = createRandom(deriveSeed(this.#plan.faults.seed, number, 2));
    const runtime = {
      now: () => this.scheduler.now,
      sleep: (milliseconds: number, signal?: AbortSignal) => this.#sleep(milliseconds, signal),
      random: random.fraction,
      randomId: this.#ids.randomId,
      hash: this.#ids.hash,
    };
    const memory = createUserMemory({ ...this.#scope, ...store, runtime });
    return { process, number, memory, knowledge: new Conversation() };
  }

  #call(worker: number, conversation: LiveConversation, delivery: Delivery): RunningOperation {
    const { planned } = delivery;
    const name = planned.toolUse === undefined ? `k${planned.key}` : `t${planned.toolUse}`;
    const first = this.#firstDeliveries.get(name);
    const input = first?.input ?? conversation.knowledge.inputOf(planned);
    const id = this.#operations.length;
    const toolUseId = planned.toolUse === undefined ? undefined : `tool-${planned.toolUse}`;
    const { process, number } = conversation;
    const entry: Operation = { id, worker, process, conversation: number, input, toolUseId, repeats: first?.id };
    this.#operations.push(entry);
    if (first === undefined) this.#firstDeliveries.set(name, entry);
    this.#record({ kind: "call", operation: id });
    if (first) this.#record({ kind: "fault", operation: id, request: undefined, fault: "delivered again" });
    const running = new RunningOperation({ delivery, operation: id, worker, input }, this.#wire, () => {
      this.#workers[worker]?.noteRequest();
      return this.#requests++;
    });
    this.#running.push(running);
    this.#bySignal.set(running.controller.signal, running);
    this.#execute(running, conversation, toolUseId);
    return running;
  }

  #execute(running: RunningOperation, { memory, knowledge }: LiveConversation, toolUseId: string | undefined): void {
    const { operation, input, controller, worker } = running;
    // A command makes its write id before it does anything else.
    this.#ids.onId = (id) => void (this.#writeIds.has(operation) || this.#writeIds.set(operation, id));
    const options = { signal: controller.signal, ...(toolUseId === undefined ? {} : { toolUseId }) };
    const result = memory.execute(input, options);
    this.#ids.onId = undefined;
    const onAnswer = (answer: MemoryResult): void => {
      if (running.state === "dead") return;
      running.state = "answered";
      const content = typeof answer.content === "string" ? answer.content : JSON.stringify(answer.content);
      const code = answer.isError ? answer.code : undefined;
      this.#record({ kind: "answer", operation, isError: answer.isError, code, content });
      const cause: unknown = answer.isError ? answer.error.cause : undefined;
      if (isProgramError(cause)) this.#violated("an error of the program", operation, describe(cause));
      if (!answer.isError) knowledge.learn(input, content);
      this.#workers[worker]?.noteAnswer();
    };
    result.then(onAnswer, (error: unknown) => this.#violated("a command rejects", operation, describe(error)));
  }

  #operationOf(signal: AbortSignal | undefined): RunningOperation {
    const running = signal && this.#bySignal.get(signal);
    if (running) return running;
    this.#violated("a request without its command's signal", undefined, "An abort would not end it.");
    throw new TypeError("A request came without its command's signal.");
  }

  #sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    const running = this.#operationOf(signal);
    const { operation, worker, state } = running;
    const { promise, resolve } = Promise.withResolvers<void>();
    if (state === "dead") return promise;
    if (signal?.aborted) return Promise.resolve();
    const readyAt = this.scheduler.now + milliseconds;
    const pause = running.nextPause();
    const name = (): string => pause;
    const ticket = { operation, worker, readyAt, run: () => resolve(), name };
    this.scheduler.add(ticket);
    const onAbort = (): void => {
      this.scheduler.remove(ticket);
      resolve();
    };
    signal?.addEventListener("abort", onAbort, { once: true });
    return promise;
  }

  #record(event: LogEvent): void {
    if (event.kind === "fault") this.#faultCount += 1;
    this.#events.push(event);
  }

  #violated(rule: string, operation: number | undefined, detail: string): void {
    this.#violations.push({ rule, operation, detail });
  }
}

/** Where it was not thrown on purpose. */
function isProgramError(error: unknown): boolean {
  return error instanceof TypeError || error instanceof ReferenceError || error instanceof RangeError;
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
