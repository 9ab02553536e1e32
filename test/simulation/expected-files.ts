import type { PlannedCommand } from "./plan.ts";
import type { Random } from "./random.ts";

/**
 * What would be where, if the planned operations were carried out one after the other: commands that find something
 * to work on collide, others only answer that nothing is there.
 */
export class ExpectedFiles {
  readonly #random: Random;
  readonly #words = new Map<string, readonly string[]>();

  constructor(random: Random) {
    this.#random = random;
  }

  /** One of the names, mostly one that is there. */
  present(names: readonly [string, ...string[]]): string {
    return this.#mostly(names, (name) => this.#has(name));
  }

  /** One of the names, mostly one that is free. */
  absent(names: readonly [string, ...string[]]): string {
    return this.#mostly(names, (name) => !this.#has(name));
  }

  /** A word of that file. */
  wordIn(name: string): string | undefined {
    const [first, ...more] = this.#words.get(name) ?? [];
    return first === undefined ? undefined : this.#random.pick([first, ...more]);
  }

  write(name: string, text: string): void {
    this.#words.set(name, [...(this.#words.get(name) ?? []), ...text.split(/\s+/).filter((word) => word !== "")]);
  }

  apply(command: PlannedCommand): void {
    switch (command.command) {
      case "view":
        return;
      case "create":
      case "insert":
        return this.write(command.name, command.text);
      case "str_replace":
        return this.write(command.name, command.replacement);
      case "delete":
        for (const name of this.#at(command.name)) this.#words.delete(name);
        return;
      case "rename":
        if (this.#has(command.to)) return;
        for (const name of this.#at(command.from)) {
          this.write(command.to + name.slice(command.from.length), this.#words.get(name)?.join(" ") ?? "");
          this.#words.delete(name);
        }
    }
  }

  #mostly(names: readonly [string, ...string[]], isWanted: (name: string) => boolean): string {
    const [first, ...more] = this.#random.chance(0.85) ? names.filter(isWanted) : [];
    return first === undefined ? this.#random.pick(names) : this.#random.pick([first, ...more]);
  }

  #has(name: string): boolean {
    return this.#at(name).length > 0;
  }

  #at(name: string): readonly string[] {
    return [...this.#words.keys()].filter((one) => one === name || one.startsWith(`${name}/`));
  }
}
