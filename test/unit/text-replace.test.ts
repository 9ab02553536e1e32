import { describe, expect, it } from "vitest";
import { replaceText, snippetOf } from "../../src/core/text/replace-text.ts";
import { edited as answerWith } from "../../src/core/messages.ts";
import { MemoryError } from "../../src/errors.ts";

const limits = { viewCharacters: 16_000 };
const replace = (text: string, oldText: string, newText: string): string =>
  replaceText("/memories/a.md", text, oldText, newText, limits).text;
const snippet = (text: string, oldText: string, newText: string): string =>
  replaceText("/memories/a.md", text, oldText, newText, limits).snippet;
const numbered = (first: number, last: number, line: (number: number) => string): string =>
  Array.from(
    { length: last - first + 1 },
    (_, index) => `${String(first + index).padStart(6)}\t${line(first + index)}`,
  ).join("\n");

const several = (oldText: string, lines: string): MemoryError =>
  new MemoryError(
    "ambiguous_match",
    `No replacement was performed. Multiple occurrences of old_str \`${oldText}\` in lines: ${lines}. Please ensure it is unique`,
  );

/** The lines n1, n2, … */
const newLines = (count: number): string => Array.from({ length: count }, (_, index) => `n${index + 1}`).join("\n");
/** What line of the edited text they are, after two others. */
const editedLine = (number: number): string => (number <= 2 ? `b${number}` : `n${number - 2}`);

describe("replaceText", () => {
  it.each([
    ["case 1: an old text of several lines matches over the whole text", "a\nb\nc\n", "a\nb", "x", "x\nc\n"],
    ["case 2: an empty new text deletes", "keep drop keep", " drop", "", "keep keep"],
    ["case 9: dollar signs in the new text are literal", "a b c", "b", "$& $1 $$ $` $'", "a $& $1 $$ $` $' c"],
    ["case 9: special characters of the old text are literal", "a.c abc", "a.c", "x", "x abc"],
    ["case 10: NEL, U+2028 and form feed stay", "a\u0085b\u2028c\u000cd\n", "c", "x", "a\u0085b\u2028x\u000cd\n"],
    ["case 38: CRLF stays", "a\r\nb\r\n", "b", "x", "a\r\nx\r\n"],
    ["case 38: a byte order mark stays", "\u{feff}a\n", "a", "x", "\u{feff}x\n"],
    ["case 38: a missing final newline stays missing", "a\nb", "b", "x", "a\nx"],
    ["case 38: blanks at both ends stay", "  a  ", "a", " x ", "   x   "],
    ["a final newline can be removed", "a\n", "\n", "", "a"],
    ["the whole text can be removed", "a\n", "a\n", "", ""],
    ["the same text again is an edit that changes nothing", "a\n", "a", "a", "a\n"],
  ])("%s", (_, text, oldText, newText, expected) => {
    expect(replace(text, oldText, newText)).toBe(expected);
  });

  it("case 11: tells an empty old text from a missing one and says what to do", () => {
    expect(() => replace("a", "", "x")).toThrow(
      new MemoryError(
        "invalid_input",
        "Error: `old_str` is empty. It should be the exact text to be replaced; to add text without replacing any, use insert.",
      ),
    );
  });

  it("says that a text does not appear verbatim", () => {
    expect(() => replace("abc\n", "xyz", "")).toThrow(
      new MemoryError(
        "no_match",
        "No replacement was performed, old_str `xyz` did not appear verbatim in /memories/a.md.",
      ),
    );
    expect(() => replace("", "xyz", "")).toThrow(/did not appear verbatim/);
  });

  it.each([
    ["case 3: two on one line are named once", "a a\nb\n", "a", "1"],
    ["two lines", "a\nb\na\n", "a", "1, 3"],
    ["case 18: several lines, by their offsets", "a\nb\nc\na\nb\n", "a\nb", "1, 4"],
    ["overlapping ones count, since either could be meant", "aaa", "aa", "1"],
    ["overlapping ones across lines", "x\nx\nx\n", "x\nx\n", "1, 2"],
    ["a newline belongs to the line that it ends", "\n\na\n", "\n", "1, 2, 3"],
  ])("refuses an old text that is not unique: %s", (_, text, oldText, lines) => {
    expect(() => replace(text, oldText, "x")).toThrow(several(oldText, lines));
  });

  it("ends a list of lines after 20", () => {
    const first20 = Array.from({ length: 20 }, (_, index) => index + 1).join(", ");
    expect(() => replace("a\n".repeat(20), "a", "x")).toThrow(several("a", first20));
    expect(() => replace("a\n".repeat(21), "a", "x")).toThrow(several("a", `${first20} and more`));
  });

  it("echoes a long old text shortened, with its length", () => {
    expect(() => replace("a", "y".repeat(50_000), "x")).toThrow(
      new MemoryError(
        "no_match",
        `No replacement was performed, old_str \`${"y".repeat(1_000)}… (50,000 characters)\` ` +
          "did not appear verbatim in /memories/a.md.",
      ),
    );
  });

  it("takes linear time for texts that repeat themselves", () => {
    const started = performance.now();
    const text = "a".repeat(262_144);
    expect(() => replace(text, "a".repeat(131_072), "x")).toThrow(/in lines: 1\. /);
    expect(() => replace(text, `${"a".repeat(4_000)}b${"a".repeat(65_536)}`, "x")).toThrow(/did not appear/);
    expect(performance.now() - started).toBeLessThan(1_500);
  });
});

