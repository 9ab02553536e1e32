import type { RequestMethod } from "./log.ts";
import { createRandom, deriveSeed, type Random } from "./random.ts";

/** When a request that nobody waits for any more is carried out. */
export type Fate = "never" | "now" | "late";

const fates = ["never", "now", "late"] as const;

/** What can become of a request on its way. Each is a name that the count and the trace show. */
export type FaultKind =
  | "409"
  | `${"500" | "503" | "reset"} ${"before" | "after"}`
  /** The SDK's own time limit, the library's, and the caller's signal. */
  | `${"time-out" | "silence" | "abort"} ${Fate}`
  /** Keys of a batch are said to have failed, whatever became of them. */
  | "batch errors"
  /** A page of a listing ends before it is full. */
  | "short page";

/** Where in an episode a request is: the same place, whatever the schedule and whatever else is left out. */
export interface RequestPlace {
  /** The operation's key in the plan. */
  readonly operation: number;
  /** 0, or how often it was delivered again after a death. */
  readonly delivery: number;
  /** Counted from 0 in each delivery. */
  readonly request: number;
}

export interface Fault extends RequestPlace {
  readonly kind: FaultKind;
}

export interface FaultPlan {
  readonly seed: number;
  /** Of each request to meet one. */
  readonly probability: number;
  readonly kinds: readonly FaultKind[];
  /** Exactly these instead. */
  readonly listed?: readonly Fault[];
}

const afterwards = ["before", "after"] as const;
const writes: ReadonlySet<RequestMethod> = new Set(["PUT", "DELETE", "BATCH"]);

/** What can happen to a read makes no difference to the store, so one of each is enough. */
const faultsOfReads: readonly FaultKind[] = [
  "500 before",
  "503 before",
  "reset before",
  "time-out never",
  "silence never",
  "abort never",
];

const faultsOfWrites: readonly FaultKind[] = [
  "409",
  ...(["500", "503", "reset"] as const).flatMap((kind) => afterwards.map((when) => `${kind} ${when}` as const)),
  ...(["time-out", "silence", "abort"] as const).flatMap((kind) => fates.map((fate) => `${kind} ${fate}` as const)),
];

export const allFaults: readonly FaultKind[] = [...faultsOfWrites, "batch errors", "short page"];

const applicable: Readonly<Record<RequestMethod, readonly FaultKind[]>> = {
  GET: faultsOfReads,
  HEAD: faultsOfReads,
  LIST: [...faultsOfReads, "short page", "short page", "short page"],
  PUT: faultsOfWrites,
  DELETE: faultsOfWrites,
  BATCH: [...faultsOfWrites, "batch errors", "batch errors", "batch errors"],
};

/** Most requests read, and what befalls a read is less of a test; batches are rare. */
const shares: Readonly<Record<RequestMethod, number>> = {
  GET: 0.35,
  HEAD: 0.35,
  LIST: 0.35,
  PUT: 1,
  DELETE: 1,
  BATCH: 2.5,
};

/** Draws the faults of an episode, and keeps what it drew: with that as `listed` the episode is the same again. */
export class FaultSource {
  readonly #plan: FaultPlan;
  readonly #possible = new Map<RequestMethod, readonly FaultKind[]>();
  readonly #listed: ReadonlyMap<string, FaultKind> | undefined;
  readonly drawn: Fault[] = [];

  constructor(plan: FaultPlan) {
    this.#plan = plan;
    this.#listed = plan.listed && new Map(plan.listed.map((fault) => [nameOf(fault), fault.kind]));
  }

  draw(place: RequestPlace, method: RequestMethod): FaultKind | undefined {
    const kind = this.#listed ? this.#listed.get(nameOf(place)) : this.#drawNew(place, method);
    if (kind !== undefined) this.drawn.push({ ...place, kind });
    return kind;
  }

  /** More choices about one request: which keys of a batch, how short a page, what a worker's death leaves. */
  detailsOf({ operation, delivery, request }: RequestPlace): Random {
    return createRandom(deriveSeed(this.#plan.seed, operation, delivery, request, 1));
  }

  fateOf(place: RequestPlace, method: RequestMethod): Fate {
    return writes.has(method) ? this.detailsOf(place).pick(fates) : "never";
  }

  #drawNew(place: RequestPlace, method: RequestMethod): FaultKind | undefined {
    const { probability, seed } = this.#plan;
    if (probability === 0) return undefined;
    const random = createRandom(deriveSeed(seed, place.operation, place.delivery, place.request));
    if (!random.chance(probability * shares[method])) return undefined;
    const [first, ...more] = this.#possibleAt(method);
    return first === undefined ? undefined : random.pick([first, ...more]);
  }

  #possibleAt(method: RequestMethod): readonly FaultKind[] {
    let possible = this.#possible.get(method);
    if (possible === undefined) {
      possible = applicable[method].filter((kind) => this.#plan.kinds.includes(kind));
      this.#possible.set(method, possible);
    }
    return possible;
  }
}

export function nameOf({ operation, delivery, request }: RequestPlace): string {
  return `${operation}.${delivery}.${request}`;
}
