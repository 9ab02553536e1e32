import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isMemoryError } from "../../src/errors.ts";
import { createKeySpace, type KeySpaceOptions } from "../../src/core/key-space.ts";
import { parseMemoryPath, rootPath, type MemoryPath } from "../../src/core/memory-path.ts";

const notes = parseMemoryPath("/memories/notes/a b+c%20é.md");

function messageOf(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    if (isMemoryError(error) && error.code === "invalid_path") return error.message;
    throw error;
  }
  throw new Error("Nothing was thrown.");
}

describe("the keys of a scope", () => {
  it("hold the path's characters as they are, below the user", () => {
    const keys = createKeySpace({ user: "acme-corp" });
    expect(keys.keyOf(notes)).toBe("users/acme-corp/memories/notes/a b+c%20é.md");
    expect(keys.prefixOf(notes)).toBe("users/acme-corp/memories/notes/a b+c%20é.md/");
    expect(keys.prefixOf(rootPath)).toBe("users/acme-corp/memories/");
    expect(keys.memories).toBe("users/acme-corp/memories/");
    expect(keys.system).toBe("users/acme-corp/system/");
  });

  it("lie below the prefix and the project where there are some", () => {
    const keys = createKeySpace({ prefix: "agents/blue team", user: "acme", project: "crm" });
    expect(keys.keyOf(notes)).toBe("agents/blue%20team/users/acme/projects/crm/memories/notes/a b+c%20é.md");
    expect(keys.system).toBe("agents/blue%20team/users/acme/system/");
  });

  it.each([
    ["anna@example.org", "anna@example.org"],
    ["A_z-0.9+=", "A_z-0.9+="],
    ["a/b", "a%2Fb"],
    ["a%2Fb", "a%252Fb"],
    ["a b", "a%20b"],
    ["é", "%C3%A9"],
    ["e\u0301", "e%CC%81"],
    ["😀", "%F0%9F%98%80"],
    [".", "%2E"],
    ["..", "%2E%2E"],
    ["...", "..."],
    ["a\u0000*?$", "a%00%2A%3F%24"],
  ])("write the user id %j as %j", (user, segment) => {
    expect(createKeySpace({ user }).memories).toBe(`users/${segment}/memories/`);
  });

  it("are never made for the root, which is a directory", () => {
    expect(() => createKeySpace({ user: "a" }).keyOf(rootPath)).toThrow(TypeError);
  });

  it("are never made from a text that only claims to be a path", () => {
    const keys = createKeySpace({ user: "a" });
    for (const forged of [
      "/memories/../system/x",
      "/memories/a//b",
      "/memories/a/",
      "/other/abcd",
      "/memories/e\u0301",
    ]) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the forgery is the case
      expect(messageOf(() => keys.keyOf(forged as MemoryPath))).toContain("does not exist");
    }
  });
});

describe("the length of a key", () => {
  it("may be exactly 1,024 bytes", () => {
    const keys = createKeySpace({ user: "u" });
    const most = 1_024 - "users/u/".length + 1;
    const longest = parseMemoryPath(`/memories/${"a".repeat(most - "/memories/".length)}`);
    expect(keys.keyOf(longest)).toHaveLength(1_024);
    expect(keys.pathOf(keys.keyOf(longest))).toBe(longest);
    const text = messageOf(() => keys.keyOf(parseMemoryPath(`${longest}a`)));
    expect(text).toContain(` does not exist. Please provide a valid path. A path may have at most ${most} bytes here.`);
    expect(() => keys.prefixOf(parseMemoryPath(`${longest}a`))).toThrow(text);
  });

  it("counts bytes of UTF-8, and the text repeats the path as it was sent", () => {
    const keys = createKeySpace({ user: "u" });
    const sent = `/memories//${"é".repeat(600)}`;
    expect(messageOf(() => keys.keyOf(parseMemoryPath(sent), sent))).toBe(
      `The path ${sent} does not exist. Please provide a valid path. A path may have at most 1017 bytes here.`,
    );
  });

  it("leaves room for a path beside the longest ids", () => {
    const longest = "x".repeat(200);
    const keys = createKeySpace({ prefix: longest, user: longest, project: longest });
    expect(keys.keyOf(parseMemoryPath(`/memories/${"a".repeat(300)}`)).length).toBeLessThan(1_024);
  });
});

describe("the path of a key", () => {
  const keys = createKeySpace({ prefix: "p", user: "u" });

  it.each([
    ["a marker of the root", "p/users/u/memories/"],
    ["a marker", "p/users/u/memories/a/"],
    ["a key of another user", "p/users/v/memories/a"],
    ["a key of a project", "p/users/u/projects/x/memories/a"],
    ["a system key", "p/users/u/system/a"],
    ["a key without the prefix", "users/u/memories/a"],
    ["doubled slashes", "p/users/u/memories/a//b"],
    ["a dot segment", "p/users/u/memories/./a"],
    ["a way out", "p/users/u/memories/../x"],
    ["a fold to the root", "p/users/u/memories/a/.."],
    ["NFD", "p/users/u/memories/e\u0301"],
    ["a control character", "p/users/u/memories/a\n"],
    ["a backslash", "p/users/u/memories/a\\b"],
    ["a lone surrogate", "p/users/u/memories/\uD800"],
    ["more than 20 parts", `p/users/u/memories/a${"/a".repeat(20)}`],
    ["more than 1,024 bytes", `p/users/u/memories/${"a".repeat(1_020)}`],
    ["more than 1,024 bytes in fewer characters", `p/users/u/memories/${"\u3042".repeat(342)}`],
  ])("is undefined for %s", (_, key) => {
    expect(keys.pathOf(key)).toBeUndefined();
  });

  it("is the path that the key was made from", () => {
    expect(keys.pathOf(keys.keyOf(notes))).toBe(notes);
  });
});

