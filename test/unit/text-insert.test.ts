import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { insertText } from "../../src/core/text/insert-text.ts";
import { linesBetween } from "../../src/core/text/lines.ts";
import { MemoryError } from "../../src/errors.ts";

const byteOrderMark = "\u{feff}";
const linesOf = (text: string): string[] => Array.from(linesBetween(text, 1, Infinity), ({ line }) => line);

describe("insertText", () => {
  it.each([
    ["case 14: 0 is the top", "a\nb\n", 0, "x", "x\na\nb\n"],
    ["case 14: n is after line n", "a\nb\n", 1, "x", "a\nx\nb\n"],
    ["after the last line", "a\nb\n", 2, "x", "a\nb\nx\n"],
    ["after a last line without a newline", "a\nb", 2, "x", "a\nb\nx"],
    ["at the top of a file without a newline", "a", 0, "x", "x\na"],
    ["one newline at the end of the addition is dropped", "a\nb\n", 1, "x\n", "a\nx\nb\n"],
    ["only one", "a\nb\n", 1, "x\n\n", "a\nx\n\nb\n"],
    ["also after a last line without a newline", "a", 1, "x\n", "a\nx"],
    ["several lines", "a\n", 0, "x\ny", "x\ny\na\n"],
    ["into an empty file, as it is", "", 0, "x", "x"],
    ["into an empty file, nothing dropped", "", 0, "x\n\n", "x\n\n"],
    ["after a byte order mark", "\u{feff}a\n", 0, "x", "\u{feff}x\na\n"],
    ["a byte order mark alone is one line", "\u{feff}", 1, "x", "\u{feff}\nx"],
    ["into a CRLF file with a plain newline", "a\r\nb\r\n", 1, "x", "a\r\nx\nb\r\n"],
    ["its own CRLF stays", "a\r\nb\r\n", 1, "x\r\n", "a\r\nx\r\nb\r\n"],
    ["case 10: NEL and U+2028 end no line", "a\u0085b\u2028c\nd\n", 1, "x", "a\u0085b\u2028c\nx\nd\n"],
    ["an empty line", "a\nb\n", 1, "", "a\n\nb\n"],
    ["case 9: dollar signs are literal", "a\nb\n", 1, "$& $1 $$ $`", "a\n$& $1 $$ $`\nb\n"],
  ])("%s", (_, text, line, addition, expected) => {
    expect(insertText(text, line, addition)).toBe(expected);
  });

  it.each([
    ["a\nb\n", -1, 2],
    ["a\nb\n", 3, 2],
    ["a\nb", 3, 2],
    ["", 1, 0],
    ["a", 0.5, 1],
  ])("case 14: names the lines of %j where line %d is none of them", (text, line, lines) => {
    const message =
      `Error: Invalid \`insert_line\` parameter: ${line}. ` +
      `It should be within the range of lines of the file: [0, ${lines}]`;
    expect(() => insertText(text, line, "x")).toThrow(new MemoryError("invalid_input", message));
  });

  const part = fc.string({
    unit: fc.constantFrom("a", "b", "\n", "\r\n", "\u0085", "\u2028", "\u{feff}", "😀"),
    maxLength: 10,
  });

  it("agrees with the view on line numbers", () => {
    fc.assert(
      fc.property(part, part, fc.nat(), (text, addition, seed) => {
        fc.pre(text !== "" && !text.startsWith(byteOrderMark));
        const before = linesOf(text);
        const line = seed % (before.length + 1);
        const added = (addition.endsWith("\n") ? addition.slice(0, -1) : addition).split("\n");
        // An empty addition after a last line without a newline only ends that line.
        if (line === before.length && !text.endsWith("\n") && added.at(-1) === "") added.pop();
        expect(linesOf(insertText(text, line, addition))).toEqual(before.toSpliced(line, 0, ...added));
      }),
      { numRuns: 2_000 },
    );
  });

  it("case 38: changes no character of the file", () => {
    fc.assert(
      fc.property(part, part, fc.nat(), (text, addition, seed) => {
        const edited = insertText(text, seed % (linesOf(text).length + 1), addition);
        const cuts = Array.from({ length: text.length + 1 }, (_, index) => index);
        expect(cuts.some((at) => edited.startsWith(text.slice(0, at)) && edited.endsWith(text.slice(at)))).toBe(true);
        expect(edited.length - text.length).toBeLessThanOrEqual(addition.length + 1);
        if (text.startsWith(byteOrderMark)) expect(edited.startsWith(byteOrderMark)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});
