import type { Random } from "./random.ts";

/** Something that can happen next. */
export interface Ticket {
  /** `nobody`: a request that is still on its way though its worker no longer waits for it. */
  readonly worker: number;
  /** The operation's number in the log, or -1 where none has begun. */
  readonly operation: number;
  /** Virtual milliseconds. `Infinity`: only when nothing else is left. */
  readonly readyAt: number;
  readonly run: () => void;
  /** The same in every episode of the same plan, or of a smaller one. */
  readonly name: () => string;
}

export const nobody = -1;

/** A limit on a request: it fires where nothing else can happen before it is due. */
export interface Timer {
  readonly due: number;
  readonly run: () => void;
}

/**
 * How the next step is chosen. Uniform choice alone rarely goes deep: most races need one worker to stand still while
 * another does a lot.
 */
export interface ScheduleStyle {
  readonly kind: "uniform" | "favourite" | "alternation" | "priorities" | "holding back" | "bursts";
  /** How likely a style's own change is, at each step. */
  readonly change: number;
  /** Milliseconds; what a step takes at most. */
  readonly pace: number;
}

/** What happened in an episode, in its order. */
export type Order = readonly string[];

/**
 * The virtual clock, and the seeded choice of what goes on next. Where an order is given, it is kept as far as what
 * it names is there to happen.
 */
export class Scheduler {
  now = 0;
  readonly #style: ScheduleStyle;
  readonly #random: Random;
  readonly #tickets: Ticket[] = [];
  /** In the order in which they are due: all limits are equally long. */
  readonly #timers = new Set<Timer>();
  readonly #held = new WeakSet<Ticket>();
  readonly #ready: Ticket[] = [];
  readonly #priorities = new Map<number, number>();
  #lowest = 0;
  #last: Ticket | undefined;
  readonly #happened: Ticket[] = [];
  readonly #places: ReadonlyMap<string, number> | undefined;

  constructor(style: ScheduleStyle, random: Random, order?: Order) {
    this.#style = style;
    this.#random = random;
    this.#places = order && new Map(order.map((name, index) => [name, index]));
  }

  get order(): Order {
    return this.#happened.map((ticket) => ticket.name());
  }

  add(ticket: Ticket): void {
    this.#tickets.push(ticket);
    if (this.#style.kind === "holding back" && this.#random.chance(this.#style.change)) this.#held.add(ticket);
  }

  remove(ticket: Ticket): void {
    const index = this.#tickets.indexOf(ticket);
    if (index !== -1) this.#tickets.splice(index, 1);
  }

  removeWorker(worker: number): void {
    for (const ticket of this.#tickets.filter((one) => one.worker === worker)) this.remove(ticket);
  }

  startTimer(timer: Timer): void {
    this.#timers.add(timer);
  }

  stopTimer(timer: Timer): void {
    this.#timers.delete(timer);
  }

  /** What happens next, `undefined` where nothing is left. The clock has moved to it. */
  next(): (() => void) | undefined {
    this.now += 1 + this.#random.below(this.#style.pace);
    const [timer] = this.#timers;
    const ticket = this.#places ? this.#inOrder(this.#places) : this.#readyTicket();
    if (timer !== undefined && timer.due <= Math.max(this.now, ticket?.readyAt ?? Infinity)) return this.#fire(timer);
    if (ticket === undefined) return undefined;
    if (ticket.readyAt !== Infinity) this.now = Math.max(this.now, ticket.readyAt);
    this.remove(ticket);
    this.#last = ticket;
    this.#happened.push(ticket);
    return ticket.run;
  }

  #readyTicket(): Ticket | undefined {
    return this.#collectReady() ? this.#choose() : this.#soonest();
  }

  #collectReady(): boolean {
    this.#ready.length = 0;
    for (const ticket of this.#tickets) if (ticket.readyAt <= this.now) this.#ready.push(ticket);
    return this.#ready.length > 0;
  }

  /** Nobody can go on before this: the clock jumps there. */
  #soonest(): Ticket | undefined {
    let first: Ticket | undefined;
    for (const ticket of this.#tickets) if (first === undefined || ticket.readyAt < first.readyAt) first = ticket;
    return first?.readyAt === Infinity ? this.#any(this.#tickets) : first;
  }

  #inOrder(places: ReadonlyMap<string, number>): Ticket | undefined {
    let first: Ticket | undefined;
    let best = Infinity;
    for (const ticket of this.#tickets) {
      const place = places.get(ticket.name());
      if (place === undefined || place >= best) continue;
      best = place;
      first = ticket;
    }
    return first ?? this.#readyTicket();
  }

  #fire(timer: Timer): () => void {
    this.#timers.delete(timer);
    this.now = Math.max(this.now, timer.due);
    return timer.run;
  }

  #choose(): Ticket {
    switch (this.#style.kind) {
      case "uniform":
        return this.#any(this.#ready);
      case "favourite":
        return this.#favourite();
      case "alternation":
        return this.#nextWorker();
      case "priorities":
        return this.#foremost();
      case "holding back":
        return this.#any(this.#ready.filter((ticket) => !this.#held.has(ticket)));
      case "bursts":
        return this.#sameOperation();
    }
  }

  #any(tickets: readonly Ticket[]): Ticket {
    const among = tickets.length > 0 ? tickets : this.#ready;
    const chosen = among[this.#random.below(among.length)];
    if (chosen === undefined) throw new Error("There is nothing to choose from.");
    return chosen;
  }

  /** One worker goes on as long as it can; now and then it is another. */
  #favourite(): Ticket {
    const last = this.#last?.worker ?? nobody;
    const stays = !this.#random.chance(this.#style.change);
    return this.#any(stays && last !== nobody ? this.#ready.filter(({ worker }) => worker === last) : this.#ready);
  }

  #sameOperation(): Ticket {
    const last = this.#last?.operation ?? -1;
    const stays = !this.#random.chance(this.#style.change);
    return this.#any(stays ? this.#ready.filter(({ operation }) => operation === last) : this.#ready);
  }

  /** Each worker in its turn, in step. */
  #nextWorker(): Ticket {
    if (this.#random.chance(this.#style.change)) return this.#any(this.#ready);
    const last = this.#last?.worker ?? nobody;
    let following: Ticket | undefined;
    let first: Ticket | undefined;
    for (const ticket of this.#ready) {
      if (first === undefined || ticket.worker < first.worker) first = ticket;
      if (ticket.worker > last && (following === undefined || ticket.worker < following.worker)) following = ticket;
    }
    return following ?? this.#any(first === undefined ? [] : [first]);
  }

  /** Each operation has a random priority; now and then the foremost falls behind all others. */
  #foremost(): Ticket {
    let foremost = this.#any(this.#ready);
    for (const ticket of this.#ready) {
      if (this.#priorityOf(ticket) > this.#priorityOf(foremost)) foremost = ticket;
    }
    if (this.#random.chance(this.#style.change)) this.#priorities.set(groupOf(foremost), (this.#lowest -= 1));
    return foremost;
  }

  #priorityOf(ticket: Ticket): number {
    const group = groupOf(ticket);
    let priority = this.#priorities.get(group);
    if (priority === undefined) {
      priority = this.#random.fraction();
      this.#priorities.set(group, priority);
    }
    return priority;
  }
}

/** An operation, or a worker that is about to begin one. */
function groupOf({ operation, worker }: Ticket): number {
  return operation >= 0 ? operation : -2 - worker;
}
