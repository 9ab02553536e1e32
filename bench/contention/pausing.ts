import type { VirtualTime } from "../../test/support/virtual-time.ts";
import type { LostAttempt } from "./pauses.ts";
import type { Random } from "./seeded.ts";

/** Beside a rule that is not the library's: nothing is remembered from one edit to the next. */
export const forgetful = {
  races: { firstPause: (): number => 0, lost: (): void => undefined },
};

/** One worker's pauses by a rule that is not the library's. */
export class Pausing {
  readonly #pause: (lost: LostAttempt) => number;
  readonly #time: VirtualTime;
  readonly #random: Random;
  readonly #totalMilliseconds: number;
  #attempt = 0;
  #startedAt = 0;
  #pauseBefore = 0;
  #deadline = 0;
  #givenUp = new AbortController();

  constructor(pause: (lost: LostAttempt) => number, time: VirtualTime, random: Random, totalMilliseconds: number) {
    this.#pause = pause;
    this.#time = time;
    this.#random = random;
    this.#totalMilliseconds = totalMilliseconds;
  }

  /** Before each edit; the signal ends it where its time is over. */
  begin(): AbortSignal {
    this.#attempt = 0;
    this.#pauseBefore = 0;
    this.#startedAt = this.#time.now;
    this.#deadline = this.#time.now + this.#totalMilliseconds;
    this.#givenUp = new AbortController();
    return this.#givenUp.signal;
  }

  /** After each lost race, whatever pause the library asks for. */
  async sleep(): Promise<void> {
    this.#attempt += 1;
    const left = this.#deadline - this.#time.now;
    const took = this.#time.now - this.#startedAt;
    const lost = { attempt: this.#attempt, took, pauseBefore: this.#pauseBefore, left, random: this.#random };
    const pause = this.#pause(lost);
    if (pause >= left) return this.#givenUp.abort();
    await this.#time.after(pause);
    this.#pauseBefore = pause;
    this.#startedAt = this.#time.now;
  }
}
