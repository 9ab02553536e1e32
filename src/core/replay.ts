import { isMemoryError, MemoryError } from "../errors.ts";
import type { Call } from "./call.ts";
import * as messages from "./messages.ts";
import { pauseGrowth } from "./races.ts";

/** How long an intent is replayed before it is given up. */
export interface RetryBudget {
  /** Attempts in all, the first included. */
  readonly attempts: number;
  /** Milliseconds from the first attempt on, pauses included. */
  readonly totalMilliseconds: number;
}

/** Pauses after lost races, in the time that the lost attempt took: what it lost to takes about as long. */
const firstPauseInAttempts = 2;
const longestPauseInAttempts = 64;
/** None takes more than this part of the time left: there is time for all attempts, and the oldest try most often. */
const largestShareOfTimeLeft = 1 / 8;
/** Milliseconds. Pauses after failures: how long a store is in trouble has nothing to do with how fast it answers. */
const firstPauseAfterFailure = 200;
const longestPauseAfterFailure = 2_000;
/** A store that fails this often in a row is down, not busy: more requests would be a retry storm. */
const failuresInARow = 4;

/** What an attempt answers when another writer won the race: nothing was written, look again. */
export const lost = Symbol("lost race");

export interface Intent<T> {
  /** The file that workers may edit again and again: what its races teach is kept for the next edit. */
  readonly key?: string;
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
 * - A lost race is attempted again on what is there now, after a pause with full jitter, in proportion to the time an attempt takes.
 * - An answered failure (5xx) or a broken connection: the same, and the attempt's own read finds out whether the
 *   write landed. As long as no read has shown it, whatever would be refused is `outcome_unknown`.
 * - A time-out: read back once. A request that timed out may still be applied later, so it is never sent again.
 * - Out of attempts or time: `conflict` where every write is known to have lost, else `outcome_unknown`.
 */
export async function replay<T>(call: Call, intent: Intent<T>): Promise<T> {
  const { retry, runtime, request, races } = call;
  const deadline = runtime.now() + retry.totalMilliseconds;
  let open: MemoryError | undefined; // a write whose outcome no read has shown yet
  const settle = (): void => void (open = undefined);
  let failures = 0;
  let limit = intent.key === undefined ? 0 : races.firstPause(intent.key, runtime.now()); // the next pause is drawn below it
  if (limit > 0) await runtime.sleep(runtime.random() * limit, request.signal);
  for (let attempt = 1; ; attempt++) {
    const startedAt = runtime.now();
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
    const now = runtime.now();
    if (failures === 0 && intent.key !== undefined) races.lost(intent.key, limit, now);
    limit = failures === 0 ? limitAfterLostRace(limit, now - startedAt, deadline - now) : limitAfterFailure(limit);
    const pause = runtime.random() * limit;
    if (attempt >= retry.attempts || failures >= failuresInARow || now + pause >= deadline) {
      if (open) return readBackOrGiveUp(intent, open);
      throw new MemoryError("conflict", intent.conflict?.() ?? messages.changedMeanwhile(intent.sent));
    }
    await runtime.sleep(pause, request.signal);
  }
}

function limitAfterFailure(before: number): number {
  return Math.min(longestPauseAfterFailure, Math.max(firstPauseAfterFailure, before * pauseGrowth));
}

function limitAfterLostRace(before: number, took: number, left: number): number {
  const attempt = Math.max(1, took); // a clock of whole milliseconds may see none, or be set back
  const longest = Math.min(longestPauseInAttempts * attempt, largestShareOfTimeLeft * left);
  return Math.min(longest, Math.max(firstPauseInAttempts * attempt, before * pauseGrowth));
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
