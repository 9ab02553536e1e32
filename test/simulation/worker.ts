import type { UserMemory } from "../../src/core/memory.ts";
import type { OpenStore } from "../../src/core/open-store.ts";
import type { Conversation } from "./conversation.ts";
import type { PlannedDeath, PlannedOperation, Turn } from "./plan.ts";
import type { Delivery, RunningOperation } from "./running-operation.ts";
import type { Ticket } from "./scheduler.ts";

/** What a process has of its own: the cache above the store. */
export interface LiveProcess {
  readonly number: number;
  readonly store: OpenStore;
}

/** A conversation that a worker has at present. */
export interface LiveConversation {
  readonly process: number;
  readonly number: number;
  readonly memory: UserMemory;
  readonly knowledge: Conversation;
}

/** What a worker needs of the episode around it. */
export interface Surroundings {
  readonly add: (ticket: Ticket) => void;
  readonly remove: (ticket: Ticket) => void;
  readonly removeWorker: (worker: number) => void;
  /** The process that a worker begins in. */
  readonly processOf: (worker: number) => LiveProcess;
  readonly startProcess: () => LiveProcess;
  readonly newConversation: (process: LiveProcess) => LiveConversation;
  readonly call: (worker: number, conversation: LiveConversation, delivery: Delivery) => RunningOperation;
  readonly recordDeath: (operations: readonly RunningOperation[]) => void;
  readonly giveTo: (worker: number, deliveries: readonly Delivery[]) => void;
}

interface QueuedTurn {
  readonly deliveries: readonly Delivery[];
  readonly death: PlannedDeath | undefined;
}

/** Carries out one turn after the other, until it dies; then it starts again in a new process and knows nothing. */
export class Worker {
  readonly #index: number;
  readonly #around: Surroundings;
  readonly #turns: QueuedTurn[];
  #conversation: LiveConversation;
  #running: readonly RunningOperation[] = [];
  #turn = "";
  #death: PlannedDeath | undefined;
  #deathTicket: Ticket | undefined;
  #requests = 0;
  /** Nothing is under way, and no ticket waits to begin anything. */
  #isIdle = true;

  constructor(index: number, turns: readonly Turn[], around: Surroundings) {
    this.#index = index;
    this.#around = around;
    this.#turns = turns.map(({ operations, death }) => ({
      deliveries: operations.map((planned) => ({ planned, count: 0 })),
      death,
    }));
    this.#conversation = around.newConversation(around.processOf(index));
    this.#goOn();
  }

  /** One more turn at the end of its list. */
  give(deliveries: readonly Delivery[]): void {
    this.#turns.push({ deliveries, death: undefined });
    if (this.#isIdle) this.#goOn();
  }

  /** One of its operations sent a request. */
  noteRequest(): void {
    this.#requests += 1;
    if (this.#death?.afterRequests !== this.#requests) return;
    this.#deathTicket = this.#ticket(`death ${this.#turn}`, () => this.#die());
    this.#around.add(this.#deathTicket);
  }

  /** One of its operations was answered. */
  noteAnswer(): void {
    if (this.#running.every(({ state }) => state === "answered")) this.#goOn();
  }

  #ticket(name: string, run: () => void): Ticket {
    return { worker: this.#index, operation: -1, readyAt: 0, run, name: () => name };
  }

  #goOn(): void {
    if (this.#deathTicket) this.#around.remove(this.#deathTicket);
    this.#deathTicket = undefined;
    this.#death = undefined;
    const turn = this.#turns.shift();
    this.#isIdle = turn === undefined;
    const [first] = turn?.deliveries ?? [];
    this.#turn = `turn ${first?.planned.key}.${first?.count}`;
    if (turn) this.#around.add(this.#ticket(this.#turn, () => this.#begin(turn)));
  }

  #begin({ deliveries, death }: QueuedTurn): void {
    this.#death = death;
    this.#requests = 0;
    this.#running = deliveries.map((delivery) => this.#around.call(this.#index, this.#conversation, delivery));
  }

  #die(): void {
    const again = this.#death?.again ?? "never";
    const lost = this.#running.filter(({ state }) => state === "under way");
    for (const operation of lost) operation.state = "dead";
    this.#around.recordDeath(lost);
    for (const { inFlight } of lost) for (const request of inFlight) request.abandon();
    // What waits in the queue behind them must not begin, and change what a process that lives on knows.
    for (const { controller } of lost) controller.abort();
    this.#around.removeWorker(this.#index);
    this.#conversation = this.#around.newConversation(this.#around.startProcess());
    const deliveries = lost
      .map(({ delivery: { planned, count } }) => ({ planned, count: count + 1 }))
      .filter(({ planned }) => canComeAgain(planned));
    if (deliveries.length > 0) this.#deliverAgain(deliveries, again);
    this.#goOn();
  }

  #deliverAgain(deliveries: readonly Delivery[], again: PlannedDeath["again"]): void {
    if (again === "at once") this.#turns.unshift({ deliveries, death: undefined });
    else if (again === "later") this.#turns.push({ deliveries, death: undefined });
    else if (again !== "never") this.#around.giveTo(again, deliveries);
  }
}

/** Without the id of its tool_use nobody can tell a repeated edit from a new one, so whoever sends it again means it. */
function canComeAgain({ toolUse, command: { command } }: PlannedOperation): boolean {
  return toolUse !== undefined || command === "view" || command === "delete" || command === "rename";
}
