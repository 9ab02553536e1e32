import type { MemoryError } from "../errors.ts";

/** The operator's own reporting must not change what a caller reads, whether it throws or rejects. */
export async function report(onError: (error: MemoryError) => void, error: MemoryError): Promise<void> {
  try {
    const answer: unknown = onError(error); // an async function may be given too
    await answer;
  } catch {
    // Nobody is left to tell.
  }
}
