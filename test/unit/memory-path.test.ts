import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MemoryError } from "../../src/errors.ts";
import {
  ancestorsOf,
  isBelow,
  isRoot,
  lastSegment,
  overlaps,
  parseMemoryPath,
  rootPath,
  segmentsBelowRoot,
} from "../../src/core/memory-path.ts";

const nothingMore = "";
const outside = " Memory paths start with /memories.";
const backslashes = " A path may not contain backslashes.";
const control = " A path may not contain control characters.";
const lineSeparators = " A path may not contain line separators.";
const invisible = " A path may not contain invisible characters.";
const joiners = " A path may contain joiners only between two visible characters.";
const illFormed = " A path must be well-formed Unicode.";
const twentyParts = " A path may have at most 20 parts.";
const tooLong = " A path may have at most 1024 bytes.";

/** The text after the echoed path and the fixed sentence. */
function refusalOf(sent: string): string {
  try {
    return `accepted as ${parseMemoryPath(sent)}`;
  } catch (error) {
    if (!(error instanceof MemoryError) || error.code !== "invalid_path") throw error;
    const sentence = " does not exist. Please provide a valid path.";
    expect(error.message).toMatch(/^The path /);
    return error.message.slice(error.message.lastIndexOf(sentence) + sentence.length);
  }
}

function parsed(sent: string): string | undefined {
  try {
    return parseMemoryPath(sent);
  } catch {
    return undefined;
  }
}

function accepts(sent: string): boolean {
  return parsed(sent) !== undefined;
}

