import type { ObjectStore } from "../../src/core/object-store.ts";
import { s3Commands } from "../../src/stores/s3-commands.ts";
import type { ResolvedS3StoreOptions } from "../../src/stores/s3-options.ts";
import { InFlight, type Sender, type Wire } from "./in-flight.ts";
import type { CommandInput } from "../support/command-input.ts";
import type { PlannedOperation } from "./plan.ts";
import { simulatedClient, simulatedSdk } from "./simulated-sdk.ts";

/** One delivery of a planned operation. */
export interface Delivery {
  readonly planned: PlannedOperation;
  /** 0, or how often it was delivered again after a death. */
  readonly count: number;
}

/** A command that a worker is carrying out, with a store of its own. */
export class RunningOperation implements Sender {
  readonly delivery: Delivery;
  readonly operation: number;
  readonly worker: number;
  readonly input: CommandInput;
  readonly controller = new AbortController();
  readonly inFlight = new Set<InFlight>();
  readonly store: ObjectStore;
  state: "under way" | "answered" | "dead" = "under way";
  #requests = 0;
  #pauses = 0;

  constructor(
    names: {
      readonly delivery: Delivery;
      readonly operation: number;
      readonly worker: number;
      readonly input: CommandInput;
    },
    wire: Wire,
    onRequest: () => number,
  ) {
    this.delivery = names.delivery;
    this.operation = names.operation;
    this.worker = names.worker;
    this.input = names.input;
    const { planned, count } = names.delivery;
    const client = simulatedClient((request, signal) => {
      if (this.state === "dead") return Promise.withResolvers<object>().promise;
      const place = { operation: planned.key, delivery: count, request: this.#requests };
      this.#requests += 1;
      return new InFlight(wire, this, onRequest(), place, request).send(signal);
    });
    this.store = s3Commands(async () => simulatedSdk, { ...storeOptions, client } as unknown as ResolvedS3StoreOptions);
  }
  /** The name of its next pause: the same in every episode of its plan. */
  nextPause(): string {
    const { planned, count } = this.delivery;
    return `pause ${this.#pauses++} of ${planned.key}.${count}`;
  }
}

/** The defaults of the store. */
const storeOptions = {
  bucket: "simulated",
  connectMilliseconds: 3_000,
  requestMilliseconds: 10_000,
  conditionalDelete: true,
} as const;
