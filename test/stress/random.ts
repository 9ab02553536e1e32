import { createHash } from "node:crypto";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

export interface Random {
  /** A whole number from 0 to below `end`. */
  below(end: number): number;
  /** One of them; throws where there is none. */
  pick<T>(choices: readonly T[]): T;
  chance(probability: number): boolean;
}

/** A generator of its own for each thing that is drawn: `randomFor(seed, "worker", 3)` is the same in every run. */
export function randomFor(...parts: readonly (string | number)[]): Random {
  const seed = createHash("sha256").update(parts.join("/")).digest().readInt32LE();
  const generator = xoroshiro128plus(seed);
  const below = (end: number): number => uniformInt(generator, 0, end - 1);
  return {
    below,
    pick(choices) {
      const [choice] = choices.slice(below(choices.length));
      if (choice === undefined) throw new RangeError("nothing to pick from");
      return choice;
    },
    chance: (probability) => below(1_000_000) < probability * 1_000_000,
  };
}
