import { custom, safeParse, strictObject, type core, type ZodMiniCustom, type ZodMiniObject } from "zod/mini";

/**
 * Options of this library are checked once, where they are given: nonsense is the programmer's fault
 * and a `TypeError` that names the option, its value and what is expected. The `error` of each part of
 * the schema says what is expected.
 */
export function checkOptions<T>(where: string, schema: core.$ZodType<T>, options: unknown): T {
  const result = safeParse(schema, options);
  if (result.success) return result.data;
  const { issues } = result.error;
  // A misspelt name is the better explanation of an option that is missing.
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  if (issue?.code === "unrecognized_keys") {
    const name = [...issue.path, issue.keys[0]].join(".");
    throw new TypeError(`${where}: there is no option ${name}. Expected one of: ${issue.message}.`);
  }
  const path = issue?.path ?? [];
  const name = path.length === 0 ? "the options are" : `option ${path.join(".")} is`;
  throw new TypeError(
    `${where}: ${name} ${shown(valueAt(options, path))}. Expected ${issue?.message ?? "something else"}.`,
  );
}

/** An object of options that refuses names it does not know. */
export function optionsObject<Shape extends core.$ZodLooseShape>(shape: Shape): ZodMiniObject<Shape, core.$strict> {
  return strictObject(shape, {
    error: (issue) => (issue.code === "unrecognized_keys" ? Object.keys(shape).join(", ") : "an object"),
  });
}

/** The schema of an option that is a whole number within these bounds, both included. */
export function wholeNumber(
  expected: string,
  least: number,
  most: number = Number.MAX_SAFE_INTEGER,
): ZodMiniCustom<number, number> {
  return custom<number>(
    (value) => typeof value === "number" && Number.isInteger(value) && value >= least && value <= most,
    { error: expected },
  );
}

/** The schema of an option that is a function; what it takes and answers is the compiler's to judge. */
export function aFunction<Signature>(): ZodMiniCustom<Signature, Signature> {
  return custom<Signature>((value) => typeof value === "function", { error: "a function" });
}

function valueAt(options: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, name) => (typeof value === "object" && value !== null ? Reflect.get(value, name) : value),
    options,
  );
}

const longestShown = 100;

/** A value as an error text shows it: never long, never by calling anything of its own. */
function shown(value: unknown): string {
  switch (typeof value) {
    case "string":
      return value.length > longestShown ? `${JSON.stringify(value.slice(0, longestShown))}…` : JSON.stringify(value);
    case "number":
    case "boolean":
    case "bigint":
    case "undefined":
      return String(value);
    case "symbol":
    case "function":
      return `a ${typeof value}`;
    case "object":
      if (value === null) return "null";
      return Array.isArray(value) ? "an array" : "an object";
    default:
      return "a value";
  }
}
