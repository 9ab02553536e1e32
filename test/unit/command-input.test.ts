import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCommand } from "../../src/core/command-input.ts";
import { isMemoryError } from "../../src/errors.ts";

const path = "/memories/a.md";

function refusal(input: unknown): string {
  try {
    parseCommand(input);
  } catch (error) {
    if (isMemoryError(error) && error.code === "invalid_input") return error.message;
    throw error;
  }
  throw new Error("The input was accepted");
}

describe("a command", () => {
  it.each([
    [{ command: "view", path }],
    [{ command: "view", path, view_range: [1, -1] }],
    [{ command: "view", path, view_range: [1, 1e20] }],
    [{ command: "view", path, view_range: [1.5, NaN] }],
    [{ command: "view", path, view_range: [-Infinity, Infinity] }],
    [{ command: "create", path, file_text: "" }],
    [{ command: "str_replace", path, old_str: "a", new_str: "b" }],
    [{ command: "insert", path, insert_line: 0, insert_text: "" }],
    [{ command: "insert", path, insert_line: 1e20, insert_text: "" }],
    [{ command: "insert", path, insert_line: -(2 ** 60), insert_text: "" }],
    [{ command: "delete", path }],
    [{ command: "rename", old_path: path, new_path: "/memories/b.md" }],
  ])("is taken as it is: %j", (input) => expect(parseCommand(input)).toEqual(input));

  it.each([
    ["case 17: null for an optional range", { command: "view", path, view_range: null }, { command: "view", path }],
    [
      "case 17: null for an optional new text",
      { command: "str_replace", path, old_str: "a", new_str: null },
      { command: "str_replace", path, old_str: "a", new_str: "" },
    ],
    [
      "case 2: no new text, which deletes",
      { command: "str_replace", path, old_str: "a" },
      { command: "str_replace", path, old_str: "a", new_str: "" },
    ],
    [
      "case 11: an empty old text, which is not a missing one",
      { command: "str_replace", path, old_str: "", new_str: "x" },
      { command: "str_replace", path, old_str: "", new_str: "x" },
    ],
    ["fields of other commands", { command: "delete", path, file_text: 5, path2: {} }, { command: "delete", path }],
    [
      "a path sent along with a rename",
      { command: "rename", path, old_path: "/memories/a", new_path: "/memories/b" },
      { command: "rename", old_path: "/memories/a", new_path: "/memories/b" },
    ],
    ["a path that is yet to be guarded", { command: "view", path: "\ud800" }, { command: "view", path: "\ud800" }],
    [
      "-0 as a line",
      { command: "insert", path, insert_line: -0, insert_text: "" },
      { command: "insert", path, insert_line: -0, insert_text: "" },
    ],
  ])("may have %s", (_, input, expected) => expect(parseCommand(input)).toEqual(expected));

  it("keeps texts to the last character", () => {
    const text = "\u{feff}a\r\nb\u0085\u2028\0 😀\n\n";
    expect(parseCommand({ command: "create", path, file_text: text })).toEqual({
      command: "create",
      path,
      file_text: text,
    });
  });
});

const expected = {
  command: "it should be one of view, create, str_replace, insert, delete, rename.",
  path: "a string, the path of a file or directory such as /memories/notes.md",
  range: "[start, end], two integers: the first line from 1, the last line or -1 for the end of the file",
  line: "an integer, the line after which the text goes, 0 for the top of the file",
};
const notAnObject = 'Error: The input should be an object such as {"command": "view", "path": "/memories"}, not';
const unknownCommand = "Error: `command` should be one of view, create, str_replace, insert, delete, rename, not";
const unreadable =
  'Error: The input cannot be read; it should be a plain object such as {"command": "view", "path": "/memories"}.';

