import { isMemoryError, MemoryError } from "../errors.ts";
import type { Call } from "./call.ts";
import * as messages from "./messages.ts";

/** How long an intent is replayed before it is given up. */
export interface RetryBudget {
  /** Attempts in all, the first included. */
  readonly attempts: number;
  /** Milliseconds from the first attempt on, pauses included. */
  readonly totalMilliseconds: number;
}

/** The first pause is drawn below this, each later one below three times the one before, up to the longest. */
const firstPauseMilliseconds = 200;
const pauseGrowth = 3;
const longestPauseMilliseconds = 1_200;
/** A store that fails this often in a row is down, not busy: more requests would be a retry storm. */
const failuresInARow = 4;

/** What an attempt answers when another writer won the race: nothing was written, look again. */
export const lost = Symbol("lost race");

export interface Intent<T> {
  /** The path as Claude sent it, or both paths of a rename: what to view again when the outcome is unknown. */
  readonly sent: messages.SentPaths;
  /**
   * Reads what is there, decides, and sends at most one write. From the second attempt on it must also
   * recognise its own write in what it reads: an earlier answer may have got lost. Once a read has shown that
   * none of its writes is open any more, it calls `settle`: what it then refuses is certain.
   */
  readonly attempt: (attempt: number, settle: () => void) => Promise<T | typeof lost>;
  /**
   * Reads once whether the write landed after all; `undefined` where it is not to be seen. Calls `settle` where what was
   * read shows that it did not land.
   */
  readonly readBack: (settle: () => void) => Promise<T | undefined>;
  /** Claude's text when every attempt lost its race. @default "nothing was changed, view again" */
  readonly conflict?: () => string;
}

/**
 * Carries an intent out against other writers and a bad network.
 *
 * - A lost race is attempted again on what is there now, after a pause with full jitter.
 * - An answered failure (5xx) or a broken connection: the same, and the attempt's own read finds out whether the
 *   write landed. As long as no read has shown it, whatever would be refused is `outcome_unknown`.
 * - A time-out: read back once. A request that timed out may still be applied later, so it is never sent again.
 * - Out of attempts or time: `conflict` where every write is known to have lost, else `outcome_unknown`.
 */
export async function replay<T>(call: Call, intent: Intent<T>): Promise<T> {
  const { retry, runtime, request } = call;
  const deadline = runtime.now() + retry.totalMilliseconds;
  let open: MemoryError | undefined; // a write whose outcome no read has shown yet
  const settle = (): void => void (open = undefined);
  let failures = 0;
  for (let attempt = 1; ; attempt++) {
    try {
      const result = await intent.attempt(attempt, settle);
      if (result !== lost) return result;
      failures = 0;
    } catch (error) {
      if (!isMemoryError(error)) throw error;
      if (error.details.effect === "unsettled") return readBackOrGiveUp(intent, error);
      if (error.details.effect !== "unknown") throw open ? unknownOutcome(intent, open, error) : error;
      open = error;
      failures += 1;
    }
    const pause =
      runtime.random() * Math.min(longestPauseMilliseconds, firstPauseMilliseconds * pauseGrowth ** (attempt - 1));
    if (attempt >= retry.attempts || failures >= failuresInARow || runtime.now() + pause > deadline) {
      if (open) return readBackOrGiveUp(intent, open);
      throw new MemoryError("conflict", intent.conflict?.() ?? messages.changedMeanwhile(intent.sent));
    }
    await runtime.sleep(pause, request.signal);
  }
}

async function readBackOrGiveUp<T>(intent: Intent<T>, failure: MemoryError): Promise<T> {
  let found: T | undefined;
  let isWithoutEffect = false;
  try {
    found = await intent.readBack(() => void (isWithoutEffect = true));
  } catch (error) {
    throw unknownOutcome(intent, failure, error);
  }
  if (found !== undefined) return found;
  // An answered failure that a read then shows to be without effect is the store's fault, and known.
  if (isWithoutEffect && failure.details.effect === "unknown" && failure.details.status !== undefined) throw failure;
  throw unknownOutcome(intent, failure);
}

/** What is thrown in place of an answer: the caller's own abort stays one, it says to view again too. */
function unknownOutcome(intent: Intent<unknown>, failure: MemoryError, instead?: unknown): MemoryError {
  if (failure.code === "aborted") return failure;
  if (isMemoryError(instead) && instead.code === "aborted") return instead;
  return new MemoryError("outcome_unknown", messages.outcomeUnknown(intent.sent), failure.details, { cause: failure });
}
