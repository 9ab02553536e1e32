import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rebaseLine } from "../../src/core/text/rebase-line.ts";

const text = (...lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");
const basis = text("a", "b", "c", "d");

describe("the line of a changed text", () => {
  it.each<readonly [string, number, string, number | undefined]>([
    ["is the same where nothing changed", 2, basis, 2],
    ["is the top where it was, whatever came there", 0, text("x", "a", "b"), 0],
    ["is the end where it was, whatever came there", 4, text("a", "b", "c", "d", "x", "y"), 6],
    ["is the end where it was, although every line changed", 4, text("x"), 1],
    ["moves with what was added above", 2, text("x", "y", "a", "b", "c", "d"), 4],
    ["moves with what was removed above", 3, text("c", "d"), 1],
    ["stays where something was added below", 2, text("a", "b", "c", "x", "d"), 2],
    ["goes right after its line, before what others put there", 2, text("a", "b", "x", "c", "d"), 2],
    ["is found between changes above and below", 2, text("x", "b", "y", "d"), 2],
    ["is right before the next line where it is gone itself", 2, text("a", "x", "c", "d"), 2],
    ["is right before the next line where all above it is gone", 2, text("x", "y", "c", "z"), 2],
    ["is nowhere where it and the next line are gone", 2, text("a", "x", "y", "d"), undefined],
    ["is nowhere where the text is empty now", 2, "", undefined],
    ["is nowhere where every line changed", 2, text("w", "x", "y", "z"), undefined],
    ["is nowhere if it never was a line of the text, and is one now", 5, text("a", "b", "c", "d", "e"), undefined],
    ["is left to be refused if it is a line of neither", 6, text("a", "b", "c", "d", "e"), 6],
  ])("%s", (_, line, now, found) => {
    expect(rebaseLine(line, basis, now)).toBe(found);
  });

  it("keeps the line behind it, where equal lines came before it", () => {
    const log = text("# Log", "## Entry", "old");
    expect(rebaseLine(2, log, text("# Log", "## Entry", "new", "## Entry", "old"))).toBe(4);
  });

  it("is nowhere in another text that has no more than a blank line in common", () => {
    expect(rebaseLine(2, text("# Shopping", "", "milk"), text("# Meetings", "", "monday", "tuesday"))).toBeUndefined();
    expect(rebaseLine(1, text("# Shopping", "", "milk"), text("# Meetings", "", "monday", "tuesday"))).toBeUndefined();
  });

  it("is the top of a text that was empty", () => {
    expect(rebaseLine(0, "", text("x", "y"))).toBe(0);
  });

  it("does not depend on a last newline", () => {
    expect(rebaseLine(1, "a\nb", text("x", "a", "b"))).toBe(2);
    expect(rebaseLine(2, "a\nb", "x\na\nb")).toBe(3);
    expect(rebaseLine(1, text("a", "b"), "x\na\nb")).toBe(2);
  });

  it("is found by content and nothing else, in texts whose lines are all different", () => {
    const lines = fc.uniqueArray(fc.integer({ min: 0, max: 30 }).map(String), { maxLength: 20 });
    fc.assert(
      fc.property(lines, fc.infiniteStream(fc.integer({ min: 0, max: 2 })), fc.nat(), (old, choices, pick) => {
        let added = 100;
        const now = old.flatMap((line) => {
          const choice = choices.next().value;
          return choice === 0 ? [] : choice === 1 ? [line] : [String(added++), line];
        });
        const line = pick % (old.length + 1);
        const found = rebaseLine(line, text(...old), text(...now));
        if (line === 0) return found === 0;
        if (line === old.length) return found === now.length;
        const [own, next] = [now.indexOf(old[line - 1] ?? ""), now.indexOf(old[line] ?? "")];
        if (own !== -1) return found === own + 1;
        return found === (next === -1 ? undefined : next);
      }),
      { numRuns: 2_000 },
    );
  });

  it("is found in a log of 100,000 lines that others wrote 5,000 more to", () => {
    const log = Array.from({ length: 100_000 }, (_, line) => `entry ${line}`);
    const more = Array.from({ length: 5_000 }, (_, line) => `more ${line}`);
    expect(rebaseLine(500, text(...log), text(...log, ...more))).toBe(500);
    expect(rebaseLine(500, text(...log), text(...more, ...log))).toBe(5_500);
  });

  it("is nowhere in another text, however long both are", () => {
    const one = text(...Array.from({ length: 50_000 }, (_, line) => `${line % 2}`));
    const other = text(...Array.from({ length: 50_000 }, (_, line) => `${(line % 3) + 2}`));
    expect(rebaseLine(25_000, one, other)).toBeUndefined();
  });
});
