import type { KeySpace } from "./key-space.ts";
import type { KnownFiles } from "./known-files.ts";
import type { Limits } from "./limits.ts";
import type { GetResult, ObjectStore } from "./object-store.ts";
import type { Races } from "./races.ts";
import type { RetryBudget } from "./replay.ts";
import type { Runtime } from "./runtime.ts";
import type { ShownFiles } from "./shown-files.ts";
import { maximumImageBytes } from "./text/image.ts";
import type { WriteStamp } from "./write-record.ts";

/** What one scope's commands share: where its files are, and by which rules. */
export interface Scope {
  readonly store: ObjectStore;
  /** What this process knows of the objects in the store. */
  readonly known: KnownFiles;
  /** What it knows of those that others edit too. */
  readonly races: Races;
  readonly keys: KeySpace;
  readonly limits: Limits;
  readonly retry: RetryBudget;
  readonly runtime: Runtime;
  /** What `create` does with a file that exists. */
  readonly onExisting: "error" | "overwrite";
}

/** One command on its way: its scope, its identity and the signal that ends it. */
export interface Call extends Scope {
  readonly stamp: WriteStamp;
  /** The write id is a tool_use's, so an earlier delivery may already have landed. */
  readonly redeliverable: boolean;
  /** What this conversation knows of each file. */
  readonly shown: ShownFiles;
  /** Counts the calls of this conversation in their order. */
  readonly turn: number;
  readonly request: { readonly signal?: AbortSignal };
}

/** Bytes. What a read of a file may download: an image of the largest size that is shown, or a file at its limit. */
export function readableBytes(limits: Limits): number {
  return Math.max(limits.fileBytes, maximumImageBytes);
}

/** Reads a file, as far as one may be large. */
export function getFile(call: Call, key: string): Promise<GetResult> {
  return call.store.get(key, { maximumBytes: readableBytes(call.limits), ...call.request });
}
