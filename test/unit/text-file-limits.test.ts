import { describe, expect, it } from "vitest";
import { assertAdditionFits, assertFileFits } from "../../src/core/text/file-limits.ts";
import { MemoryError } from "../../src/errors.ts";

const limits = { fileBytes: 10, fileLines: 3 };

describe("assertFileFits", () => {
  it("counts bytes, not characters", () => {
    expect(() => assertFileFits("/memories/a.md", "é".repeat(5), limits)).not.toThrow();
    expect(() => assertFileFits("/memories/a.md", "é".repeat(6), limits)).toThrow(
      new MemoryError("too_large", "Error: File /memories/a.md would be 12B, over the limit of 10B per file."),
    );
  });

  it("counts lines", () => {
    expect(() => assertFileFits("/memories/a.md", "1\n2\n3\n", limits)).not.toThrow();
    expect(() => assertFileFits("/memories/a.md", "1\n2\n3\n4", limits)).toThrow(
      new MemoryError("too_large", "Error: File /memories/a.md would have 4 lines, over the limit of 3 per file."),
    );
  });

  it("lets anything pass where the limits are off", () => {
    const off = { fileBytes: Infinity, fileLines: Infinity };
    expect(() => assertFileFits("/memories/a.md", "\n".repeat(2_000_000), off)).not.toThrow();
  });

  it.each([
    ["ASCII", "a", 2.9],
    ["two bytes a character", "é", 5.7],
    ["three bytes a character", "世", 8.6],
    ["pairs of surrogates", "😀", 11.4],
    ["pairs of surrogates after an odd one", "😀", 11.4],
  ])("says the exact size of a long text of %s", (title, character, megabytes) => {
    const text = `${title.includes("odd") ? "x" : ""}${character.repeat(3_000_000)}`;
    const bytes = new TextEncoder().encode(text).length;
    expect(() => assertFileFits("/memories/a.md", text, { fileBytes: bytes, fileLines: 3 })).not.toThrow();
    const refusal = `Error: File /memories/a.md would be ${megabytes}M, over the limit of `;
    expect(() => assertFileFits("/memories/a.md", text, { fileBytes: bytes - 1, fileLines: 3 })).toThrow(refusal);
  });

  it.each([
    ["ASCII", "a".repeat(10_000_000)],
    ["é", "é".repeat(10_000_000)],
  ])("judges ten million characters at little cost: %s", (_, text) => {
    const started = performance.now();
    expect(() => assertFileFits("/memories/a.md", text, { fileBytes: 262_144, fileLines: 3 })).toThrow(
      "over the limit of 256.0K",
    );
    expect(performance.now() - started).toBeLessThan(200); // 2 and 17 ms on a quiet machine
  });
});

describe("assertAdditionFits", () => {
  it("refuses an addition that is over the limit of a file on its own, and no other", () => {
    expect(() => assertAdditionFits("/memories/a.md", "é\n".repeat(3), limits)).not.toThrow();
    expect(() => assertAdditionFits("/memories/a.md", "1234567890", limits)).not.toThrow();
    expect(() => assertAdditionFits("/memories/a.md", "12345678é!", limits)).toThrow(
      new MemoryError("too_large", "Error: File /memories/a.md would be 11B, over the limit of 10B per file."),
    );
  });

  it("lets anything pass where the limit is off", () => {
    expect(() => assertAdditionFits("/memories/a.md", "x".repeat(2_000_000), { fileBytes: Infinity })).not.toThrow();
  });
});
