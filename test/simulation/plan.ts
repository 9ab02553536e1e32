import type { FaultPlan } from "./faults.ts";
import type { Settings } from "./log.ts";
import type { ScheduleStyle } from "./scheduler.ts";

/**
 * What an episode is going to do, as plain data: whatever is left out of it is not done, so a plan can be shrunk.
 * What is only chosen when the command is called depends on its conversation's own history and on `seed`.
 */
export interface Plan {
  readonly theme: string;
  readonly settings: Omit<Settings, "files" | "totalBytes">;
  /** Absent: off. */
  readonly limits: { readonly files?: number; readonly totalBytes?: number };
  readonly retry: { readonly attempts: number; readonly totalMilliseconds: number };
  readonly style: ScheduleStyle;
  readonly initial: readonly InitialFile[];
  readonly workers: readonly PlannedWorker[];
  readonly faults: FaultPlan;
}

export interface InitialFile {
  /** Below `/memories/`. */
  readonly name: string;
  readonly text: string;
  /** Another tool leaves no write ids. */
  readonly by: "memory" | "another tool";
}

/** One conversation. Those of one process share what it remembers; one that dies goes on in a process of its own. */
export interface PlannedWorker {
  readonly process: number;
  readonly turns: readonly Turn[];
}

/** What Claude sent at once: all of it is started, then all of it is awaited. */
export interface Turn {
  readonly operations: readonly PlannedOperation[];
  readonly death?: PlannedDeath;
}

/** The worker dies while this turn is under way, and starts again with a new conversation. */
export interface PlannedDeath {
  /** So many requests of the turn have left by then. */
  readonly afterRequests: number;
  /** When what got no answer is delivered again; a number: to that worker. */
  readonly again: "at once" | "later" | "never" | number;
}

export interface PlannedOperation {
  /** Unique in the plan, and stays what it is when others are left out. */
  readonly key: number;
  readonly seed: number;
  /** Whether a tool_use id comes with it. Operations of the same `toolUse` are deliveries of one and the same. */
  readonly toolUse: number | undefined;
  readonly command: PlannedCommand;
}

export type PlannedCommand =
  /** An empty name: the root. */
  | { readonly command: "view"; readonly name: string; readonly range?: readonly [number, number] }
  | { readonly command: "create"; readonly name: string; readonly text: string }
  | {
      readonly command: "str_replace";
      readonly name: string;
      /** What is replaced: a word that the conversation knows of, else this one. */
      readonly fallback: string;
      /** Empty: the word is deleted. */
      readonly replacement: string;
      readonly usesFallback: boolean;
    }
  | {
      readonly command: "insert";
      readonly name: string;
      readonly place: "top" | "middle" | "end";
      readonly text: string;
    }
  | { readonly command: "delete"; readonly name: string }
  | { readonly command: "rename"; readonly from: string; readonly to: string };
