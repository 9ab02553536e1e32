import type { ListingLag } from "./bucket-state.ts";
import type { LoggedRequest } from "./request-log.ts";
import type { S3Operation } from "./s3-request.ts";
import type { Behaviour } from "./store.ts";

/** Which requests a fault hits. All given fields must fit; an empty matcher fits every request. */
export interface FaultMatcher {
  readonly operation?: S3Operation;
  /** The HTTP method. */
  readonly method?: string;
  /** The key of the request, or one of those that DeleteObjects names. */
  readonly key?: string | ((key: string) => boolean);
  /** What such a key starts with; for a listing, what its prefix starts with. */
  readonly prefix?: string;
  /** Anything else. */
  readonly where?: (request: LoggedRequest) => boolean;
  /** The first fitting request to be hit, counted from 1. @default 1 */
  readonly nth?: number;
  /** How many are hit from there on. @default Infinity */
  readonly times?: number;
}

/** Milliseconds, or a function whose promise is awaited: a test can hold a request for as long as it likes. */
export type Pause = number | ((request: LoggedRequest) => void | Promise<void>);

/** An answer that the server makes up. */
export interface FaultAnswer {
  /** With 200 the error comes as the body of a success, as CopyObject may. */
  readonly status: number;
  readonly code: string;
  readonly message?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What goes wrong. Several faults may hit one request: pauses add up, for the rest the one added last counts. */
export interface Fault {
  readonly beforeCommit?: Pause;
  /**
   * - `now`: the request is carried out, then `answer` is given in place of the true one
   * - `never`: it is not carried out
   * - `late`: `answer` is given at once; the request is carried out after the pause `beforeCommit`, although nobody waits
   *
   * @default "never" where there is an `answer`, else "now"
   */
  readonly commit?: "now" | "never" | "late";
  /** Between the work and the answer. */
  readonly afterCommit?: Pause;
  /** `drop`: the connection is closed without an answer. `hang`: no answer, ever. Absent: the true answer. */
  readonly answer?: FaultAnswer | "drop" | "hang";
  /** List pages hold at most so many entries, though more were asked for. */
  readonly pageSize?: number;
  /** Listings show an earlier state. */
  readonly listingLag?: ListingLag;
  readonly etags?: Behaviour["etags"];
  /** A missing key is answered with 403 AccessDenied, as without `s3:ListBucket`. */
  readonly hidesMissing?: boolean;
  /** What DeleteObjects says of single keys, in a 200 answer. */
  readonly keyErrors?: Behaviour["keyErrors"];
}

export interface FaultHandle {
  /** How many requests it has hit. */
  readonly hits: number;
  /** From now on it hits no more. */
  remove(): void;
}

interface Entry {
  readonly matcher: FaultMatcher;
  readonly fault: Fault;
  /** Requests that fitted so far. */
  fitting: number;
  hits: number;
}

function touchedKeys({ key, batch }: LoggedRequest): readonly string[] {
  return key === "" ? batch.map((entry) => entry.key) : [key];
}

function fits(matcher: FaultMatcher, request: LoggedRequest): boolean {
  const { operation, method, key, prefix, where } = matcher;
  const keys = touchedKeys(request);
  if (operation !== undefined && operation !== request.operation) return false;
  if (method !== undefined && method !== request.method) return false;
  if (typeof key === "string" && !keys.includes(key)) return false;
  if (typeof key === "function" && !keys.some((candidate) => key(candidate))) return false;
  if (prefix !== undefined) {
    const places = [...keys, ...(request.query["prefix"] === undefined ? [] : [request.query["prefix"]])];
    if (!places.some((place) => place.startsWith(prefix))) return false;
  }
  return where === undefined || where(request);
}

/** The faults of one server. */
export class Faults {
  #entries: Entry[] = [];

  /** Throws `TypeError` for a fault that makes no sense: work that is left out or late needs an answer to give. */
  add(matcher: FaultMatcher, fault: Fault): FaultHandle {
    if ((fault.commit === "never" || fault.commit === "late") && fault.answer === undefined) {
      throw new TypeError(
        `fault: commit ${JSON.stringify(fault.commit)} needs an answer ("drop", "hang" or a status and code)`,
      );
    }
    const entry: Entry = { matcher, fault, fitting: 0, hits: 0 };
    this.#entries.push(entry);
    return {
      get hits() {
        return entry.hits;
      },
      remove: () => {
        this.#entries = this.#entries.filter((candidate) => candidate !== entry);
      },
    };
  }

  /** Removes all of them. */
  clear(): void {
    this.#entries = [];
  }

  /** Counts the request, and says which faults hit it. @internal */
  hit(request: LoggedRequest): readonly Fault[] {
    const hitting = this.#entries.filter((entry) => {
      if (!fits(entry.matcher, request)) return false;
      entry.fitting += 1;
      const { nth = 1, times = Infinity } = entry.matcher;
      return entry.fitting >= nth && entry.fitting < nth + times;
    });
    for (const entry of hitting) entry.hits += 1;
    return hitting.map(({ fault }) => fault);
  }
}

function faultAnswer(status: number, code: string, message: string): FaultAnswer {
  return { status, code, message };
}

/** Answers that AWS really gives, for `Fault.answer`. */
export const faultAnswers = {
  conditionalRequestConflict: faultAnswer(
    409,
    "ConditionalRequestConflict",
    "The conditional request cannot succeed due to a conflicting operation against this resource.",
  ),
  internalError: faultAnswer(500, "InternalError", "We encountered an internal error. Please try again."),
  slowDown: faultAnswer(503, "SlowDown", "Please reduce your request rate."),
  accessDenied: faultAnswer(403, "AccessDenied", "Access Denied"),
  requestTimeTooSkewed: faultAnswer(
    403,
    "RequestTimeTooSkewed",
    "The difference between the request time and the current time is too large.",
  ),
  permanentRedirect: (region: string): FaultAnswer => ({
    status: 301,
    code: "PermanentRedirect",
    message:
      "The bucket you are attempting to access must be addressed using the specified endpoint. Please send all future requests to this endpoint.",
    headers: { "x-amz-bucket-region": region },
  }),
} as const;
