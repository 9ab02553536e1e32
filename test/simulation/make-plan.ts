import { ExpectedFiles } from "./expected-files.ts";
import { allFaults, type FaultPlan } from "./faults.ts";
import type { InitialFile, Plan, PlannedCommand, PlannedDeath, PlannedOperation, Turn } from "./plan.ts";
import { createRandom, type Random } from "./random.ts";
import type { ScheduleStyle } from "./scheduler.ts";
import { themes, type Theme, type ThemeName } from "./themes.ts";

const themeNames = Object.keys(themes) as [ThemeName, ...ThemeName[]];

/** What the episode of this seed does. */
export function makePlan(seed: number): Plan {
  return new PlanMaker(createRandom(seed)).make();
}

class PlanMaker {
  readonly #random: Random;
  readonly #name: ThemeName;
  readonly #theme: Theme;
  readonly #isCalm: boolean;
  readonly #files: ExpectedFiles;
  /** Words are never used twice in an episode, so no line is like another. */
  #words = 0;
  #keys = 0;
  #toolUses = 0;

  constructor(random: Random) {
    this.#random = random;
    this.#name = random.pick(themeNames);
    this.#theme = themes[this.#name];
    this.#isCalm = random.chance(0.25);
    this.#files = new ExpectedFiles(random);
  }