describe("the snippet of an edit", () => {
  it("shows the changed lines and two around them", () => {
    expect(snippet("1\n2\n3\nold\n5\n6\n7\n", "old", "new")).toBe(
      numbered(2, 6, (number) => (number === 4 ? "new" : String(number))),
    );
    expect(snippet("old\n2\n3\n4\n", "old", "new")).toBe("     1\tnew\n     2\t2\n     3\t3");
    expect(snippet("1\n2\n3\nold", "old", "new")).toBe("     2\t2\n     3\t3\n     4\tnew");
    expect(snippet("1\nold\n3\n", "old", "x\ny")).toBe("     1\t1\n     2\tx\n     3\ty\n     4\t3");
  });

  it("counts a final newline of the new text to the line that it ends", () => {
    expect(snippet("1\n2\n3\n4\n", "1\n", "x\n")).toBe("     1\tx\n     2\t2\n     3\t3");
  });

  it("shows what is around a deleted text", () => {
    expect(snippet("1\n2\n3\nold\n5\n6\n7\n", "old\n", "")).toBe(
      "     2\t2\n     3\t3\n     4\t5\n     5\t6\n     6\t7",
    );
    expect(snippet("1\n2\n3\n4\nold\n", "old\n", "")).toBe("     2\t2\n     3\t3\n     4\t4");
  });

  it("is left out where nothing is left to show", () => {
    expect(answerWith(snippet("old", "old", ""))).toBe(
      "The memory file has been edited. Here is the snippet showing the change (with line numbers):",
    );
  });

  it("shows all of 40 changed lines, and of more the first and last 20", () => {
    const of40 = snippet("b1\nb2\nold\na1\na2\na3\n", "old", newLines(40));
    expect(of40).toBe(`${numbered(1, 42, editedLine)}\n    43\ta1\n    44\ta2`);
    const of100 = snippet("b1\nb2\nold\na1\na2\na3\n", "old", newLines(100));
    expect(of100).toBe(
      `${numbered(1, 22, editedLine)}\n(60 changed lines are left out here.)\n${numbered(83, 102, editedLine)}\n   103\ta1\n   104\ta2`,
    );
  });

  it("cuts long lines so that the whole answer fits, and says so", () => {
    const long = snippet(`1\n${"x".repeat(200_000)} old\n3\n`, "old", "new");
    expect(answerWith(long).length).toBeLessThanOrEqual(16_000);
    expect(long).toMatch(/^ {5}1\t1\n {5}2\tx{15000,} \(Cut: this line has 200004 characters\.\)\n {5}3\t3$/);
  });

  it("names the lines where not enough of them would fit", () => {
    const { snippet: none } = replaceText("/memories/a.md", "old", "old", `${"x".repeat(90)}\n`.repeat(201), {
      viewCharacters: 600,
    });
    expect(none).toBe("(Lines 1 to 201 were changed; they are too long to be shown here.)");
  });

  it("can be made again from the present text", () => {
    expect(snippetOf("1\nnew\n3\n", "new", limits)).toBe("     1\t1\n     2\tnew\n     3\t3");
    expect(snippetOf("1\nother\n3\n", "new", limits)).toBe("");
    expect(snippetOf("1\nother\n3\n", "", limits)).toBe("");
  });
});
