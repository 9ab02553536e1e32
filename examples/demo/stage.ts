import { styleText } from "node:util";
import type { Report } from "./worker.ts";

const tell = (line = ""): void => console.log(line);
// `styleText` itself leaves the colours out where the terminal has none or NO_COLOR is set.
const paint = (style: Parameters<typeof styleText>[0], text: string): string => styleText(style, text);

/** Prints the story, and keeps count of what was as expected. */
export class Stage {
  #checks = 0;
  #failed: string[] = [];
  #isWatched = true;
  #isOver = false;

  constructor() {
    // `npm run demo | head` closes the pipe: nobody reads on, which is no failure.
    process.stdout.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
      this.#isWatched = false;
    });
  }

  /** Somebody still reads what is printed. */
  get isWatched(): boolean {
    return this.#isWatched;
  }

  title(text: string, surroundings: string): void {
    tell(`${paint("bold", text)}  ${paint("dim", surroundings)}`);
  }

  scene(number: number, text: string): void {
    tell();
    tell(paint(["bold", "cyan"], `${number}  ${text}`));
  }

  prompt(worker: string, text: string): void {
    tell(`   ${paint("magenta", worker)}  ${text}`);
  }

  reply({ says, calls }: Report): void {
    for (const text of says) tell(`   ${paint("green", "Claude:")} ${text}`);
    for (const { input, result, failed } of calls) {
      tell(`   ${paint("yellow", describe(input))}`);
      for (const line of result.split("\n")) tell(paint(failed ? "red" : "dim", `   │ ${line}`));
    }
  }

  detail(text: string): void {
    tell(paint("dim", `   ${text}`));
  }

  check(expectation: string, holds: boolean): void {
    this.#checks += 1;
    if (!holds) this.#failed.push(expectation);
    tell(`   ${holds ? paint("green", "✓") : paint("red", "✗ not true:")} ${expectation}`);
  }

  /** Something went wrong that leaves the scenes to come without sense. */
  fail(expectation: string): void {
    this.check(expectation, false);
    this.#isOver = true;
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** The last line; answers the exit code. */
  end(): 0 | 1 {
    const passed = this.#checks - this.#failed.length;
    tell();
    tell(
      this.#failed.length === 0
        ? paint(["bold", "green"], `${passed} of ${this.#checks} checks passed`)
        : paint(["bold", "red"], `${passed} of ${this.#checks} checks passed; not true: ${this.#failed.join("; ")}`),
    );
    return this.#failed.length === 0 ? 0 : 1;
  }
}

/** A command in one line, its texts in quotes. */
function describe(input: unknown): string {
  const { command, ...fields } = Object.fromEntries(Object.entries(input ?? {}));
  const shown = Object.entries(fields).map(([name, value]) =>
    name.endsWith("path") ? String(value) : `${name}=${JSON.stringify(value)}`,
  );
  return [String(command), ...shown].join(" ");
}