function cpuMilliseconds(action: () => unknown): number {
  const before = process.cpuUsage();
  action();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

describe("the canonical form", () => {
  it.each([
    ["/memories", "/memories"],
    ["/memories/", "/memories"],
    ["/memories//", "/memories"],
    ["/memories/.", "/memories"],
    ["/memories/./", "/memories"],
    ["/memories/a/..", "/memories"],
    ["/memories/a/b/../..", "/memories"],
    ["//memories", "/memories"],
    ["/./memories/a", "/memories/a"],
    ["/memories/a/", "/memories/a"],
    ["/memories//a///b", "/memories/a/b"],
    ["/memories/a/../b", "/memories/b"],
    ["/memories/./a/./b/.", "/memories/a/b"],
    ["/memories/cafe\u0301.md", "/memories/caf\u00E9.md"],
    ["/memories/\u1112\u1161\u11AB", "/memories/\uD55C"],
    ["/memories/\u212A", "/memories/K"],
  ])("of %j is %j", (sent, canonical) => {
    expect(parseMemoryPath(sent)).toBe(canonical);
  });

  it.each([
    "[...slug].md",
    "v1..v2.md",
    "...",
    "..a",
    "a..",
    ".hidden",
    "100%.md",
    "100%2e%2e.md",
    "%20",
    "a%20b.md",
    "a%5cb",
    "a%2fb",
    "%",
    "%%",
    "%c3%a9.md",
    "100%c0.md",
    "%2e",
    " leading and trailing ",
    "a+b #1 & 'c' (d) = e.md",
    'q?*<>|"~`$^{}!;:@,.md',
    "CON",
    "__proto__",
    "constructor",
    "\u{1F468}\u200D\u{1F469}\u200D\u{1F467}.md",
    "\u2764\uFE0F\u200D\u{1F525}.md",
    "\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}.md",
    "\u{1F3F4}\u200D\u2620\uFE0F",
    "1\uFE0F\u20E3",
    "\u0645\u06CC\u200C\u062E\u0648\u0627\u0647\u0645.md",
    "\u0915\u094D\u200D\u0937",
    "\u0600\u0661",
    "日本語.md",
    "ไทย",
    "\u05E9\u05DC\u05D5\u05DD",
    "\u{20BB7}",
  ])("keeps the name %j as it is", (name) => {
    expect(parseMemoryPath(`/memories/${name}`)).toBe(`/memories/${name}`);
  });

  it("allows exactly 20 parts below the root", () => {
    expect(accepts(`/memories${"/a".repeat(20)}`)).toBe(true);
    expect(refusalOf(`/memories${"/a".repeat(21)}`)).toBe(twentyParts);
  });

  it("counts the parts that are left once dots have folded", () => {
    expect(parseMemoryPath(`/memories${"/a/..".repeat(10_000)}/b`)).toBe("/memories/b");
  });
});

describe("what is refused", () => {
  it.each([
    ["", outside],
    ["/", outside],
    ["memories", outside],
    ["memories/x", outside],
    ["./memories/x", outside],
    ["/memoriesX", outside],
    ["/memories_backup/x", outside],
    ["/Memories", outside],
    ["/MEMORIES/a", outside],
    [" /memories", outside],
    ["/memories /a", outside],
    ["/memories\u0301", outside],
    ["/m\u0435mories", outside],
    ["/\uFF4Demories", outside],
    ["/memorie\u017F", outside],
    ["\uFF0Fmemories", outside],
    ["/\u200Bmemories", outside],
    ["/%6demories/x", outside],
    ["/etc/passwd", outside],
    ["/../memories/x", outside],
    ["/x/../memories", outside],
    ["\\memories\\x", outside],
    ["/memories\\x", outside],
    ["/memories\u0000/x", outside],
    ["/memories/..", nothingMore],
    ["/memories/../", nothingMore],
    ["/memories/../etc/passwd", nothingMore],
    ["/memories/../memories/a", nothingMore],
    ["/memories/a/../../b", nothingMore],
    ["/memories//..", nothingMore],
    ["/memories/./..", nothingMore],
    ["/memories/%2e%2e", nothingMore],
    ["/memories/%2e%2e/x", nothingMore],
    ["/memories/%2E%2E%2Fx", nothingMore],
    ["/memories/.%2e", nothingMore],
    ["/memories/%2e./x", nothingMore],
    ["/memories/..%2fx", nothingMore],
    ["/memories/..%5c", nothingMore],
    ["/memories/a%5c..", nothingMore],
    ["/memories/a%2f..%2fb", nothingMore],
    ["/memories/%252e%252e", nothingMore],
    ["/memories/%25252e%25252e%25252f", nothingMore],
    ["/memories/%2%35%32e.", nothingMore],
    ["/memories/%25%32%65%2e", nothingMore],
    ["/memories/%c0%ae%c0%ae", nothingMore],
    ["/memories/%c0%2e%c0%ae%2f..%c0%afx", nothingMore],
    ["/memories/..%c0%af", nothingMore],
    ["/memories/..%c1%9c", nothingMore],
    ["/memories/%e0%80%ae%e0%80%ae", nothingMore],
    ["/memories/%f0%80%80%ae.", nothingMore],
    ["/memories/%f8%80%80%80%ae.", nothingMore],
    ["/memories/%fc%80%80%80%80%ae.", nothingMore],
    ["/memories/%c0%a52e%c0%a52e", nothingMore],
    ["/memories/100%/%2e%2e", nothingMore],
    ["/memories/%zz%2f%2e%2e", nothingMore],
    ["/memories/%2e%2e/../x", nothingMore],
    ["/memories/a\\b", backslashes],
    ["/memories/..\\x", backslashes],
    ["/memories/a\u0000", control],
    ["/memories/a\n", control],
    ["/memories/a\tb", control],
    ["/memories/\u007F", control],
    ["/memories/\u0085", control],
    ["/memories/a\u0000/../b", control],
    ["/memories/a%00.md", control],
    ["/memories/a%2500.md", control],
    ["/memories/a%0ab", control],
    ["/memories/a%7f", control],
    ["/memories/a%c2%85", control],
    ["/memories/a%c0%80", control],
    ["/memories/a\u2028b", lineSeparators],
    ["/memories/a\u2029b", lineSeparators],
    ["/memories/a\u00ADb", invisible],
    ["/memories/a\u200Bb", invisible],
    ["/memories/a\u2060b", invisible],
    ["/memories/a\u200Eb", invisible],
    ["/memories/a\u061Cb", invisible],
    ["/memories/a\u202Eb", invisible],
    ["/memories/a\u2066b", invisible],
    ["/memories/\uFEFFa", invisible],
    ["/memories/a\uFFF9b", invisible],
    ["/memories/a\u{E0001}b", invisible],
    ["/memories/a\u{E0041}b", invisible],
    ["/memories/a\u{E007F}", invisible],
    ["/memories/\u{1F3F4}\u{E0067}\u{E0062}", invisible],
    ["/memories/\u{1F3F4}\u{E007F}", invisible],
    [`/memories/\u{1F3F4}${"\u{E0067}".repeat(8)}\u{E007F}`, invisible],
    ["/memories/a\uFFFF", invisible],
    ["/memories/\u200Da", joiners],
    ["/memories/a\u200D", joiners],
    ["/memories/a\u200D/b", joiners],
    ["/memories/a/\u200Cb", joiners],
    ["/memories/a\u200D\u200Cb", joiners],
    ["/memories/a \u200Db", joiners],
    ["/memories/a\u200D b", joiners],
    ["/memories/\uFE0F\u200Db", joiners],
    ["/memories/a\uD83D", illFormed],
    ["/memories/\uDE00a", illFormed],
    ["/memories/\uDE00\uD83D", illFormed],
  ])("%j, followed by %j", (sent, rule) => {
    expect(refusalOf(sent)).toBe(rule);
  });

  it("is answered with the path as it was sent, never the resolved one", () => {
    expect(() => parseMemoryPath("/memories/../etc/passwd")).toThrow(
      new MemoryError("invalid_path", "The path /memories/../etc/passwd does not exist. Please provide a valid path."),
    );
    expect(() => parseMemoryPath("/memories/a\u202Eb")).toThrow("The path /memories/a\\u{202E}b does not exist.");
  });
});

describe("hostile sizes", () => {
  it.each([
    ["one name of 10 MB", `/memories/${"a".repeat(10_000_000)}`, tooLong],
    ["10 MB of slashes", `/memories${"/".repeat(10_000_000)}`, tooLong],
    ["10 MB of slashes alone", "/".repeat(10_000_000), outside],
    ["10 MB of dot segments before the root", `${"/.".repeat(5_000_000)}/memories`, outside],
    ["10 MB of percent signs", `/memories/${"%".repeat(10_000_000)}`, tooLong],
    ["10 MB outside", `/etc/${"a".repeat(10_000_000)}`, outside],
    ["10,000 segments", `/memories${"/a".repeat(10_000)}`, twentyParts],
    ["10,000 times up", `/memories${"/..".repeat(10_000)}`, nothingMore],
    ["a deep encoding", `/memories/%${"25".repeat(30_000)}2e.`, nothingMore],
    ["a deep encoding that is no escape", `/memories/%${"25".repeat(30_000)}2e`, tooLong],
    ["60,000 joiners", `/memories/a${"\u200D".repeat(60_000)}`, joiners],
    ["60,000 variation selectors and joiners", `/memories/a${"\uFE0F".repeat(60_000)}\u200D`, joiners],
    ["60,000 combining marks out of order", `/memories/a${"\u0315\u0316".repeat(30_000)}`, tooLong],
    ["2,000 combining marks out of order", `/memories/a${"\u0315\u0316".repeat(1_000)}`, undefined],
    ["30,000 tags", `/memories/\u{1F3F4}${"\u{E0061}".repeat(30_000)}`, invisible],
    ["6,000 flags", `/memories/${"\u{1F3F4}\u{E0067}\u{E0062}\u{E0065}\u{E007F}".repeat(6_000)}`, tooLong],
  ])("are judged at once: %s", (_, sent, rule) => {
    if (rule !== undefined) expect(refusalOf(sent)).toBe(rule);
    expect(Math.min(...[1, 2, 3].map(() => cpuMilliseconds(() => parsed(sent))))).toBeLessThan(50);
  });
});

describe("the relations of paths", () => {
  const a = parseMemoryPath("/memories/a");
  const abc = parseMemoryPath("/memories/a/b/c");
  const ab2 = parseMemoryPath("/memories/ab");

  it("knows the root in every spelling", () => {
    expect(["/memories", "/memories/", "/memories/.", "/memories/a/.."].map(parseMemoryPath).every(isRoot)).toBe(true);
    expect(isRoot(a)).toBe(false);
  });

  it("lists the ancestors from below the root downwards", () => {
    expect(ancestorsOf(abc)).toEqual(["/memories/a", "/memories/a/b"]);
    expect(ancestorsOf(a)).toEqual([]);
    expect(ancestorsOf(rootPath)).toEqual([]);
  });

  it("tells below from beside", () => {
    expect(isBelow(abc, a)).toBe(true);
    expect(isBelow(a, rootPath)).toBe(true);
    expect(isBelow(a, abc)).toBe(false);
    expect(isBelow(a, a)).toBe(false);
    expect(isBelow(ab2, a)).toBe(false);
  });

  it("finds an overlap in both directions, and none between neighbours", () => {
    expect(overlaps(a, a)).toBe(true);
    expect(overlaps(a, abc)).toBe(true);
    expect(overlaps(abc, a)).toBe(true);
    expect(overlaps(a, ab2)).toBe(false);
  });

  it("splits a path into its names", () => {
    expect(segmentsBelowRoot(abc)).toEqual(["a", "b", "c"]);
    expect(segmentsBelowRoot(rootPath)).toEqual([]);
    expect(lastSegment(abc)).toBe("c");
    expect(lastSegment(rootPath)).toBe("memories");
  });
});

describe("every path", () => {
  const hostile = fc.constantFrom(
    ..."/ .. . \\ % %2e %2f %5c %25 %00 %c0%ae e \u0301 \u0316 \u00E9 \u1112 \u1161 \u11AB \u212B a . K".split(" "),
    ..."\u200D \uFE0F \u{1F3F4} \u{E0067} \u{E007F} \u{1F468} \uD83D \u0000 \uFEFF ; = \u0338".split(" "),
    " ",
  );
  const tail = fc.oneof(
    fc.array(fc.oneof({ weight: 4, arbitrary: hostile }, fc.string({ unit: "binary", maxLength: 3 }))),
    fc.array(fc.string({ unit: "grapheme", maxLength: 4 }), { maxLength: 8 }).map((names) => [names.join("/")]),
  );
  const spelled = tail.map((parts) => `/memories/${parts.join("")}`);

  it("that is accepted is accepted again, unchanged", () => {
    fc.assert(
      fc.property(spelled, (sent) => {
        const path = parsed(sent);
        if (path !== undefined) expect(parsed(path)).toBe(path);
      }),
      { numRuns: 5_000 },
    );
  });

  it("that is accepted lies below the root, in NFC, without empty and dot segments", () => {
    fc.assert(
      fc.property(spelled, (sent) => {
        const path = parsed(sent);
        if (path === undefined) return;
        expect(path).toMatch(/^\/memories(?:\/[^/\\]+)*$/u);
        expect(path.normalize("NFC")).toBe(path);
        expect(path.split("/").slice(1)).not.toEqual(expect.arrayContaining(["."]));
        expect(path.split("/")).not.toContain("..");
      }),
      { numRuns: 5_000 },
    );
  });

  it("of plain characters is judged like one whose spelling has to be looked at", () => {
    const characters = fc.constantFrom(
      ..."/ . .. a Z 0 - _ ~ ! $ & + , ; = @ [ ] ^ { | } % %2e \\ \t \u007F".split(" "),
      " ",
    );
    const plain = fc.array(characters, { maxLength: 50 }).map((parts) => `/memories/${parts.join("")}`);
    fc.assert(
      fc.property(plain, (sent) => {
        expect(parsed(sent)).toBe(parsed(`/${sent}`));
      }),
      { numRuns: 5_000 },
    );
  });

  it("gives one result in all its spellings", () => {
    const name = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 6 })
      .filter((text) => accepts(`/memories/${text}`) && !/[/.]/.test(text));
    const detour = fc.constantFrom("/", "//", "/./", "/x/../", "/x/y/../../");
    fc.assert(
      fc.property(
        fc.array(fc.tuple(detour, name, fc.constantFrom("NFC", "NFD")), { maxLength: 6 }),
        fc.constantFrom("", "/", "/."),
        (steps, end) => {
          const respelled = steps.map(([slash, text, form]) => slash + text.normalize(form)).join("");
          const plain = steps.map(([, text]) => `/${text}`).join("");
          expect(parsed(`/memories${respelled}${end}`)).toBe(parsed(`/memories${plain}`));
        },
      ),
    );
  });
});
