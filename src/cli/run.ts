import type { Readable, Writable } from "node:stream";
import { CommanderError } from "commander";
import { createProgram } from "./program.ts";

/** All that a command has to do with its process. */
export interface Surroundings {
  /** The arguments, without the program's own. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  readonly nodeVersion: string;
  /** Ends a server in good order. */
  readonly signal: AbortSignal;
  /** How long calls that are under way may take when a server ends. @default 10000 */
  readonly graceMilliseconds?: number;
}

/** Runs the command line. Resolves to the exit code: 0, 1 for what failed, 2 for what was said wrongly. */
export async function run(surroundings: Surroundings): Promise<number> {
  const outcome = { code: 0 };
  const program = createProgram(surroundings, (code) => {
    outcome.code = code;
  });
  try {
    await program.parseAsync(surroundings.argv, { from: "user" });
  } catch (error) {
    // What it had to say, it has said.
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
  return outcome.code;
}
