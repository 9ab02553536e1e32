import { describe, expect, it } from "vitest";
import { assertFileFits } from "../../src/core/text/file-limits.ts";
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
});
