import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as messages from "../../src/core/messages.ts";
import { decodeText, encodeText } from "../../src/core/text/encoding.ts";
import { insertText } from "../../src/core/text/insert-text.ts";
import { countLines } from "../../src/core/text/lines.ts";
import { viewText } from "../../src/core/text/numbered-view.ts";
import { replaceText, snippetOf } from "../../src/core/text/replace-text.ts";
import { isMemoryError } from "../../src/errors.ts";

const limits = { viewCharacters: 16_000, fileLines: 999_999 };
const sent = "/memories/a.md";

/** Everything that other tools have tripped over, and any other character. */
const troubles = [
  "\n",
  "\r\n",
  "\r",
  "\u0085",
  "\u2028",
  "\u2029",
  "\u000c",
  "\t",
  " ",
  "\u{feff}",
  "\0",
  "$&",
  "e\u0301",
  "😀",
];
const piece = fc.oneof(fc.constantFrom(...troubles, "a", "b"), fc.string({ unit: "binary", maxLength: 3 }));
const small = fc.array(piece, { maxLength: 15 }).map((pieces) => pieces.join(""));
/** Long enough to be cut in every way: many lines, long lines, both. */
const long = fc
  .array(fc.tuple(small, fc.constantFrom(1, 1, 1, 300, 9_000)), { maxLength: 5 })
  .map((parts) => parts.map(([text, times]) => text.repeat(times)).join(""));

function answerOf(command: () => string): string {
  try {
    return command();
  } catch (error) {
    if (isMemoryError(error)) return error.message;
    throw error;
  }
}

describe("any text", () => {
  it("case 38: has every byte kept that an edit does not name", () => {
    fc.assert(
      fc.property(small, small, small, small, (before, oldText, after, newText) => {
        const bytes = encodeText(before + oldText + after);
        const text = decodeText(bytes) ?? "";
        try {
          const edited = encodeText(replaceText(sent, text, oldText, newText, limits).text);
          expect(Buffer.from(edited).toString("latin1")).toBe(
            Buffer.concat([before, newText, after].map((part) => Buffer.from(part))).toString("latin1"),
          );
        } catch (error) {
          if (!isMemoryError(error)) throw error;
          expect(["ambiguous_match", "invalid_input"]).toContain(error.code);
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it("is matched by what is copied from the rows of its view", () => {
    fc.assert(
      fc.property(small, (tail) => {
        const text = `unique${tail}`;
        const rows = viewText(sent, text, limits).split("\n").slice(1);
        expect(rows).toHaveLength(countLines(text));
        const copied = rows.map((row) => row.slice(7)).join("\n");
        expect([copied, `${copied}\n`]).toContain(text);
        expect(replaceText(sent, text, copied, copied, limits).text).toBe(text);
      }),
      { numRuns: 2_000 },
    );
  });

  it("gets only answers within 16,000 characters, all well-formed", () => {
    fc.assert(
      fc.property(
        long,
        small,
        long,
        fc.integer({ min: -2, max: 2_000 }),
        fc.integer({ min: -1, max: 2_000 }),
        (...all) => {
          const [text, oldText, newText, first, last] = all;
          for (const answer of [
            answerOf(() => viewText(sent, text, limits)),
            answerOf(() => viewText(sent, text, { ...limits, viewRange: [first, last] })),
            answerOf(() => messages.edited(replaceText(sent, text, oldText, newText, limits).snippet)),
            answerOf(() => messages.edited(replaceText(sent, `${text}unique`, "unique", newText, limits).snippet)),
            answerOf(() => messages.edited(snippetOf(text, oldText, limits))),
            answerOf(() => (insertText(text, first, newText), messages.inserted(sent))),
          ]) {
            expect(answer).not.toBe("");
            expect(answer.length).toBeLessThanOrEqual(16_000);
            expect(answer.isWellFormed()).toBe(true);
          }
        },
      ),
      { numRuns: 150 },
    );
  });

  it("fits small views too, down to a few hundred characters", () => {
    fc.assert(
      fc.property(long, long, fc.integer({ min: 300, max: 3_000 }), (text, newText, viewCharacters) => {
        const few = { ...limits, viewCharacters };
        expect(viewText(sent, text, few).length).toBeLessThanOrEqual(viewCharacters);
        const { snippet } = replaceText(sent, `${text}unique`, "unique", newText, few);
        expect(messages.edited(snippet).length).toBeLessThanOrEqual(viewCharacters);
      }),
      { numRuns: 500 },
    );
  });
});
