import type { Random } from "./seeded.ts";

/**
 * Attempts that come by chance, so many of them in the time from what an attempt reads to its write, on average. An
 * attempt succeeds where nobody else did since its read. What part of the time is then used: 1 is a success after the other.
 */
export function successesOfChance(attempts: number, random: Random): number {
  let now = 0;
  let lastSuccess = -Infinity;
  let successes = 0;
  for (let n = 0; n < 300_000; n++) {
    now -= Math.log(1 - random()) / attempts;
    if (now - 1 < lastSuccess) continue; // it was read before that one
    successes += 1;
    lastSuccess = now;
  }
  return successes / now;
}