describe("nonsense options", () => {
  it.each<[string, unknown, string]>([
    ["user", "", '""'],
    ["user", " \t\n", '" \\t\\n"'],
    ["user", "\u00A0", '"\u00A0"'],
    ["user", "a\uD800", '"a\\ud800"'],
    ["user", "x".repeat(201), "xxx"],
    ["user", "é".repeat(34), "ééé"],
    ["user", undefined, "got undefined."],
    ["user", null, "got null."],
    ["user", 42, "got 42."],
    ["user", ["a"], "a value of type object"],
    ["project", "", '""'],
    ["project", null, "got null."],
    ["prefix", "", '""'],
    ["prefix", "/a", '"/a"'],
    ["prefix", "a/", '"a/"'],
    ["prefix", "a//b", '"a//b"'],
    ["prefix", "a/ /b", '"a/ /b"'],
    ["prefix", "a*", '"a*"'],
    ["prefix", "a?", '"a?"'],
    ["prefix", "${a}", '"${a}"'],
    ["prefix", "\uDC00", '"\\udc00"'],
    ["prefix", `${"x".repeat(100)}/${"y".repeat(100)}`, "xxx"],
    ["prefix", 1, "got 1."],
  ])("%s %j is refused by name, value and expectation", (option, value, shown) => {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- users of plain JavaScript pass anything
    const options = { user: "u", [option]: value } as unknown as KeySpaceOptions;
    expect(() => createKeySpace(options)).toThrow(TypeError);
    expect(() => createKeySpace(options)).toThrow(new RegExp(`^${option} must be .* at most 200 bytes`));
    expect(() => createKeySpace(options)).toThrow(shown);
  });

  it("are not: 200 bytes, dots, a prefix of dots, a project left out", () => {
    expect(createKeySpace({ user: "x".repeat(200) }).memories).toHaveLength(216);
    expect(createKeySpace({ prefix: "../.", user: "u", project: undefined }).memories).toBe(
      "%2E%2E/%2E/users/u/memories/",
    );
  });
});

describe("no two scopes and paths", () => {
  const hostileIds = [
    ..."a A a/b a%2Fb a%2fb a%252Fb . .. %2E %2E%2E %2e projects memories system users memories/x".split(" "),
    ..."a/projects/b a/memories projects/p/memories é e\u0301 \u{1F600} + %20 *".split(" "),
    "a b",
    "\u0000",
    "\u200B",
    "\\..\\",
    "x".repeat(200),
  ];
  const id = fc.oneof(
    fc.constantFrom(...hostileIds),
    fc.string({ unit: "binary", minLength: 1, maxLength: 12 }).filter((text) => text.trim() !== ""),
  );
  const names = [..."a A b memories projects system users p %2E ... é x.md a%2Fb".split(" "), "a b"];
  const path = fc
    .array(fc.constantFrom(...names), { minLength: 1, maxLength: 6 })
    .map((segments) => parseMemoryPath(`/memories/${segments.join("/")}`));
  const place = fc.record({ user: id, project: fc.option(id, { nil: undefined }), path });

  it("share a key", () => {
    fc.assert(
      fc.property(place, place, fc.constantFrom(undefined, "p", "p/q"), (one, other, prefix) => {
        const same = one.user === other.user && one.project === other.project && one.path === other.path;
        const keyOne = createKeySpace({ prefix, ...one }).keyOf(one.path);
        const keyOther = createKeySpace({ prefix, ...other }).keyOf(other.path);
        expect(keyOne === keyOther).toBe(same);
      }),
      { numRuns: 3_000 },
    );
  });

  it("share a prefix: every pair of hostile scopes is apart, system included", () => {
    const projects = [undefined, ...hostileIds];
    const prefixes = hostileIds.flatMap((user) =>
      [createKeySpace({ user }).system].concat(projects.map((project) => createKeySpace({ user, project }).memories)),
    );
    const sorted = prefixes.toSorted((one, other) => (one < other ? -1 : 1));
    const nested = sorted.filter((prefix, index) => index > 0 && prefix.startsWith(sorted[index - 1] ?? prefix));
    expect(nested).toEqual([]);
  });

  it("read another's key as their own", () => {
    fc.assert(
      fc.property(place, place, (one, other) => {
        const [mine, theirs] = [createKeySpace(one), createKeySpace(other)];
        expect(mine.pathOf(mine.keyOf(one.path))).toBe(one.path);
        const isSameScope = one.user === other.user && one.project === other.project;
        expect(mine.pathOf(theirs.keyOf(other.path))).toBe(isSameScope ? other.path : undefined);
      }),
      { numRuns: 3_000 },
    );
  });

  it("come from an id that is refused: empty, blank, ill-formed, 500 characters", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("", " ", "\u3000", "\uD800", "a\uDFFFb", "x".repeat(500), "\u{1F600}".repeat(50)),
        (user) => {
          expect(() => createKeySpace({ user })).toThrow(TypeError);
          expect(() => createKeySpace({ user: "u", project: user })).toThrow(TypeError);
        },
      ),
    );
  });
});
