import { nameOf, type Fate, type FaultKind, type FaultSource, type RequestPlace } from "./faults.ts";
import type { LogEvent, Response } from "./log.ts";
import { nobody, type Scheduler, type Ticket } from "./scheduler.ts";
import type { SimulatedBucket } from "./simulated-bucket.ts";
import { namedError, resetError, statusError } from "./wire-errors.ts";
import { carryOut, type CarriedOut, type Distortion, type WireRequest } from "./wire-request.ts";

/** What all requests of an episode share. */
export interface Wire {
  readonly scheduler: Scheduler;
  readonly bucket: SimulatedBucket;
  readonly faults: FaultSource;
  readonly record: (event: LogEvent) => void;
}

/** Whose request it is. */
export interface Sender {
  readonly operation: number;
  readonly worker: number;
  /** What it still waits for. */
  readonly inFlight: Set<InFlight>;
  readonly controller: AbortController;
}

/** What a fault makes of a request. */
interface Course {
  /** When it is carried out: before its answer, long after it, or not at all. */
  readonly fate: Fate;
  /** `silence`: no answer ever comes, so that the library's own limit ends it. */
  readonly ending: Exclude<Response, "aborted" | "nobody"> | "abort" | "silence";
}

const undisturbed: Course = { fate: "now", ending: "answered" };

function courseOf(fault: FaultKind | undefined): Course {
  if (fault === undefined || fault === "409" || fault === "batch errors" || fault === "short page") return undisturbed;
  const [ending, when] = fault.split(" ") as [Course["ending"], Fate | "before" | "after"];
  if (when === "before") return { fate: "never", ending };
  return { fate: when === "after" ? "now" : when, ending };
}

/**
 * One request from the moment it leaves the worker. It reaches the store, where it is carried out in one step, and
 * its answer reaches the worker: each of the two happens when the scheduler says so.
 */
export class InFlight {
  readonly #wire: Wire;
  readonly #sender: Sender;
  readonly #number: number;
  readonly #place: RequestPlace;
  readonly #request: WireRequest;
  readonly #fault: FaultKind | undefined;
  readonly #course: Course;
  readonly #outcome = Promise.withResolvers<object>();
  #ticket: Ticket | undefined;
  #carriedOut: CarriedOut | undefined;

  constructor(wire: Wire, sender: Sender, number: number, place: RequestPlace, request: WireRequest) {
    this.#wire = wire;
    this.#sender = sender;
    this.#number = number;
    this.#place = place;
    this.#request = request;
    const { method, keys } = request;
    wire.record({ kind: "request", ...this.#name, method, keys });
    this.#fault = wire.faults.draw(place, method);
    if (this.#fault !== undefined) wire.record({ kind: "fault", ...this.#name, fault: this.#fault });
    this.#course = courseOf(this.#fault);
  }

  /** The answer, as the network gives it to the SDK. */
  send(signal: AbortSignal): Promise<object> {
    this.#sender.inFlight.add(this);
    signal.addEventListener("abort", () => this.#stop(), { once: true });
    if (this.#course.fate === "now") this.#schedule("arrives", () => this.#arrive());
    else this.#scheduleAnswer();
    return this.#outcome.promise;
  }

  /** The worker is dead: nobody hears the answer. */
  abandon(): void {
    this.#giveUp("nobody");
  }

  get #name(): { readonly operation: number; readonly request: number } {
    return { operation: this.#sender.operation, request: this.#number };
  }

  #schedule(what: string, run: () => void): void {
    const { worker, operation } = this.#sender;
    this.#ticket = { worker, operation, readyAt: 0, run, name: () => `${nameOf(this.#place)} ${what}` };
    this.#wire.scheduler.add(this.#ticket);
  }

  #scheduleAnswer(): void {
    if (this.#course.ending !== "silence") this.#schedule("is answered", () => this.#answer());
  }

  #arrive(): void {
    this.#carryOut();
    this.#scheduleAnswer();
  }

  #carryOut(): void {
    const { bucket, faults, record } = this.#wire;
    this.#carriedOut = carryOut(
      bucket,
      this.#request,
      distortionOf(this.#fault, () => faults.detailsOf(this.#place)),
    );
    for (const event of this.#carriedOut.events) record({ ...this.#name, ...event });
  }

  #answer(): void {
    const { ending } = this.#course;
    switch (ending) {
      case "abort":
        return this.#sender.controller.abort();
      case "silence":
        return undefined;
      case "answered":
        return this.#deliver();
      case "500":
        return this.#fail("500", statusError(500, "InternalError"));
      case "503":
        return this.#fail("503", statusError(503, "SlowDown"));
      case "reset":
        return this.#fail("reset", resetError());
      case "time-out":
        return this.#fail("time-out", namedError("TimeoutError"));
    }
  }

  #deliver(): void {
    const done = this.#carriedOut;
    if (done === undefined) throw new Error("An answer came before the request was carried out.");
    const { reply, failedKeys } = done;
    this.#end("answered", failedKeys);
    if ("error" in reply) this.#outcome.reject(reply.error);
    else this.#outcome.resolve(reply.output);
  }

  #fail(response: Response, error: Error): void {
    this.#end(response);
    if (this.#course.fate === "late") this.#scheduleLate();
    this.#outcome.reject(error);
  }

  /** The library's own limit or the caller's signal. */
  #stop(): void {
    if (!this.#sender.inFlight.has(this)) return;
    this.#giveUp(this.#sender.controller.signal.aborted ? "aborted" : "time-out");
    this.#outcome.reject(namedError("AbortError"));
  }

  #giveUp(response: Response): void {
    if (this.#ticket) this.#wire.scheduler.remove(this.#ticket);
    this.#end(response);
    if (this.#carriedOut !== undefined) return;
    const { fate } = this.#course;
    const drawn = fate === "now" ? this.#wire.faults.fateOf(this.#place, this.#request.method) : fate;
    if (drawn === "now") this.#carryOut();
    if (drawn === "late") this.#scheduleLate();
  }

  #end(response: Response, failedKeys?: readonly string[]): void {
    this.#sender.inFlight.delete(this);
    this.#wire.record({ kind: "response", ...this.#name, response, ...(failedKeys ? { failedKeys } : {}) });
  }

  #scheduleLate(): void {
    const { scheduler, faults } = this.#wire;
    const delay = faults.detailsOf(this.#place).pick([30, 300, 3_000, Infinity]);
    const run = (): void => this.#carryOut();
    const name = (): string => `${nameOf(this.#place)} arrives late`;
    scheduler.add({ worker: nobody, operation: -1, readyAt: scheduler.now + delay, run, name });
  }
}

function distortionOf(fault: FaultKind | undefined, random: () => Distortion["random"]): Distortion | undefined {
  const isOne = fault === "409" || fault === "batch errors" || fault === "short page";
  return isOne ? { kind: fault, random: random() } : undefined;
}
