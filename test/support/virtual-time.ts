import { setImmediate } from "node:timers/promises";

/** A clock that moves on as soon as nobody has anything left to do, so that what depends on time depends on no machine. */
export class VirtualTime {
  readonly #waiting: { readonly at: number; readonly resolve: () => void }[] = [];
  #now = 0;

  get now(): number {
    return this.#now;
  }

  /** Resolves so many milliseconds later. */
  after(milliseconds: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ at: this.#now + milliseconds, resolve });
    return promise;
  }

  /** Lets the time pass until the work is done. */
  async run<T>(work: Promise<T>): Promise<T> {
    let isDone = false;
    const done = work.finally(() => {
      isDone = true;
    });
    done.catch(() => undefined); // is thrown below
    for (;;) {
      await setImmediate(); // whoever was woken has done what he does by himself
      if (isDone) return done;
      const next = Math.min(...this.#waiting.map(({ at }) => at));
      if (next === Infinity) continue; // a module is being loaded
      const index = this.#waiting.findIndex(({ at }) => at === next);
      this.#now = next;
      this.#waiting.splice(index, 1)[0]?.resolve();
    }
  }
}
