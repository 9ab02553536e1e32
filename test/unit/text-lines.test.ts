import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countLines, lineNumberAt, linesBetween, startOfLine } from "../../src/core/text/lines.ts";
import { occurrences } from "../../src/core/text/occurrences.ts";
import { formatSize } from "../../src/core/text/size.ts";

describe("lines", () => {
  it.each([
    ["", 0],
    ["a", 1],
    ["a\n", 1],
    ["\n", 1],
    ["a\nb", 2],
    ["a\n\n", 2],
    ["a\r\nb\r\n", 2],
    ["a\rb", 1],
    ["a\u0085b\u2028c\u2029d\u000be\u000cf", 1],
  ])("of %j are %i", (text, count) => {
    expect(countLines(text)).toBe(count);
    expect([...linesBetween(text, 1, Infinity)]).toHaveLength(count);
  });

  it("are each the text between two newlines", () => {
    expect([...linesBetween("a\r\n\nb", 1, 9)]).toEqual([
      { number: 1, line: "a\r" },
      { number: 2, line: "" },
      { number: 3, line: "b" },
    ]);
    expect([...linesBetween("a\nb\nc\n", 2, 2)]).toEqual([{ number: 2, line: "b" }]);
  });

  it("start where their numbers say", () => {
    expect([1, 2, 3, 4].map((number) => startOfLine("a\nbc\nd\n", number))).toEqual([0, 2, 5, 7]);
    expect([0, 1, 2, 4, 5].map((offset) => lineNumberAt("a\nbc\nd\n", offset))).toEqual([1, 1, 2, 2, 3]);
  });
});

describe("occurrences", () => {
  it("are found like indexOf finds them, overlapping ones too", () => {
    const few = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 12 });
    const many = fc.tuple(few, fc.integer({ min: 1, max: 30 })).map(([text, times]) => text.repeat(times));
    const long = fc.array(fc.oneof(few, many), { minLength: 1, maxLength: 5 }).map((parts) => parts.join(""));
    const both = fc.oneof(
      fc.tuple(few, few),
      fc.tuple(long, many),
      fc.tuple(many, long, long).map(([pattern, before, after]) => [before + pattern + after, pattern] as const),
    );
    fc.assert(
      fc.property(both, ([text, pattern]) => {
        const expected: number[] = [];
        for (let at = text.indexOf(pattern); at !== -1; at = text.indexOf(pattern, at + 1)) {
          expected.push(at);
        }
        expect([...occurrences(text, pattern)]).toEqual(expected);
        expect([...occurrences(text, "")]).toEqual([]);
      }),
      { numRuns: 2_000 },
    );
  });

  it("take linear time where indexOf takes seconds", () => {
    const text = "a".repeat(262_144);
    const started = performance.now();
    expect([...occurrences(text, `${"a".repeat(4_000)}b${"a".repeat(65_536)}`)]).toEqual([]);
    expect(performance.now() - started).toBeLessThan(500);
  });
});

describe("formatSize", () => {
  it.each([
    [0, "0B"],
    [312, "312B"],
    [1_023, "1023B"],
    [1_024, "1.0K"],
    [1_536, "1.5K"],
    [4_096, "4.0K"],
    [262_144, "256.0K"],
    [1_048_524, "1023.9K"],
    [1_048_525, "1.0M"],
    [1_048_575, "1.0M"],
    [1_258_291, "1.2M"],
    [1_073_741_823, "1.0G"],
    [5_000 * 1_073_741_824, "5000.0G"],
  ])("prints %i bytes as %s", (bytes, printed) => expect(formatSize(bytes)).toBe(printed));
});
