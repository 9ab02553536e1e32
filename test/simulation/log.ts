import type { CommandInput } from "../support/command-input.ts";

/**
 * What one simulated episode leaves behind: everything that happened, in the one order in which it happened. The
 * place of an event in `events` is its instant. The store's own commits are in it, so the checker never has to
 * believe what a worker says.
 */

/** One delivery of a command to one worker. */
export interface Operation {
  /** Place in `EpisodeLog.operations`. */
  readonly id: number;
  readonly worker: number;
  /** What its process remembers of files is the same for all conversations of that process, and lost when it dies. */
  readonly process: number;
  /** The `UserMemory` that carries it out: one conversation's. A worker that is restarted has a new one. */
  readonly conversation: number;
  readonly input: CommandInput;
  readonly toolUseId: string | undefined;
  /** The first delivery of the same `tool_use`, or of the same rename or delete that is tried again after its worker's death. */
  readonly repeats: number | undefined;
}

/** What stood at a key, from one commit to the next. No two states share a serial. */
export interface State {
  readonly serial: number;
  readonly key: string;
  /** Every file of the simulation is text. */
  readonly text: string;
  /** The ETag. Two states of equal text have the same one where `Settings.etags` is `content`. */
  readonly version: string;
  /** Newest first, as in the metadata; empty for a file of another tool. */
  readonly writeIds: readonly string[];
  readonly movedFrom: string | undefined;
}

export type RequestMethod = "GET" | "HEAD" | "LIST" | "PUT" | "DELETE" | "BATCH";

/** What the store decided about one key. */
export type Decision =
  /** 200 or 204 to a write: a commit. */
  | "committed"
  /** 412 */
  | "precondition failed"
  /** 404 to a conditional write, 404 to a DELETE */
  | "missing"
  /** 409 */
  | "undecided";

/** What the worker was told. */
export type Response =
  /** The store's own decision or content. */
  | "answered"
  /** An error status, whether or not the request was carried out. */
  | "500"
  | "503"
  | "reset"
  | "time-out"
  | "aborted"
  /** The worker was dead by then. */
  | "nobody";

export type LogEvent =
  | { readonly kind: "call"; readonly operation: number }
  | {
      readonly kind: "answer";
      readonly operation: number;
      readonly isError: boolean;
      /** The error's code; `undefined` for success. */
      readonly code: string | undefined;
      readonly content: string;
    }
  /** The worker died with this operation under way: no answer will come. */
  | { readonly kind: "death"; readonly operation: number }
  /** A request left the worker. `keys`: the key, the prefix of a LIST, or the keys of a BATCH. */
  | {
      readonly kind: "request";
      readonly operation: number;
      readonly request: number;
      readonly method: RequestMethod;
      readonly keys: readonly string[];
    }
  /** A GET, HEAD or LIST was carried out, and this is what it saw (`keys` that are missing are not in it). */
  | {
      readonly kind: "read";
      readonly operation: number;
      readonly request: number;
      readonly method: "GET" | "HEAD" | "LIST";
      readonly keys: readonly string[];
      readonly saw: readonly State[];
      /** A LIST that has more pages. */
      readonly isPartial: boolean;
      /** A LIST that goes on after this key; empty where it starts at the front. */
      readonly after?: string;
    }
  /** The store decided about one key of a write, perhaps long after the worker stopped waiting. */
  | {
      readonly kind: "write";
      readonly operation: number;
      readonly request: number;
      readonly method: "PUT" | "DELETE" | "BATCH";
      readonly key: string;
      readonly decision: Decision;
      /** The condition that was sent: `absent`, `exists`, or the ETag; `none` where there was none. */
      readonly condition: string;
      readonly before: State | undefined;
      readonly after: State | undefined;
    }
  | {
      readonly kind: "response";
      readonly operation: number;
      readonly request: number;
      readonly response: Response;
      /** Fates of a BATCH that are not the store's own: keys whose part of the answer was made an error. */
      readonly failedKeys?: readonly string[];
    }
  /** Something was injected, for the count and the trace. `request` is `undefined` where it befell the whole worker or operation. */
  | {
      readonly kind: "fault";
      readonly operation: number;
      readonly request: number | undefined;
      readonly fault: string;
    };

/** How an episode is set up. */
export interface Settings {
  /** `content`: as S3 does without KMS, equal bytes have equal ETags. `unique`: every write has a new one. */
  readonly etags: "content" | "unique";
  readonly onExisting: "error" | "overwrite";
  /** `limits.files`; `Infinity` where it is off. */
  readonly files: number;
  /** `limits.totalBytes`; `Infinity` where it is off. */
  readonly totalBytes: number;
  /** Whether workers edit what they know of a file unread. */
  readonly directEdits: boolean;
  /** No faults and no deaths: the strict rules hold. */
  readonly isCalm: boolean;
}

export interface EpisodeLog {
  readonly settings: Settings;
  /** Everything before it is the scope's key prefix; the rest of a key is the path below `/memories/`. */
  readonly memories: string;
  readonly operations: readonly Operation[];
  /** What other tools and earlier conversations left. */
  readonly initial: readonly State[];
  readonly events: readonly LogEvent[];
  /** What stands in the whole bucket after the last late request was carried out. */
  readonly final: readonly State[];
  /** The write id of each operation that has made one. A redelivered operation has the id of the first. */
  readonly writeIds: ReadonlyMap<number, string>;
  readonly faults: number;
}

/** A promise that was not kept. */
export interface Violation {
  /** The rule, in a few words; the same for the same kind of fault, so that shrinking keeps to it. */
  readonly rule: string;
  readonly operation: number | undefined;
  /** What was seen, and what should have been. */
  readonly detail: string;
}
