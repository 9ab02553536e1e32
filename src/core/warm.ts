import type { MemoryError } from "../errors.ts";
import type { ObjectStore, RequestOptions } from "./object-store.ts";
import { report } from "./report.ts";
import { asMemoryError } from "./unexpected.ts";

/** What a first command would wait for. */
export interface Cold {
  readonly store: ObjectStore;
  /** What the prefixes of all scopes begin with. */
  readonly prefix: string;
  readonly onError: (error: MemoryError) => void;
}

/**
 * Loads every command, and lists one key, so that the SDK is loaded, credentials are there and a connection is open.
 * Never rejects: what fails here will fail again where there is somebody to answer.
 */
export async function warm({ store, prefix, onError }: Cold, request: RequestOptions): Promise<void> {
  const outcomes = await Promise.allSettled([
    store.list({ prefix, pageSize: 1, ...request }),
    import("./commands/writing.ts"),
  ]);
  for (const outcome of outcomes) {
    const error = outcome.status === "rejected" ? asMemoryError(outcome.reason) : undefined;
    // Credentials of one user may not list what is above all of them. It was answered: the connection is open.
    const isExpected = error?.code === "aborted" || error?.details.status === 403;
    if (error && !isExpected) await report(onError, error);
  }
}
