import { describe, expect, it } from "vitest";
import { viewText } from "../../src/core/text/numbered-view.ts";
import { MemoryError } from "../../src/errors.ts";

const options = { viewCharacters: 16_000, fileLines: 999_999 };
const sent = "/memories/a.md";
const header = "Here's the content of /memories/a.md with line numbers:";
const view = (text: string, viewRange?: readonly [number, number]): string =>
  viewText(sent, text, viewRange === undefined ? options : { ...options, viewRange });
const last = (text: string): string => text.slice(text.lastIndexOf("\n") + 1);

describe("a view of a file", () => {
  it("numbers its lines, six wide and right-aligned", () => {
    expect(view("one\ntwo\n")).toBe(`${header}\n     1\tone\n     2\ttwo`);
    expect(view("one\n\n two")).toBe(`${header}\n     1\tone\n     2\t\n     3\t two`);
  });

  it("is only the header for an empty file, whatever the range", () => {
    expect(view("")).toBe(header);
    expect(view("", [3, 1])).toBe(header);
  });

  it("case 10: splits on newlines alone and shows every other character as it is", () => {
    const text = "\u{feff}a\u2028b\u0085c\u000cd\r\ne\r";
    expect(view(text)).toBe(`${header}\n     1\t\u{feff}a\u2028b\u0085c\u000cd\r\n     2\te\r`);
  });

  it.each([
    [[1, -1], "     1\ta\n     2\tb\n     3\tc"],
    [[2, 3], "     2\tb\n     3\tc"],
    [[2, 2], "     2\tb"],
    [[2, 99], "     2\tb\n     3\tc"],
    [[2, 1e20], "     2\tb\n     3\tc"],
    [[3, -1], "     3\tc"],
  ] as const)("shows the range %j", (range, rows) => {
    expect(view("a\nb\nc\n", range)).toBe(`${header}\n${rows}`);
  });

  it.each([
    [[0, 2]],
    [[-1, -1]],
    [[4, -1]],
    [[4, 9]],
    [[3, 2]],
    [[1, 0]],
    [[1, -2]],
    [[1.5, 2]],
    [[1, 2.5]],
    [[1e20, -1]],
    [[NaN, 2]],
    [[1, NaN]],
    [[1, Infinity]],
    [[-Infinity, 2]],
  ] as const)("refuses the range %o and names the valid one", (range) => {
    const text =
      `Error: Invalid \`view_range\` parameter: [${range.join(", ")}]. It should be [start, end] with ` +
      "1 <= start <= end within the lines of the file: [1, 3], or with end -1 for the last line";
    expect(() => view("a\nb\nc\n", range)).toThrow(new MemoryError("invalid_input", text));
  });

  it("refuses a file with more lines than may be shown, even where a range is asked for", () => {
    const text = "\n".repeat(1_000_000);
    const error = new MemoryError("too_large", "File /memories/a.md exceeds maximum line limit of 999,999 lines.");
    expect(() => view(text)).toThrow(error);
    expect(() => view(text, [1, 2])).toThrow(error);
    expect(view("\n".repeat(999_999), [999_999, -1])).toBe(`${header}\n999999\t`);
  });
});

describe("a view that is too long", () => {
  const text = Array.from({ length: 2_000 }, (_, index) => `line ${index + 1} of many`).join("\n");

  it("case 19: is cut after a whole line, and never silently", () => {
    const shown = view(text);
    expect(shown.length).toBeLessThanOrEqual(16_000);
    const rows = shown.split("\n").slice(1, -1);
    expect(rows.at(-1)).toBe(`${String(rows.length).padStart(6)}\tline ${rows.length} of many`);
    expect(last(shown)).toBe(
      `(Cut: lines 1 to ${rows.length} of 2000 are shown. Continue with view_range [${rows.length + 1}, -1].)`,
    );
    expect(shown.length + 30).toBeGreaterThan(16_000);
  });

  it("can be read to its end by the ranges that it names", () => {
    const seen: string[] = [];
    let range: readonly [number, number] | undefined = [1, -1];
    while (range !== undefined) {
      const shown: string = view(text, range);
      const next = /view_range \[(\d+), (-?\d+)\]/.exec(last(shown));
      seen.push(...shown.split("\n").slice(1, next ? -1 : undefined));
      range = next ? [Number(next[1]), Number(next[2])] : undefined;
    }
    expect(seen.map((row) => row.slice(7)).join("\n")).toBe(text);
  });

  it("goes on to the end that was asked for", () => {
    expect(last(view(text, [1, 1_900]))).toMatch(/Continue with view_range \[\d+, 1900\]\.\)$/);
  });

  it("cuts inside a first line that does not fit, between two characters, and says how long it is", () => {
    const shown = view(`${"😀".repeat(100_000)}\nnext`);
    expect(shown.length).toBeLessThanOrEqual(16_000);
    expect(shown.length).toBeGreaterThan(15_990);
    const characters = shown.split("\n")[1]?.slice(7) ?? "";
    expect(characters).toBe("😀".repeat(characters.length / 2));
    expect(last(shown)).toBe(
      `(Cut: line 1 of 2 has 200000 characters, the first ${characters.length} are shown. Continue with view_range [2, -1].)`,
    );
  });

  it("names no range where nothing that was asked for is left", () => {
    expect(last(view("x".repeat(20_000)))).toMatch(
      /^\(Cut: line 1 of 1 has 20000 characters, the first \d+ are shown\.\)$/,
    );
  });

  it("leaves a long line for the next view where others come before it", () => {
    expect(last(view(`a\n${"x".repeat(20_000)}\nb`))).toBe(
      "(Cut: lines 1 to 1 of 3 are shown. Continue with view_range [2, -1].)",
    );
  });

  it("is exactly as long as allowed without being cut", () => {
    const exact = "x".repeat(16_000 - header.length - 8);
    expect(view(exact)).toBe(`${header}\n     1\t${exact}`);
    expect(last(view(`${exact}x`))).toContain("(Cut: ");
  });

  it("costs little for 200,000 empty lines", () => {
    const lines = "\n".repeat(200_000);
    const started = performance.now();
    expect(view(lines).length).toBeLessThanOrEqual(16_000);
    expect(view(lines, [150_000, -1]).length).toBeLessThanOrEqual(16_000);
    expect(performance.now() - started).toBeLessThan(200);
  });
});