describe("input that is no command", () => {
  it.each([
    [undefined, `${notAnObject} undefined.`],
    [null, `${notAnObject} null.`],
    [5, `${notAnObject} 5.`],
    [true, `${notAnObject} true.`],
    ['{"command":"view","path":"/memories"}', `${notAnObject} a string.`],
    [[], `${notAnObject} an array of 0.`],
    [[{ command: "view", path }], `${notAnObject} an array of 1.`],
    [() => ({ command: "view", path }), `${notAnObject} a function.`],
    [Symbol("view"), `${notAnObject} a symbol.`],
    [10n ** 5_000n, `${notAnObject} a bigint.`],
    [{}, `Error: \`command\` is missing; ${expected.command}`],
    [
      JSON.parse('{"__proto__":{"command":"view","path":"/memories"}}'),
      `Error: \`command\` is missing; ${expected.command}`,
    ],
    [{ command: null }, `${unknownCommand} null.`],
    [{ command: 1 }, `${unknownCommand} 1.`],
    [{ command: ["view"] }, `${unknownCommand} an array of 1.`],
    [{ command: { toString: () => "view" } }, `${unknownCommand} an object.`],
    [{ command: "" }, `${unknownCommand} \`\`.`],
    [{ command: "View" }, `${unknownCommand} \`View\`.`],
    [{ command: "constructor" }, `${unknownCommand} \`constructor\`.`],
    [{ command: "toString" }, `${unknownCommand} \`toString\`.`],
    [{ command: "__proto__" }, `${unknownCommand} \`__proto__\`.`],
    [{ command: "hasOwnProperty" }, `${unknownCommand} \`hasOwnProperty\`.`],
    [{ command: "\ud800" }, `${unknownCommand} a string.`],
    [{ command: "view" }, `Error: \`path\` is missing; it should be ${expected.path}.`],
    [{ command: "view", path: null }, `Error: \`path\` should be ${expected.path}, not null.`],
    [{ command: "view", path: 5 }, `Error: \`path\` should be ${expected.path}, not 5.`],
    [{ command: "delete", path: ["/memories"] }, `Error: \`path\` should be ${expected.path}, not an array of 1.`],
    [{ command: "view", path, view_range: "1-5" }, `Error: \`view_range\` should be ${expected.range}, not a string.`],
    [{ command: "view", path, view_range: 5 }, `Error: \`view_range\` should be ${expected.range}, not 5.`],
    [{ command: "view", path, view_range: {} }, `Error: \`view_range\` should be ${expected.range}, not an object.`],
    [
      { command: "view", path, view_range: [] },
      `Error: \`view_range\` should be ${expected.range}, not an array of 0.`,
    ],
    [
      { command: "view", path, view_range: [1] },
      `Error: \`view_range\` should be ${expected.range}, not an array of 1.`,
    ],
    [
      { command: "view", path, view_range: [1, 2, 3] },
      `Error: \`view_range\` should be ${expected.range}, not an array of 3.`,
    ],
    [
      { command: "view", path, view_range: ["1", null] },
      `Error: \`view_range\` should be ${expected.range}, not an array that holds a string.`,
    ],
    [
      { command: "view", path, view_range: [1, null] },
      `Error: \`view_range\` should be ${expected.range}, not an array that holds null.`,
    ],
    [
      { command: "create", path },
      "Error: `file_text` is missing; it should be a string, the whole text of the file, empty for an empty file.",
    ],
    [
      { command: "create", path, file_text: null },
      "Error: `file_text` should be a string, the whole text of the file, empty for an empty file, not null.",
    ],
    [
      { command: "create", path, file_text: { text: "a" } },
      "Error: `file_text` should be a string, the whole text of the file, empty for an empty file, not an object.",
    ],
    [
      { command: "str_replace", path, new_str: "x" },
      "Error: `old_str` is missing; it should be a string, the exact text to be replaced.",
    ],
    [
      { command: "str_replace", path, old_str: null, new_str: "x" },
      "Error: `old_str` should be a string, the exact text to be replaced, not null.",
    ],
    [
      { command: "str_replace", path, old_str: "a", new_str: 5 },
      "Error: `new_str` should be a string, the text to put in its place, or left out to delete the text, not 5.",
    ],
    [
      { command: "insert", path, insert_line: 0 },
      "Error: `insert_text` is missing; it should be a string, the text to be inserted.",
    ],
    [
      { command: "insert", path, insert_text: "x" },
      `Error: \`insert_line\` is missing; it should be ${expected.line}.`,
    ],
    [
      { command: "insert", path, insert_line: "5", insert_text: "x" },
      `Error: \`insert_line\` should be ${expected.line}, not a string.`,
    ],
    [
      { command: "insert", path, insert_line: 0.5, insert_text: "x" },
      `Error: \`insert_line\` should be ${expected.line}, not 0.5.`,
    ],
    [
      { command: "insert", path, insert_line: NaN, insert_text: "x" },
      `Error: \`insert_line\` should be ${expected.line}, not NaN.`,
    ],
    [
      { command: "insert", path, insert_line: Infinity, insert_text: "x" },
      `Error: \`insert_line\` should be ${expected.line}, not Infinity.`,
    ],
    [
      { command: "insert", path, insert_line: null },
      `Error: \`insert_line\` should be ${expected.line}, not null. ` +
        "`insert_text` is missing; it should be a string, the text to be inserted.",
    ],
    [
      { command: "rename", path },
      "Error: `old_path` is missing; it should be a string, the path of the file or directory to be renamed. " +
        "`new_path` is missing; it should be a string, the path it is to have.",
    ],
  ])("is refused with what came and what is expected (%#)", (input, text) => expect(refusal(input)).toBe(text));

  it.each([
    ["file_text", { command: "create", path, file_text: "a\ud83d" }],
    ["old_str", { command: "str_replace", path, old_str: "\ude00a", new_str: "" }],
    ["new_str", { command: "str_replace", path, old_str: "a", new_str: "\ude00\ud83d" }],
    ["insert_text", { command: "insert", path, insert_line: 0, insert_text: "\ud83d" }],
  ])("has half a character in %s, which no file could hold", (field, input) => {
    expect(refusal(input)).toBe(
      `Error: \`${field}\` holds half of a surrogate pair, which is not a character; it should be well-formed Unicode text.`,
    );
  });

  it.each([
    ["a getter that throws", Object.defineProperty({}, "command", { get: () => thrown(), enumerable: true })],
    ["a getter that throws in a field", Object.defineProperty({ command: "view" }, "path", { get: () => thrown() })],
    ["a proxy that throws", new Proxy({}, { get: () => thrown(), has: () => thrown(), ownKeys: () => thrown() })],
    ["a revoked proxy", revoked()],
    ["a revoked proxy as the command", { command: revoked() }],
    ["a revoked proxy as a field", { command: "view", path, view_range: revoked() }],
  ])("may be %s: only a MemoryError leaves, and nothing of what was thrown", (_, input) => {
    expect(refusal(input)).toBe(unreadable);
  });

  it.each([
    ["10 MB as the command", { command: "x".repeat(10_000_000) }],
    ["10 MB in place of a number", { command: "insert", path, insert_line: "9".repeat(10_000_000), insert_text: "" }],
    ["10 MB in place of the object", "x".repeat(10_000_000)],
    ["a long array in place of a range", { command: "view", path, view_range: Array(10_000_000).fill(0) }],
    ["a deep object in place of a path", { command: "view", path: deep(100_000), other: deep(100_000) }],
    ["a huge integer in place of a path", { command: "view", path: 10n ** 100_000n }],
    [
      "10 MB with half a character at its end",
      { command: "create", path, file_text: `${"é".repeat(5_000_000)}\ud800` },
    ],
  ])("costs little and is answered shortly: %s", (_, input) => {
    const started = performance.now();
    const text = refusal(input);
    expect(performance.now() - started).toBeLessThan(300); // 50 ms on a quiet machine
    expect(text.length).toBeLessThan(2_000);
  });

  it("is whatever else there is: a command or `invalid_input`, with a short, well-formed text", () => {
    const names = fc.constantFrom("view", "create", "str_replace", "insert", "delete", "rename", "constructor");
    const anything = fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true });
    const text = fc.oneof(fc.string({ unit: "binary" }), anything);
    const command = fc.record(
      {
        command: fc.oneof(names, text),
        path: text,
        view_range: fc.oneof(fc.array(fc.oneof(fc.integer(), anything), { maxLength: 3 }), anything),
        file_text: text,
        old_str: text,
        new_str: text,
        insert_line: fc.oneof(fc.double(), anything),
        insert_text: text,
        old_path: text,
        new_path: text,
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(fc.oneof(command, anything), (input) => {
        try {
          expect(Object.keys(parseCommand(input))).toContain("command");
        } catch (error) {
          if (!isMemoryError(error)) throw error;
          expect(error.code).toBe("invalid_input");
          expect(error.message).toMatch(/^Error: /);
          expect(error.message.length).toBeLessThan(2_000);
          expect(error.message.isWellFormed()).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});

function thrown(): never {
  throw new Error("arn:aws:s3:::secret");
}

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable([], {});
  revoke();
  return proxy;
}

function deep(levels: number): unknown {
  let value: unknown = {};
  for (let level = 0; level < levels; level += 1) value = { value };
  return value;
}
