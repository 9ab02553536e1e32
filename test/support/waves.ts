/**
 * Counts round trips without a clock deciding the result: every request is held until no further one
 * has come for a while, then all are let go together. What was sent at once is one wave, however slow
 * the machine is.
 */
export interface Waves {
  /** The waves so far. */
  readonly count: number;
  /** Resolves when the wave of this request is let go. */
  hold(): Promise<void>;
}

const quietMilliseconds = 80;

export function countWaves(): Waves {
  let held: (() => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  let count = 0;
  return {
    get count() {
      return count;
    },
    hold() {
      const { promise, resolve } = Promise.withResolvers<void>();
      held.push(resolve);
      clearTimeout(timer);
      timer = setTimeout(() => {
        count += 1;
        const wave = held;
        held = [];
        for (const release of wave) release();
      }, quietMilliseconds);
      return promise;
    },
  };
}