  make(): Plan {
    const random = this.#random;
    const { onExisting = random.chance(0.1) ? "overwrite" : "error" } = this.#theme;
    const etags = random.chance(0.5) ? "unique" : "content";
    const initial = this.#initialFiles();
    const plan = {
      theme: this.#name,
      limits: this.#limits(),
      retry: {
        attempts: random.chance(0.25) ? 1 + random.below(4) : 20,
        totalMilliseconds: random.chance(0.05) ? 50 : 15_000,
      },
      style: this.#style(),
      initial,
      workers: this.#workers(),
      faults: this.#faults(),
    };
    const directEdits = random.chance(0.5);
    const workers = this.#inProcesses(plan.workers);
    return { ...plan, workers, settings: { etags, onExisting, isCalm: this.#isCalm, directEdits } };
  }

  #initialFiles(): readonly InitialFile[] {
    const random = this.#random;
    const files: InitialFile[] = [];
    for (const name of new Set(this.#theme.names)) {
      // A file beside a directory of the same name is left to races, but for a few.
      const isBeside = files.some((file) => name.startsWith(`${file.name}/`));
      if (!random.chance(isBeside ? 0.1 : this.#theme.initialShare)) continue;
      const text = this.#newText();
      this.#files.write(name, text);
      files.push({ name, text, by: random.chance(0.3) ? "another tool" : "memory" });
    }
    return files;
  }

  #limits(): Plan["limits"] {
    const random = this.#random;
    if (this.#theme.hasSmallLimits) {
      if (random.chance(0.6)) return { files: 3 + random.below(4) };
      return { files: 1_000, totalBytes: 20 + random.below(150) };
    }
    return random.chance(0.3) ? {} : { files: 1_000 };
  }

  #style(): ScheduleStyle {
    const random = this.#random;
    // In a calm episode no request ever takes so long that a limit ends it.
    const pace = this.#isCalm ? 2 : random.pick([3, 3, 20, 20, 400]);
    const kind = random.weighted<ScheduleStyle["kind"]>({
      uniform: 3,
      favourite: 2,
      alternation: 1,
      priorities: 3,
      "holding back": 2,
      bursts: 2,
    });
    return { kind, change: random.pick([0.02, 0.1, 0.3]), pace };
  }

  #faults(): FaultPlan {
    const random = this.#random;
    const seed = random.below(2 ** 32);
    if (this.#isCalm) return { seed, probability: 0, kinds: [] };
    const share = random.pick([0.2, 0.5, 1]);
    const kinds = allFaults.filter(() => random.chance(share));
    return { seed, probability: random.pick([0.03, 0.08, 0.15, 0.3]), kinds };
  }

  #inProcesses(turns: readonly (readonly Turn[])[]): Plan["workers"] {
    let process = -1;
    return turns.map((list) => {
      if (process === -1 || !this.#random.chance(0.4)) process += 1;
      return { process, turns: list };
    });
  }

  #workers(): readonly (readonly Turn[])[] {
    const random = this.#random;
    const count = 2 + random.below(4);
    const turns = Array.from({ length: count }, (): Turn[] => []);
    let left = 10 + random.below(31);
    while (left > 0) {
      const worker = random.below(count);
      const operations = Array.from({ length: random.chance(0.2) ? 2 + random.below(2) : 1 }, () => this.#operation());
      const [first] = operations;
      if (first && this.#wantsView(first.command)) {
        turns[worker]?.push({ operations: [this.#operation({ command: "view", name: first.command.name })] });
        left -= 1;
      }
      turns[worker]?.push({ operations, ...this.#deathOf(count) });
      left -= operations.length;
      for (const operation of operations) {
        if (this.#isRepeated(operation)) this.#repeat(turns, operation);
        if (random.chance(this.#theme.rivalShare)) left -= this.#addRivals(turns, operation.command);
      }
    }
    return turns;
  }

  #wantsView(command: PlannedCommand): command is Extract<PlannedCommand, { command: "insert" | "create" }> {
    return (command.command === "insert" || command.command === "create") && this.#random.chance(this.#theme.viewShare);
  }

  #deathOf(workers: number): { readonly death?: PlannedDeath } {
    const random = this.#random;
    if (this.#isCalm || !random.chance(this.#theme.deathShare)) return {};
    const again = random.pick<PlannedDeath["again"]>(["at once", "at once", "later", "never", random.below(workers)]);
    return { death: { afterRequests: 1 + random.below(8), again } };
  }

  #isRepeated({ toolUse }: PlannedOperation): boolean {
    return !this.#isCalm && toolUse !== undefined && this.#random.chance(this.#theme.repeatShare);
  }

  /** The same tool_use comes to another worker, or to the same one once more, about as soon as it first comes. */
  #repeat(turns: readonly Turn[][], operation: PlannedOperation): void {
    const key = this.#keys++;
    const { command } = operation;
    const isEdit = command.command === "insert" || command.command === "str_replace";
    if (isEdit && this.#theme.onExisting === "overwrite")
      return this.#repeatUnseen(turns, { ...operation, key }, command.name);
    turns[this.#random.below(turns.length)]?.push({ operations: [{ ...operation, key }] });
  }

  /** Between its view and its overwrite it has seen nothing of what others write, though an edit of its own is in it. */
  #repeatUnseen(turns: readonly Turn[][], repeated: PlannedOperation, name: string): void {
    const random = this.#random;
    const [worker, rival] = [turns[random.below(turns.length)], turns[random.below(turns.length)]];
    const insert = { command: "insert", name, place: "top", text: this.#newLine() } as const;
    const overwrite = { command: "create", name, text: this.#newText() } as const;
    worker?.push({ operations: [this.#operation({ command: "view", name })] });
    rival?.push({ operations: [this.#operation(insert)] });
    worker?.push({ operations: [repeated] }, { operations: [this.#operation(overwrite)] });
  }

  /** One worker does all of it, one after the other, about as soon as the command comes that it disturbs. */
  #addRivals(turns: readonly Turn[][], disturbed: PlannedCommand): number {
    const rivals = this.#rivalsOf(disturbed.command === "rename" ? disturbed.from : disturbed.name);
    const worker = turns[this.#random.below(turns.length)];
    for (const command of rivals) worker?.push({ operations: [this.#operation(command)] });
    return rivals.length;
  }

  /** Moves it elsewhere, there and back, or puts another file in its place. */
  #rivalsOf(name: string): readonly PlannedCommand[] {
    const random = this.#random;
    if (name === "") return [];
    const { directories, names } = this.#theme;
    const isDirectory = directories.includes(name);
    const [first, ...more] = (isDirectory ? directories : names).filter((other) => other !== name);
    if (first === undefined) return [];
    const elsewhere = this.#files.absent([first, ...more]);
    const away = { command: "rename", from: name, to: elsewhere } as const;
    const kind = random.pick(["moved", "there and back", "replaced"]);
    if (kind === "there and back") return [away, { command: "rename", from: elsewhere, to: name }];
    if (kind === "moved" || isDirectory) return [away];
    const removal = random.chance(0.5) ? away : ({ command: "delete", name } as const);
    return [removal, { command: "create", name, text: this.#newText() }];
  }

  #operation(command: PlannedCommand = this.#command()): PlannedOperation {
    this.#files.apply(command);
    const key = this.#keys++;
    const toolUse = this.#random.chance(0.85) ? this.#toolUses++ : undefined;
    return { key, seed: this.#random.below(2 ** 32), toolUse, command };
  }

  #command(): PlannedCommand {
    const random = this.#random;
    const { names } = this.#theme;
    const command = random.weighted(this.#theme.commands);
    switch (command) {
      case "view":
        return this.#view();
      case "create": {
        const isOverwriting = this.#theme.onExisting === "overwrite" && random.chance(0.5);
        const name = isOverwriting ? this.#files.present(names) : this.#files.absent(names);
        return { command, name, text: this.#newText() };
      }
      case "str_replace": {
        const name = this.#files.present(names);
        return { command, name, ...this.#replacement(name) };
      }
      case "insert":
        return { command, name: this.#files.present(names), place: this.#place(), text: this.#insertion() };
      case "delete":
        return { command, name: this.#fileOrDirectory() };
      case "rename":
        return this.#rename();
    }
  }

  #view(): PlannedCommand {
    const random = this.#random;
    if (random.chance(0.15)) return { command: "view", name: "" };
    const name = this.#fileOrDirectory();
    return random.chance(0.15)
      ? { command: "view", name, range: [1, random.pick([-1, 1])] }
      : { command: "view", name };
  }

  #fileOrDirectory(): string {
    const { directories, directoryShare, names } = this.#theme;
    const [first, ...more] = directories;
    return first !== undefined && this.#random.chance(directoryShare)
      ? this.#files.present([first, ...more])
      : this.#files.present(names);
  }

  #rename(): PlannedCommand {
    const random = this.#random;
    const from = this.#fileOrDirectory();
    const { directories, names } = this.#theme;
    const [first, ...more] = directories.filter((directory) => directory !== from);
    // Now and then a file goes where a directory is, or the other way round.
    const isDirectory = directories.includes(from) !== random.chance(0.05);
    const to = isDirectory && first !== undefined ? this.#files.absent([first, ...more]) : this.#files.absent(names);
    return { command: "rename", from, to };
  }

  #replacement(name: string): Omit<Extract<PlannedCommand, { command: "str_replace" }>, "command" | "name"> {
    const random = this.#random;
    const deletes = random.chance(0.2);
    const expected = random.chance(0.8) ? this.#files.wordIn(name) : undefined;
    const word = expected ?? wordOf(random.below(Math.max(1, this.#words)));
    // With its blank: the first word of a line stays, so that no line is ever like another.
    const fallback = deletes ? ` ${word}` : word;
    return { fallback, usesFallback: random.chance(0.3), replacement: deletes ? "" : this.#newWord() };
  }

  #place(): "top" | "middle" | "end" {
    if (this.#random.chance(this.#theme.appendShare)) return "end";
    return this.#random.chance(0.3) ? "top" : "middle";
  }

  #insertion(): string {
    const text = this.#newLine() + (this.#random.chance(0.2) ? `\n${this.#newLine()}` : "");
    return this.#random.chance(0.5) ? `${text}\n` : text;
  }

  #newText(): string {
    const lines = Array.from({ length: 1 + this.#random.below(4) }, () => this.#newLine());
    return lines.join("\n") + (this.#random.chance(0.8) ? "\n" : "");
  }

  #newLine(): string {
    return `${this.#newWord()} ${this.#newWord()}`;
  }

  #newWord(): string {
    return wordOf(this.#words++);
  }
}

/** All are equally long, so none is a part of another. */
function wordOf(index: number): string {
  return `t${String(index).padStart(3, "0")}`;
}
