import * as z from "zod/mini";
import { checkOptions, optionsObject } from "./check-options.ts";

/** Options that come with each call. All of them throw a `TypeError` for what makes no sense, as those of a memory do. */

/** Not by its class: tests and polyfills bring signals of their own. */
function isSignal(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return (
    typeof Reflect.get(value, "aborted") === "boolean" && typeof Reflect.get(value, "addEventListener") === "function"
  );
}

const signal = z.optional(z.custom<AbortSignal>(isSignal, { error: "an AbortSignal" }));

/** An ETag as it was read. `*` is the wildcard of HTTP, which would make the condition none at all. */
const version = z.custom<string>(
  (value) => typeof value === "string" && value !== "*" && /^[\x21-\x7e][\x20-\x7e]*$/.test(value),
  { error: "the version of a file, as read or list answered it" },
);

const executeSchema = optionsObject({
  signal,
  toolUseId: z.optional(
    z.custom<string>((value) => typeof value === "string" && value !== "", { error: "the id of a tool_use block" }),
  ),
});
const readSchema = optionsObject({ signal });
const deleteSchema = optionsObject({ signal, ifVersion: z.optional(version) });
const writeSchema = optionsObject({
  signal,
  ifVersion: z.optional(version),
  ifAbsent: z.optional(z.literal(true, { error: "true" })),
});

export function checkExecuteOptions(options: unknown): void {
  checkOptions("execute", executeSchema, options);
}

export function checkReadOptions(where: "files.list" | "files.read" | "warm", options: unknown): void {
  checkOptions(where, readSchema, options);
}

/** The version that is to be deleted; `undefined` for any. */
export function checkDeleteOptions(options: { readonly ifVersion?: unknown }): string | undefined {
  const { ifVersion } = checkOptions("files.delete", deleteSchema, options);
  if (ifVersion === undefined && "ifVersion" in options) {
    throw new TypeError(
      "files.delete: option ifVersion is undefined. Expected the version of a file, or no such option.",
    );
  }
  return ifVersion;
}

/** What the write demands: `error` for a file that exists, or the version that it must have. */
export function checkWriteOptions(options: unknown): "error" | { readonly version: string } {
  const { ifAbsent, ifVersion } = checkOptions("files.write", writeSchema, options);
  if (ifAbsent && ifVersion === undefined) return "error";
  if (!ifAbsent && ifVersion !== undefined) return { version: ifVersion };
  throw new TypeError("files.write: say what the write demands, { ifAbsent: true } or { ifVersion: version }.");
}
