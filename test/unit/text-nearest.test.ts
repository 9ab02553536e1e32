import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { findNearestText } from "../../src/core/text/nearest-text.ts";
import { replaceText } from "../../src/core/text/replace-text.ts";

describe("findNearestText", () => {
  it.each([
    ["a\r\nb\r\nc\r\n", "a\nb", 1, 2, ["line endings"]],
    ["a\nb\n", "a\r\nb\r\n", 1, 2, ["line endings"]],
    ["a\nb", "b\n", 2, 2, ["line endings"]],
    ["a  \nb\n", "a\nb", 1, 2, ["trailing blanks"]],
    ["x\na\nb\n", "a \t\nb", 2, 3, ["trailing blanks"]],
    ["x\nend\n", "end  ", 2, 2, ["trailing blanks"]],
    ["\tif x:\n\t\tpass\n", "    if x:\n        pass", 1, 2, ["indentation"]],
    ["one\nTwo\n", "two", 2, 2, ["letter case"]],
    ["caf\u00e9\n", "cafe\u0301", 1, 1, ["Unicode form"]],
    ["one\ntwo\n", "     1\tone\n     2\ttwo", 1, 2, ["copied line numbers"]],
    ["  one\n  two\n", "1\tone\n2\ttwo", 1, 2, ["indentation", "copied line numbers"]],
    ["A \r\nB\r\n", "a\nb", 1, 2, ["line endings", "trailing blanks", "letter case"]],
    ["x\n12\tA\n", "x\n12\ta", 1, 2, ["letter case"]],
    ["a\r\n\r\nb", "\n\n", 1, 2, ["line endings"]],
    ["  FOO bar", "  foo bar", 1, 1, ["letter case"]],
    ["say  FOO bar", "  foo b", 1, 1, ["letter case"]],
  ] as const)("%j has %j nearly in lines %i to %i, but for %j", (text, wanted, first, last, differences) => {
    expect(findNearestText(text, wanted)).toEqual({ first, last, differences });
  });

  it.each([
    ["something else", "abc", "abd"],
    ["blanks inside a line", "a  b", "a b"],
    ["blanks that are not at the start of a line", "xfoo", " foo"],
    ["blanks that are not at the end of a line", "foox", "foo "],
    ["blanks alone", "a\n\nb", " \t"],
    ["newlines alone", "a", "\n\n"],
    ["an empty file", "", "a"],
  ])("names nothing for %s", (_, text, wanted) => {
    expect(findNearestText(text, wanted)).toBeUndefined();
  });

  it("is a sentence of its own after the documented one", () => {
    expect(() => replaceText("/memories/a.md", "a\r\nb\r\n", "a\nb", "x", { viewCharacters: 16_000 })).toThrow(
      "No replacement was performed, old_str `a\nb` did not appear verbatim in /memories/a.md. " +
        "The nearest text is in lines 1 to 2; it differs in line endings.",
    );
  });

  it("finds a text again that was changed in one known way", () => {
    const word = fc.string({ unit: fc.constantFrom("a", "b", "é", "ñ"), minLength: 2, maxLength: 5 });
    const lines = fc.array(word, { minLength: 1, maxLength: 5 });
    const changes: readonly ((line: string, index: number) => string)[] = [
      (line) => `${line} `,
      (line) => `  ${line}`,
      (line) => line.toUpperCase(),
      (line) => line.normalize("NFD"),
      (line, index) => `${String(index + 1).padStart(6)}\t${line}`,
    ];
    fc.assert(
      fc.property(lines, fc.constantFrom(...changes), (wanted, change) => {
        const changed = wanted.map((line, index) => change(line, index)).join("\n");
        const text = `start\n${wanted.join("\n")}\nend`;
        fc.pre(!text.includes(changed));
        const nearest = findNearestText(text, changed);
        expect(nearest?.differences).toHaveLength(1);
        expect(nearest).toMatchObject({ first: 2, last: 1 + wanted.length });
      }),
      { numRuns: 500 },
    );
  });

  it("chooses, of several near places, the one with the fewest differences, wherever it is", () => {
    const text = `\tONE\n${"x\n".repeat(100)}  one\n${"x\n".repeat(100)}One\nend\n`;
    expect(findNearestText(text, "\tone\nx")).toEqual({ first: 1, last: 2, differences: ["letter case"] });
    expect(findNearestText(text, "  One\nx")).toEqual({ first: 102, last: 103, differences: ["letter case"] });
    expect(findNearestText(text, "ONE\nend")).toEqual({ first: 203, last: 204, differences: ["letter case"] });
  });

  it("says nothing of an old text over 10,000 characters, nor in a file over 262,144", () => {
    const wanted = "a".repeat(10_000);
    expect(findNearestText(wanted.toUpperCase(), wanted)).toMatchObject({ differences: ["letter case"] });
    expect(findNearestText(`${wanted}B`.toUpperCase(), `${wanted}b`)).toBeUndefined();
    const file = `${"x\n".repeat(131_000)}END`;
    expect(findNearestText(file, "end")).toMatchObject({ first: 131_001 });
    expect(findNearestText(`${file}${"y".repeat(200)}`, "end")).toBeUndefined();
  });

  it("looks closely at no more than 16,000 characters: says nothing of a longer line, and all of a shorter one", () => {
    expect(findNearestText(`${"A".repeat(15_999)}\nb\n`, "aa")).toEqual({
      first: 1,
      last: 1,
      differences: ["letter case"],
    });
    expect(findNearestText(`${"A".repeat(16_000)}\nb\n`, "aa")).toBeUndefined();
  });

  it.each([
    ["1 MB of combining marks", "x\n".repeat(131_072), "\u0301".repeat(1_000_000)],
    ["blank lines", "\n".repeat(262_144), " \n".repeat(5_000)],
    ["a few blank lines", "\n".repeat(262_144), " \n".repeat(5)],
    ["200,000 short lines", "a\n".repeat(131_072), `${"A\n".repeat(4_990)}B`],
    ["200,000 short lines that fit", "a\n".repeat(131_072), "A\n".repeat(5_000)],
    ["one line that repeats itself", "a".repeat(262_144), `${"A".repeat(4_000)}B${"A".repeat(5_000)}`],
    ["a long run of blanks", `${" ".repeat(262_000)}x`, `${" ".repeat(9_000)}Y`],
    ["a long run of returns", `${"\r".repeat(262_000)}x`, `${"\r".repeat(9_000)}Y`],
    ["a long run of combining marks", `a${"\u0301\u0323".repeat(65_000)}`, `A${"\u0301\u0323".repeat(4_900)}x`],
    ["a long run of marks that fall apart", `a${"\u0f73\u0344".repeat(43_000)}`, "A"],
    ["a long run of marks beyond the BMP", `a${"\u{1d165}\u{1d16d}".repeat(32_000)}`, "A"],
    ["the same, one unit on", `ab${"\u{1d165}\u{1d16d}".repeat(32_000)}`, "A"],
    ["many short runs of marks", `a${"\u0315\u0301\u0323".repeat(2)}\r\n`.repeat(16_000), "A\u0323".repeat(4_000)],
    ["many near places", "É \r\n".repeat(52_000), "\té\n".repeat(3_000)],
    ["long runs of digits", "1".repeat(262_144), `${"1".repeat(9_000)}\tx`],
  ])("takes little time, whatever comes: %s", (_, text, wanted) => {
    const started = performance.now();
    findNearestText(text, wanted);
    expect(performance.now() - started).toBeLessThan(250); // below 15 ms each on a quiet machine, once compiled
  });
});
