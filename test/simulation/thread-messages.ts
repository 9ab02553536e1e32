import type { CacheChoice } from "./cache-choice.ts";

/** What the main thread asks of a worker thread, and what it hears. */

export type Task = { readonly seed: number; readonly cache: CacheChoice } &
  /** Run and judge these episodes. */
  (
    | { readonly kind: "episodes"; readonly first: number; readonly count: number }
    /** Shrink one, as far as the same rule is broken, and say what happens in it. */
    | {
        readonly kind: "shrink";
        readonly episode: number;
        readonly rule: string;
        readonly milliseconds: number;
      }
    /** Say what happens in one. */
    | { readonly kind: "trace"; readonly episode: number }
  );

export interface Found {
  readonly episode: number;
  readonly rule: string;
  readonly operation: number | undefined;
  readonly detail: string;
  /** Operations of the chunk up to the end of this episode. */
  readonly after: number;
}

/** What came of some episodes. */
export interface Chunk {
  readonly operations: number;
  readonly faults: number;
  readonly found: readonly Found[];
  readonly tally: readonly (readonly [string, number])[];
}

export interface Answer {
  readonly chunk: Chunk;
  /** What happens in the last episode; empty where nobody asked. */
  readonly text: string;
}
