import type { Random } from "./seeded.ts";

/** What a rule may go by when an attempt has lost its race. Times in milliseconds. */
export interface LostAttempt {
  /** Counted from 1. */
  readonly attempt: number;
  /** From its first request to its refusal. */
  readonly took: number;
  /** The pause before it; 0 before the first. */
  readonly pauseBefore: number;
  /** Until the edit is given up. */
  readonly left: number;
  readonly random: Random;
}

/** A pause before the next attempt. */
export interface PauseRule {
  readonly name: string;
  /** `undefined`: the library's own. */
  readonly pause: ((lost: LostAttempt) => number) | undefined;
}

function fullJitter(first: number, growth: number, longest: number): PauseRule {
  return {
    name: `below ${first} ms, × ${growth}, at most ${longest.toLocaleString("en")} ms`,
    pause: ({ attempt, random }) => random() * Math.min(longest, first * growth ** (attempt - 1)),
  };
}

function inAttempts(first: number, growth: number, longest: number): PauseRule {
  return {
    name: `below ${first} × the lost attempt, × ${growth}, at most ${longest} × it`,
    pause: ({ attempt, took, random }) => random() * took * Math.min(longest, first * growth ** (attempt - 1)),
  };
}

/** Of "Exponential Backoff And Jitter", AWS Architecture Blog: from the shortest to three times the pause before. */
function decorrelated(shortest: number, longest: number): PauseRule {
  return {
    name: `decorrelated jitter, ${shortest} to ${longest.toLocaleString("en")} ms`,
    pause: ({ pauseBefore, random }) =>
      Math.min(longest, shortest + random() * (3 * Math.max(shortest, pauseBefore) - shortest)),
  };
}

/** Additive increase: one lost attempt more each time. */
const additive: PauseRule = {
  name: "below 3, 6, 9, … × the lost attempt",
  pause: ({ attempt, took, random }) => random() * took * 3 * attempt,
};

/** The library's own without what the worker's edit before has learned. */
const forgotten: PauseRule = {
  name: "as ours, but forgotten after each edit",
  pause: ({ attempt, took, left, random }) => random() * Math.min(left / 8, 64 * took, 2 * took * 4 ** (attempt - 1)),
};

export const ours: PauseRule = { name: "**ours**", pause: undefined };

/** The library's own and those that were measured against it. */
export const pauseRules: readonly PauseRule[] = [
  ours,
  { name: "none", pause: () => 0 },
  fullJitter(20, 2, 1_000),
  fullJitter(200, 3, 1_200),
  fullJitter(400, 2, 1_000),
  decorrelated(20, 1_000),
  inAttempts(1, 2, 16),
  inAttempts(2, 4, 24),
  additive,
  forgotten,
];
