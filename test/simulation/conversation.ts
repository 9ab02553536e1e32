import type { CommandInput } from "../support/command-input.ts";
import type { PlannedOperation } from "./plan.ts";
import { createRandom, type Random } from "./random.ts";

const pathOf = (name: string): string => (name === "" ? "/memories" : `/memories/${name}`);

/** What one conversation has seen of the files so far, as Claude would know it: what it viewed and what it wrote. */
export class Conversation {
  readonly #lines = new Map<string, readonly string[]>();

  /** The command as Claude sends it, with what it knows at this moment. */
  inputOf({ command, seed }: PlannedOperation): CommandInput {
    const random = createRandom(seed);
    switch (command.command) {
      case "view": {
        const { range } = command;
        const input = { command: "view", path: pathOf(command.name) } as const;
        return range === undefined ? input : { ...input, view_range: range };
      }
      case "create":
        return { command: "create", path: pathOf(command.name), file_text: command.text };
      case "str_replace":
        return { command: "str_replace", path: pathOf(command.name), ...this.#replacement(command, random) };
      case "insert": {
        const insert_line = this.#lineFor(command.place, command.name, random);
        return { command: "insert", path: pathOf(command.name), insert_line, insert_text: command.text };
      }
      case "delete":
        return { command: "delete", path: pathOf(command.name) };
      case "rename":
        return { command: "rename", old_path: pathOf(command.from), new_path: pathOf(command.to) };
    }
  }

  /** What an answer that is no error shows Claude. */
  learn(input: CommandInput, content: string): void {
    switch (input.command) {
      case "view":
        if (content.startsWith("Here's the content of") && input.view_range === undefined) {
          this.#lines.set(input.path, viewedLines(content));
        }
        return;
      case "create":
        this.#lines.set(input.path, linesOf(input.file_text));
        return;
      case "str_replace": {
        const known = this.#lines.get(input.path);
        if (known) {
          const text = known.join("\n").replace(input.old_str, () => input.new_str);
          this.#lines.set(input.path, text.split("\n"));
        }
        return;
      }
      case "insert": {
        const known = this.#lines.get(input.path);
        if (known) {
          const { insert_line: line } = input;
          this.#lines.set(input.path, [...known.slice(0, line), ...linesOf(input.insert_text), ...known.slice(line)]);
        }
        return;
      }
      case "delete":
        this.#lines.delete(input.path);
        return;
      case "rename": {
        const known = this.#lines.get(input.old_path);
        this.#lines.delete(input.old_path);
        if (known) this.#lines.set(input.new_path, known);
        return;
      }
    }
  }

  #replacement(
    { name, fallback, replacement, usesFallback }: Extract<PlannedOperation["command"], { command: "str_replace" }>,
    random: Random,
  ): { readonly old_str: string; readonly new_str: string } {
    const known = usesFallback ? [] : wordsOf(this.#lines.get(pathOf(name)) ?? [], replacement === "");
    const [first, ...more] = known;
    return { old_str: first === undefined ? fallback : random.pick([first, ...more]), new_str: replacement };
  }

  #lineFor(place: "top" | "middle" | "end", name: string, random: Random): number {
    const lines = this.#lines.get(pathOf(name))?.length;
    switch (place) {
      case "top":
        return 0;
      case "middle":
        return lines === undefined ? random.below(4) : random.below(lines + 1);
      case "end":
        return lines ?? 1;
    }
  }
}

/**
 * What may be replaced. Every line is two words; the second one may be deleted, with the blank before it, and the
 * first stays, so that no line is ever like another.
 */
function wordsOf(lines: readonly string[], toDelete: boolean): readonly string[] {
  return lines.flatMap((line) => {
    const words = line.split(" ");
    if (!toDelete) return words.filter((word) => word !== "");
    return words.slice(1).flatMap((word) => (word === "" ? [] : ` ${word}`));
  });
}

function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}

/** The lines of a numbered view. */
function viewedLines(content: string): readonly string[] {
  return content
    .split("\n")
    .slice(1)
    .flatMap((row) => /^ *\d+\t(.*)$/.exec(row)?.[1] ?? []);
}
