import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { echoPath, echoText } from "../../src/core/echo.ts";
import { parseMemoryPath } from "../../src/core/memory-path.ts";

describe("an echoed path", () => {
  it("is shown exactly as sent", () => {
    expect(echoPath("/memories//a/../b%20.md/")).toBe("/memories//a/../b%20.md/");
  });

  it("shows control and format characters and lone surrogates as code points", () => {
    expect(echoPath("/a\u0000\n\u001B[2J\u2028\u202E\u200B\uFEFF\u{E0041}\uD83D")).toBe(
      String.raw`/a\u{0}\u{A}\u{1B}[2J\u{2028}\u{202E}\u{200B}\u{FEFF}\u{E0041}\u{D83D}`,
    );
  });

  it("shows emoji families, flags and Persian joiners as they are, and stray joiners as code points", () => {
    const names = "\u{1F468}\u200D\u{1F467} \u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E007F} \u0645\u06CC\u200C\u062E";
    expect(echoPath(names)).toBe(names);
    expect(echoPath("a\u200D")).toBe(String.raw`a\u{200D}`);
  });

  it("is whole at 1,000 characters and shortened with its length from 1,001 on", () => {
    expect(echoPath("a".repeat(1_000))).toBe("a".repeat(1_000));
    expect(echoPath("a".repeat(12_345))).toBe(`${"a".repeat(1_000)}… (12,345 characters)`);
  });

  it("is never cut inside a surrogate pair", () => {
    expect(echoPath(`${"a".repeat(999)}\u{1F600}`)).toBe(`${"a".repeat(999)}… (1,001 characters)`);
    expect(echoPath(`${"a".repeat(998)}\u{1F600}b`)).toBe(`${"a".repeat(998)}\u{1F600}… (1,001 characters)`);
  });

  it("is well-formed and free of control characters, whatever was sent", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 1_100 }), (units) => {
        const echo = echoPath(String.fromCharCode(...units));
        expect(echo).not.toMatch(/[\p{Cc}\p{Cs}\u2028\u2029\u202A-\u202E]/u);
      }),
    );
  });

  it("is verbatim for every path that the guard accepts", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 20 }), (name) => {
        const sent = `/memories/${name}`;
        try {
          parseMemoryPath(sent);
        } catch {
          return;
        }
        expect(echoPath(sent)).toBe(sent);
      }),
    );
  });

  it("costs nothing to speak of at 10 MB", () => {
    const before = process.cpuUsage();
    echoPath("\u200D".repeat(10_000_000));
    expect(process.cpuUsage(before).user / 1_000).toBeLessThan(100);
  });
});

describe("an echoed text", () => {
  it("is verbatim up to 1,000 characters, control characters too", () => {
    const text = "a\r\n\t\u0000\u202E".repeat(100);
    expect(echoText(text)).toBe(text);
  });

  it("is shortened with its length, at a code point", () => {
    expect(echoText("\n".repeat(1_001))).toBe(`${"\n".repeat(1_000)}… (1,001 characters)`);
    expect(echoText(`${"a".repeat(999)}\u{1F600}`)).toBe(`${"a".repeat(999)}… (1,001 characters)`);
  });
});
