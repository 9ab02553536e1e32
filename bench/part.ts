/** A table as it is printed and as it stands in `docs/performance.md`. */
export interface Table {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Sentences below the table: how it was measured, what it does not say. */
  readonly notes?: readonly string[];
}

/** One plain sentence to take away. Its figures are filled in from what was measured, never typed. */
export interface Finding {
  readonly sentence: string;
  /** The goal that it was measured against; absent where there was none. A missed one is said on the page. */
  readonly goal?: { readonly wanted: string; readonly met: boolean };
}

/** What one part of the benchmarks found. */
export interface PartResult {
  /** What stands at the beginning of the page. */
  readonly findings?: readonly Finding[];
  readonly tables: readonly Table[];
  /** Everything that was measured, for the JSON file: every sample, not only what the tables show. */
  readonly data: unknown;
}

export interface PartOptions {
  /** `quick`: few samples, only to see that the part still runs; its figures mean nothing. */
  readonly quick: boolean;
  /** Says on the console how far it is. */
  readonly log: (line: string) => void;
}

/** One part: measures all of its sides interleaved in one run. */
export type Part = (options: PartOptions) => Promise<PartResult>;
