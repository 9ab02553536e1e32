import { custom, discriminatedUnion, literal, nullish, object, pipe, refine, string, transform, tuple } from "zod/mini";
import { MemoryError } from "../errors.ts";
import { fieldTexts as expected, type FieldName } from "./command-fields.ts";
import { echoText } from "./echo.ts";
import * as messages from "./messages.ts";
import { isWellFormed } from "./text/encoding.ts";

/** A command of the memory tool, with the field names of the wire. Paths are as they were sent, not yet guarded. */
export type Command =
  | {
      readonly command: "view";
      readonly path: string;
      /** Any two numbers; which lines a file has is judged where it is read. */
      readonly view_range?: readonly [start: number, end: number] | undefined;
    }
  | { readonly command: "create"; readonly path: string; readonly file_text: string }
  | {
      readonly command: "str_replace";
      readonly path: string;
      readonly old_str: string;
      /** Empty where it was left out: the text is deleted. */
      readonly new_str: string;
    }
  | { readonly command: "insert"; readonly path: string; readonly insert_line: number; readonly insert_text: string }
  | { readonly command: "delete"; readonly path: string }
  | { readonly command: "rename"; readonly old_path: string; readonly new_path: string };

/** The command with this name. */
export type CommandOf<Name extends Command["command"]> = Extract<Command, { readonly command: Name }>;

const path = pathField("path");
const rangeEnd = custom<number>((value) => typeof value === "number", {
  error: ({ input }) => messages.badField("view_range", expected.view_range, `an array that holds ${describe(input)}`),
});
const viewRange = tuple([rangeEnd, rangeEnd], { error: ({ input }) => fault("view_range", input) });

const commandSchema = discriminatedUnion(
  "command",
  [
    object({
      command: literal("view"),
      path,
      view_range: pipe(
        nullish(viewRange),
        transform((range) => range ?? undefined),
      ),
    }),
    object({ command: literal("create"), path, file_text: textField("file_text") }),
    object({
      command: literal("str_replace"),
      path,
      old_str: textField("old_str"),
      new_str: pipe(
        nullish(textField("new_str")),
        transform((text) => text ?? ""),
      ),
    }),
    object({
      command: literal("insert"),
      path,
      // Beyond 2 ** 53 too, where zod's own check for integers says no.
      insert_line: custom<number>(Number.isInteger, { error: ({ input }) => fault("insert_line", input) }),
      insert_text: textField("insert_text"),
    }),
    object({ command: literal("delete"), path }),
    object({ command: literal("rename"), old_path: pathField("old_path"), new_path: pathField("new_path") }),
  ],
  { error: ({ input }) => notACommand(input) },
);

/**
 * The command that this input is. Fields that a command does not have are ignored, `null` in an
 * optional one means absent. Throws `invalid_input`, and nothing else, whatever the input is.
 */
export function parseCommand(input: unknown): Command {
  const faults: string[] = [];
  try {
    const result = commandSchema.safeParse(input);
    if (result.success) return result.data;
    // One sentence a field: of two wrong ends of a range the second says nothing more.
    const byField = new Map(result.error.issues.toReversed().map(({ path: [field], message }) => [field, message]));
    faults.push(...[...byField.values()].toReversed());
  } catch {
    // A getter or a proxy threw: what it threw is the caller's own and tells Claude nothing.
    faults.push(messages.unreadableInput());
  }
  throw new MemoryError("invalid_input", messages.badInput(faults));
}

function pathField(name: FieldName) {
  return string({ error: ({ input }) => fault(name, input) });
}

function textField(name: FieldName) {
  const wellFormed = refine<string>(isWellFormed, { error: messages.illFormedField(name) });
  return pathField(name).check(wellFormed);
}

function notACommand(input: unknown): string {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return messages.notACommand(describe(input));
  return fault("command", "command" in input ? input.command : undefined);
}

function fault(name: FieldName, value: unknown): string {
  return value === undefined
    ? messages.missingField(name, expected[name])
    : messages.badField(name, expected[name], name === "command" ? quote(value) : describe(value));
}

/** The name of an unknown command, shortened. */
function quote(value: unknown): string {
  const name = typeof value === "string" ? echoText(value) : undefined;
  return name !== undefined && isWellFormed(name) ? `\`${name}\`` : describe(value);
}

/** A value in a few words, at a cost that does not depend on its size. */
function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (Array.isArray(value)) return `an array of ${value.length}`;
  return typeof value === "object" ? "an object" : `a ${typeof value}`;
}
