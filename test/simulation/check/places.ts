import type { CommandInput } from "../../support/command-input.ts";
import type { Operation } from "../log.ts";

/** Where a command may write, told from its input alone. */

/** The key of a path; the prefix of the scope for the root. */
export function keyOf(memories: string, path: string): string {
  const names = path.split("/").filter((name) => name !== "" && name !== ".");
  return memories + names.slice(1).join("/");
}

/** The key is this one or lies below it. */
export const isAtOrBelow = (key: string, top: string): boolean => key === top || key.startsWith(`${top}/`);

/** The path that a command is about; of a rename its source. */
export function pathOf(input: CommandInput): string {
  return input.command === "rename" ? input.old_path : input.path;
}

/** The two ends of a rename, as keys. */
export interface Ends {
  readonly source: string;
  readonly target: string;
}

/** `undefined` where the operation is no rename. */
export function endsOf(memories: string, { input }: Operation): Ends | undefined {
  if (input.command !== "rename") return undefined;
  return { source: keyOf(memories, input.old_path), target: keyOf(memories, input.new_path) };
}

/** Where a key at or below the source of a rename goes. */
export const targetOf = (key: string, { source, target }: Ends): string => target + key.slice(source.length);

/** Where a key at or below the target of a rename comes from. */
export const sourceOf = (key: string, { source, target }: Ends): string => source + key.slice(target.length);
