import { isMemoryError, MemoryError } from "../errors.ts";
import * as messages from "./messages.ts";

/** What a store, or this library, should never have thrown: the operator gets it as the cause, Claude a neutral text. */
export function asMemoryError(thrown: unknown): MemoryError {
  if (isMemoryError(thrown)) return thrown;
  const hint = "The store, or this library, threw something unexpected; see the cause.";
  return new MemoryError("storage", messages.storageFailed(), { hint }, { cause: thrown });
}
