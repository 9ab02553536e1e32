/** What a whole run is to be, and what its processes say to each other. */

/** One server's share of a run. */
export interface Plan {
  readonly endpoint: string;
  readonly bucket: string;
  /** The store honours conditional deletes: files are then deleted and renamed while others write to them. */
  readonly conditionalDelete: boolean;
  readonly seed: number;
  readonly processes: number;
  /** Operations of each process. */
  readonly edits: number;
  /** Folder of the journals, one a worker. */
  readonly folder: string;
}

export const user = "stress";

/** To a worker: who it is; and that it may start its next operation. */
export type Order = { readonly kind: "begin"; readonly worker: number; readonly plan: Plan } | { readonly kind: "go" };

/**
 * From a worker.
 *
 * - `ask`: none of its operations is open, may it start the next one?
 * - `writing`: it is just sending a write
 * - `finished`: it has done all
 */
export interface Message {
  readonly kind: "ask" | "writing" | "finished";
}
