import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";

/** Seeded choices. Two of the same seed make the same ones. */
export interface Random {
  /** 0 ≤ x < 1. */
  readonly fraction: () => number;
  /** A whole number, 0 ≤ x < limit. */
  readonly below: (limit: number) => number;
  readonly chance: (probability: number) => boolean;
  readonly pick: <T>(values: readonly [T, ...T[]]) => T;
  /** A name of the table, each as often as its weight says. */
  readonly weighted: <Name extends string>(weights: Readonly<Partial<Record<Name, number>>>) => Name;
}

export function createRandom(seed: number): Random {
  // The generator's first numbers hardly differ between seeds that are close to each other.
  const generator = xoroshiro128plus(deriveSeed(seed));
  const fraction = (): number => (generator.next() >>> 0) / 0x1_0000_0000;
  const below = (limit: number): number => Math.floor(fraction() * limit);
  return {
    fraction,
    below,
    chance: (probability) => fraction() < probability,
    pick: (values) => values[below(values.length)] ?? values[0],
    weighted: (weights) => pickWeighted(weights, fraction()),
  };
}

function pickWeighted<Name extends string>(weights: Readonly<Partial<Record<Name, number>>>, drawn: number): Name {
  const entries = Object.entries(weights) as [Name, number][];
  let left = drawn * entries.reduce((sum, [, weight]) => sum + weight, 0);
  for (const [name, weight] of entries) {
    left -= weight;
    if (left < 0) return name;
  }
  const last = entries.at(-1);
  if (last === undefined) throw new RangeError("There is nothing to pick from.");
  return last[0];
}

/** A new seed out of others: what is drawn for one place does not change with what is drawn elsewhere. */
export function deriveSeed(...parts: readonly number[]): number {
  let hash = 0x9e3779b9;
  for (const part of parts) {
    hash = Math.imul(hash ^ part, 0x85ebca6b);
    hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
    hash ^= hash >>> 16;
  }
  return hash >>> 0;
}
