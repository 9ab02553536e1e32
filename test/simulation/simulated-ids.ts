import type { Runtime } from "../../src/core/runtime.ts";

/**
 * Ids that can be read, and that never collide: the n-th text that is hashed is `h{n}`, and each random id is a new
 * one. Both are of the form that metadata takes.
 */
export class SimulatedIds {
  readonly #hashes = new Map<string, string>();
  #count = 0;
  /** Hears of every id that is made. */
  onId: ((id: string) => void) | undefined;

  readonly hash: Runtime["hash"] = (text) => {
    let id = this.#hashes.get(text);
    if (id === undefined) {
      id = `h${this.#hashes.size + 1}`;
      this.#hashes.set(text, id);
    }
    this.onId?.(id);
    return id;
  };

  readonly randomId: Runtime["randomId"] = () => {
    this.#count += 1;
    const id = `r${this.#count}`;
    this.onId?.(id);
    return id;
  };
}
