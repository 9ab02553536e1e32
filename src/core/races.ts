import { createLRU } from "lru.min";

/**
 * What a process remembers of the files for which others were faster. Nothing that is right depends on it: it has
 * workers take turns where all of them edit one file again and again.
 */
export interface Races {
  /** Milliseconds below which the first pause of an edit is drawn; 0 where it may begin at once. Each edit that asks takes it a step down. */
  firstPause(key: string, now: number): number;
  /** The next edit begins with such a pause. */
  lost(key: string, pause: number, now: number): void;
}

/** What one lost race makes of a pause, and one edit takes back. */
export const pauseGrowth = 4;

/** Milliseconds. */
const rememberedFor = 5_000;
const mostKeys = 1_000;

interface Race {
  readonly pause: number;
  readonly at: number;
}

const createRaceCache = (): ReturnType<typeof createLRU<string, Race>> => createLRU({ max: mostKeys });

export function createRaces(): Races {
  let races: ReturnType<typeof createRaceCache> | undefined; // it takes room for all at once, and most processes lose none
  return {
    firstPause(key, now) {
      const race = races?.get(key);
      if (race === undefined || now - race.at >= rememberedFor) return 0;
      races?.set(key, { pause: race.pause / pauseGrowth, at: race.at });
      return race.pause;
    },
    lost(key, pause, at) {
      races ??= createRaceCache();
      races.set(key, { pause, at });
    },
  };
}
