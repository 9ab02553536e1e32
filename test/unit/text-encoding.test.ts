import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cutText, decodeText, encodeText, isWellFormed, utf8Length } from "../../src/core/text/encoding.ts";

const anyText = fc.string({ unit: "binary" });

describe("decodeText", () => {
  it("keeps a byte order mark, so that the bytes survive a round trip", () => {
    const bytes = Uint8Array.of(0xef, 0xbb, 0xbf, 0x61);
    expect(decodeText(bytes)).toBe("\u{feff}a");
    expect(encodeText(decodeText(bytes) ?? "")).toEqual(bytes);
  });

  it("does not take bytes for text that are not UTF-8", () => {
    expect(decodeText(Uint8Array.of(0xff, 0xfe, 0x61))).toBeUndefined();
    expect(decodeText(Uint8Array.of(0xed, 0xa0, 0x80))).toBeUndefined();
    expect(decodeText(Uint8Array.of(0xc3))).toBeUndefined();
    expect(decodeText(Uint8Array.of(0x61))).toBe("a");
  });

  it("gives back the very bytes of any text it accepts", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        const text = decodeText(bytes);
        if (text !== undefined) expect(encodeText(text)).toEqual(bytes);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("utf8Length", () => {
  it("counts the bytes that encoding gives", () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(utf8Length(text)).toBe(encodeText(text).length);
      }),
    );
    expect(utf8Length("aé€😀")).toBe(1 + 2 + 3 + 4);
  });
});

describe("isWellFormed", () => {
  it("tells lone surrogates from pairs", () => {
    expect(["", "a", "😀"].map(isWellFormed)).toEqual([true, true, true]);
    expect(["\ud83d", "a\ude00", "\ude00\ud83d", "\ud83d\ud83d\ude00"].map(isWellFormed)).toEqual(Array(4).fill(false));
  });
});

describe("cutText", () => {
  it("never splits a character", () => {
    expect([0, 1, 2, 3, 4].map((length) => cutText("a😀b", length))).toEqual(["", "a", "a", "a😀", "a😀b"]);
    expect(cutText("ab", -1)).toBe("");
  });
});
