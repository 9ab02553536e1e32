import * as fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { viewDirectory } from "../../src/core/directory-view.ts";
import { createKeySpace } from "../../src/core/key-space.ts";
import { canonicalOrUndefined, parseMemoryPath, rootPath } from "../../src/core/memory-path.ts";
import { formatSize } from "../../src/core/text/size.ts";
import type { ListedObject, ListOptions, ListPage, ObjectStore } from "../../src/core/object-store.ts";

const keys = createKeySpace({ user: "u" });
const { memories } = keys;

/** Keys below the root's prefix and their sizes. */
type Files = Readonly<Record<string, number>>;

/** The UTF-8 bytes of a key, one character each. */
function bytesOf(key: string): string {
  return Buffer.from(key).toString("latin1");
}

/** Answers listings as S3 does, and remembers what it was asked. `cuts` says how many entries page n may have. */
class FakeListing {
  readonly requests: ListOptions[] = [];
  readonly #keys: readonly string[];
  /** The same keys, one character a byte, so that JavaScript's order is that of the bytes. */
  readonly #bytes: readonly string[];
  readonly #sizes: ReadonlyMap<string, number>;
  readonly #cuts: (page: number) => number;

  constructor(files: Files, cuts: (page: number) => number = () => 1_000) {
    this.#sizes = new Map(Object.entries(files).map(([name, size]) => [`${memories}${name}`, size]));
    this.#bytes = [...this.#sizes.keys()].map(bytesOf).sort();
    this.#keys = this.#bytes.map((bytes) => Buffer.from(bytes, "latin1").toString());
    this.#cuts = cuts;
  }

  list = async (options: ListOptions): Promise<ListPage> => {
    const most = Math.min(options.pageSize ?? 1_000, this.#cuts(this.requests.length));
    this.requests.push(options);
    const objects: ListedObject[] = [];
    const prefixes: string[] = [];
    let index = options.token === undefined ? this.#firstAfter(options.startAfter) : Number(options.token);
    const skipTo = (matches: (key: string) => boolean): void => {
      while (index < this.#keys.length && !matches(this.#keys[index] ?? "")) index += 1;
    };
    for (;;) {
      skipTo((candidate) => candidate.startsWith(options.prefix));
      const key = this.#keys[index];
      if (key === undefined) return { objects, prefixes };
      if (objects.length + prefixes.length === most) return { objects, prefixes, next: String(index) };
      const end = options.delimiter === undefined ? 0 : key.indexOf("/", options.prefix.length) + 1;
      if (end > 0) {
        const rolledUp = key.slice(0, end);
        prefixes.push(rolledUp);
        skipTo((candidate) => !candidate.startsWith(rolledUp));
      } else {
        objects.push({ key, size: this.#sizes.get(key) ?? 0, version: '"v"', modified: new Date(0) });
        index += 1;
      }
    }
  };

  #firstAfter(startAfter: string | undefined): number {
    if (startAfter === undefined) return 0;
    const index = this.#bytes.findIndex((bytes) => bytes > bytesOf(startAfter));
    return index === -1 ? this.#keys.length : index;
  }
}

function object(key: string): ListedObject {
  return { key: memories + key, size: 1, version: '"v"', modified: new Date(0) };
}

async function view(
  files: Files | FakeListing,
  {
    path = "/memories",
    viewCharacters = 16_000,
    signal,
  }: { path?: string; viewCharacters?: number; signal?: AbortSignal } = {},
): Promise<string | undefined> {
  const listing = files instanceof FakeListing ? files : new FakeListing(files);
  const options = { viewCharacters, ...(signal === undefined ? {} : { signal }) };
  return viewDirectory(listing, keys, parseMemoryPath(path), path, options);
}

/** The rows without the header; "" where there is no directory. */
async function rowsOf(...viewed: Parameters<typeof view>): Promise<readonly string[]> {
  return ((await view(...viewed)) ?? "").split("\n").slice(1);
}

/** `many(3, (n) => ...)`: that many files of one byte. */
function many(count: number, name: (index: number) => string): Files {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [name(index), 1]));
}

const padded = (index: number): string => String(index).padStart(6, "0");

/** The number that a row starts with, in bytes. */
function sizeOf(row: string): number {
  const size = row.split("\t")[0] ?? "";
  return Number.parseFloat(size) * (size.endsWith("K") ? 1_024 : 1);
}

/** Every row of a directory, made the long way round: from sets of names, with no thought of order or pages. */
function expectedRows(files: Files): readonly string[] {
  const sizes = new Map<string, number>();
  for (const [name, size] of Object.entries(files)) {
    const segments = name.split("/");
    const file = segments.pop() ?? "";
    for (let level = 1; level <= Math.min(2, segments.length); level += 1) {
      const directory = `${segments.slice(0, level).join("/")}/`;
      sizes.set(directory, (sizes.get(directory) ?? 0) + size);
    }
    if (file !== "" && segments.length < 2) sizes.set(name, size);
  }
  const shown = [...sizes].filter(([row]) => {
    const names = row.replace(/\/$/, "").split("/");
    const isHidden = names.some((name) => name.startsWith(".") || name === "node_modules");
    return !isHidden && canonicalOrUndefined(`/memories/${names.join("/")}`) !== undefined;
  });
  const total = Object.values(files).reduce((sum, size) => sum + size, 0);
  const sorted = shown.sort(([one], [other]) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  return [`${formatSize(total)}\t/memories`, ...sorted.map(([row, size]) => `${formatSize(size)}\t/memories/${row}`)];
}

describe("the rows of a directory", () => {
  it("are the documented text, depth-first, directories ending in a slash", async () => {
    const files = { "notes.md": 312, "crm/acme.md": 1_536, "crm/deals/2026.md": 4_096, "archive/old.md": 1 };
    expect(await view(files)).toBe(
      [
        "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:",
        "5.8K\t/memories",
        "1B\t/memories/archive/",
        "1B\t/memories/archive/old.md",
        "5.5K\t/memories/crm/",
        "1.5K\t/memories/crm/acme.md",
        "4.0K\t/memories/crm/deals/",
        "312B\t/memories/notes.md",
      ].join("\n"),
    );
  });

  it("are the root alone where it is empty", async () => {
    expect(await rowsOf({})).toEqual(["0B\t/memories"]);
  });

  it("are nothing where no key lies below the directory", async () => {
    expect(await view({ dir: 1, "dirs/a": 1 }, { path: "/memories/dir" })).toBeUndefined();
  });

  it("are those below the viewed directory only, not of one whose name starts the same", async () => {
    expect(await rowsOf({ "bus/a": 1, "bush/b": 2, bus: 4 }, { path: "/memories/bus" })).toEqual([
      "1B\t/memories/bus",
      "1B\t/memories/bus/a",
    ]);
  });

  it("repeat the path as it was sent in the first row, and the canonical one below", async () => {
    const text = await view({ "a/b/c.md": 7 }, { path: "/memories//x/../a/" });
    expect(text?.split("\n")).toEqual([
      "Here're the files and directories up to 2 levels deep in /memories//x/../a/, excluding hidden items and node_modules:",
      "7B\t/memories//x/../a/",
      "7B\t/memories/a/b/",
      "7B\t/memories/a/b/c.md",
    ]);
  });

  it("end two levels below the viewed directory; what is deeper counts in the sizes", async () => {
    expect(await rowsOf({ "d/a/b/c/e": 5, "d/a/b/f": 2 }, { path: "/memories/d" })).toEqual([
      "7B\t/memories/d",
      "7B\t/memories/d/a/",
      "7B\t/memories/d/a/b/",
    ]);
  });

  it("are sorted by the bytes of the name with its slash", async () => {
    const files = { a: 1, "a-b": 1, "a/x": 1, a0: 1, "\u{FF5E}": 1, "\u{1F600}": 1, B: 1 };
    expect((await rowsOf(files)).map((row) => row.split("\t/memories")[1])).toEqual([
      "",
      "/B",
      "/a",
      "/a-b",
      "/a/",
      "/a/x",
      "/a0",
      "/\u{FF5E}",
      "/\u{1F600}",
    ]);
  });

  it("hold both a file and a directory of one name", async () => {
    expect(await rowsOf({ a: 3, "a/b": 4 })).toEqual([
      "7B\t/memories",
      "3B\t/memories/a",
      "4B\t/memories/a/",
      "4B\t/memories/a/b",
    ]);
  });

  it("leave out hidden entries and node_modules, whose bytes count above", async () => {
    const files = {
      ".env": 1,
      ".git/config": 2,
      "a/.x": 4,
      "a/.y/z": 8,
      "a/node_modules/p/i.js": 16,
      "a/b": 32,
      "node_modules/q": 64,
      "node_modules2/r": 128,
    };
    expect(await rowsOf(files)).toEqual([
      "255B\t/memories",
      "60B\t/memories/a/",
      "32B\t/memories/a/b",
      "128B\t/memories/node_modules2/",
      "128B\t/memories/node_modules2/r",
    ]);
  });

  it("show a hidden directory that is viewed itself", async () => {
    expect(await rowsOf({ ".git/config": 2, ".git/.x": 1 }, { path: "/memories/.git" })).toEqual([
      "3B\t/memories/.git",
      "2B\t/memories/.git/config",
    ]);
  });

  it("hold a directory of which there is only a marker, or only what is not shown", async () => {
    expect(await rowsOf({ "dir/": 0, "deep/er/": 0, "h/.x": 3 })).toEqual([
      "3B\t/memories",
      "0B\t/memories/deep/",
      "0B\t/memories/deep/er/",
      "0B\t/memories/dir/",
      "3B\t/memories/h/",
    ]);
    expect(await rowsOf({ "dir/": 0 }, { path: "/memories/dir" })).toEqual(["0B\t/memories/dir"]);
  });

  it("leave out what no path names, whose bytes count above", async () => {
    const files = {
      "e\u0301": 1,
      "e\u0301d/x": 2,
      "a//b": 4,
      "a/\u0007": 8,
      "/x": 16,
      "./y": 32,
      "a/ok": 64,
      "a//": 0,
    };
    expect(await rowsOf(files)).toEqual(["127B\t/memories", "76B\t/memories/a/", "64B\t/memories/a/ok"]);
  });
});

describe("the pages of a listing", () => {
  const segment = fc.constantFrom("a", "b", "a-", "a0", ".h", "node_modules", "\u{FF5E}", "\u{1F600}", "e\u0301", "");
  const name = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("/"));
  const tree = fc
    .uniqueArray(name, { maxLength: 40 })
    .map((names) => Object.fromEntries(names.map((key, index) => [key, index])));

  it("make no difference, be they short or empty", async () => {
    const cuts = fc.array(fc.nat(20), { maxLength: 9 });
    await fc.assert(
      fc.asyncProperty(tree, cuts, fc.integer({ min: 400, max: 900 }), async (files, sizes, viewCharacters) => {
        const onOnePage = await view(files, { viewCharacters });
        expect(await view(new FakeListing(files, (page) => sizes[page] ?? 1_000), { viewCharacters })).toBe(onOnePage);
      }),
      { numRuns: 400 },
    );
  });

  it("make the rows that the whole tree has", async () => {
    await fc.assert(
      fc.asyncProperty(tree, async (files) => {
        expect(await rowsOf(files)).toEqual(expectedRows(files));
      }),
      { numRuns: 400 },
    );
  });

  it("make no difference to a text that fills in the first of several thousand keys", async () => {
    const files = many(3_500, (index) => `${padded(index)}.md`);
    const texts = [1_000, 500, 999, 334, 250].map(async (size) => view(new FakeListing(files, () => size)));
    expect(new Set(await Promise.all(texts)).size).toBe(1);
  });

  it("are read to the last key, whatever is left of a page", async () => {
    const files = many(1_500, (index) => `d/e/f/${index}`);
    expect(await rowsOf(new FakeListing(files, () => 750))).toContain("1.5K\t/memories/d/e/");
  });

  it("may repeat keys and go back while others write: each row is shown once, each byte counted once", async () => {
    const pages: ListPage[] = [
      { objects: [object("a"), object("d/x"), object("d/y")], prefixes: [], next: "1" },
      { objects: [object("d/x"), object("d/y"), object("d/y"), object("d/z")], prefixes: [], next: "2" },
      { objects: [object("a"), object("e")], prefixes: [] },
    ];
    const list = async ({ token = "0" }: ListOptions): Promise<ListPage> =>
      pages[Number(token)] ?? { objects: [], prefixes: [] };
    const text = await viewDirectory({ list }, keys, rootPath, "/memories", { viewCharacters: 16_000 });
    expect(text?.split("\n").slice(1)).toEqual([
      "5B\t/memories",
      "1B\t/memories/a",
      "3B\t/memories/d/",
      "1B\t/memories/d/x",
      "1B\t/memories/d/y",
      "1B\t/memories/d/z",
      "1B\t/memories/e",
    ]);
  });

  it("are one request without a delimiter for 1,000 files, two for 1,001", async () => {
    const thousand = new FakeListing(many(1_000, (index) => `d/e/f/${index}`));
    expect(await rowsOf(thousand)).toEqual(["1000B\t/memories", "1000B\t/memories/d/", "1000B\t/memories/d/e/"]);
    expect(thousand.requests).toEqual([{ prefix: memories }]);
    const more = new FakeListing(many(1_001, (index) => `d/e/f/${index}`));
    expect(await rowsOf(more)).toContain("1001B\t/memories/d/");
    expect(more.requests.map(({ delimiter }) => delimiter)).toEqual([undefined, undefined]);
  });

  it("are asked for with the caller's signal, those with a delimiter too", async () => {
    const { signal } = new AbortController();
    const listing = new FakeListing(many(20_000, (index) => `d/e/${padded(index)}/x`));
    await view(listing, { signal });
    expect(listing.requests.length).toBeGreaterThan(10);
    expect(listing.requests.every((request) => request.signal === signal)).toBe(true);
  });

  it("that fail make the view fail", async () => {
    const list = vi.fn<ObjectStore["list"]>().mockRejectedValue(new Error("no permission"));
    await expect(viewDirectory({ list }, keys, rootPath, "/memories", { viewCharacters: 16_000 })).rejects.toThrow(
      "no permission",
    );
  });

  it("may be empty for ever: the view ends, and does not say that there is nothing", async () => {
    const listing = new FakeListing({ "d/x": 1 }, () => 0);
    const rows = await rowsOf(listing, { path: "/memories/d" });
    expect(rows[0]).toBe("≥0B\t/memories/d");
    expect(rows[1]).toMatch(/^\[There may be more: /);
    expect(listing.requests).toHaveLength(20);
  });
});

describe("a text that is full", () => {
  const files = many(60, (index) => `${index % 2 === 0 ? "d" : "e"}/${padded(index)}.md`);

  it("is shown whole as long as it has just the characters allowed", async () => {
    const whole = (await view(files)) ?? "";
    expect(whole).not.toContain("[");
    expect(await view(files, { viewCharacters: whole.length })).toBe(whole);
  });

  it("is cut after a whole row at any limit, its last line included, and says what it leaves out", async () => {
    const whole = ((await view(files)) ?? "").split("\n");
    for (let viewCharacters = 400; viewCharacters < whole.join("\n").length; viewCharacters += 1) {
      const text = (await view(files, { viewCharacters })) ?? "";
      const lines = text.split("\n");
      const last = lines.pop();
      expect(text.length).toBeLessThanOrEqual(viewCharacters);
      expect(text.length + "\n30B\t/memories/d/000058.md".length).toBeGreaterThan(viewCharacters);
      expect(lines).toEqual(whole.slice(0, lines.length));
      expect(last).toBe(
        `[Entries shown: ${lines.length - 2} of 62. View a directory below to see what it holds; a file that is not listed can still be viewed by its path.]`,
      );
    }
  });

  it("does not point to directories where there are none", async () => {
    const rows = await rowsOf(many(900, (index) => `${padded(index)}.md`));
    expect(rows[0]).toBe("900B\t/memories");
    expect(rows.at(-1)).toMatch(
      /^\[Entries shown: \d+ of 900\. A file that is not listed can still be viewed by its path\.]$/,
    );
  });

  it("ends the listing; sizes that were not counted to the end say so", async () => {
    const listing = new FakeListing(
      many(100_000, (index) => (index < 40 ? `a/${padded(index)}` : `b/${padded(index)}`)),
    );
    const rows = await rowsOf(listing);
    expect(listing.requests).toHaveLength(1);
    expect(rows[0]).toBe("≥1000B\t/memories");
    expect(rows[1]).toBe("40B\t/memories/a/");
    expect(rows[42]).toBe("≥960B\t/memories/b/");
    expect(rows.at(-1)).toMatch(
      /^\[Entries shown: \d+, there are more\. A size with ≥ was not counted to the end\. View a directory below /,
    );
  });

  it("leaves the size of a directory exact that ended before", async () => {
    const listing = new FakeListing(
      many(100_000, (index) => (index < 40 ? `a/${padded(index)}` : `b${padded(index)}`)),
    );
    expect((await rowsOf(listing)).slice(0, 2)).toEqual(["≥1000B\t/memories", "40B\t/memories/a/"]);
  });
});

describe("a very large directory", () => {
  const tenants: Readonly<
    Record<string, { name: (index: number) => string; requests: number; rows: number; count?: number }>
  > = {
    "100,000 files side by side": { name: (index) => `${padded(index)}.md`, requests: 1, rows: 500 },
    "100,000 files in one directory": { name: (index) => `d/${padded(index)}.md`, requests: 1, rows: 500 },
    "1,000 directories of 100 files": {
      name: (index) => `${padded(index % 1_000)}/${index}.md`,
      requests: 1,
      rows: 500,
    },
    "1,000 directories of 100 files two levels below": {
      name: (index) => `${padded(index % 1_000)}/sub/${index}.md`,
      requests: 18,
      rows: 600,
    },
    "deep nesting below one directory": { name: (index) => `d/e/f/${index}/g/h/i.md`, requests: 12, rows: 3 },
    "50,000 hidden files before the visible ones": {
      name: (index) => (index < 50_000 ? `.${padded(index)}` : `v/${padded(index)}`),
      requests: 12,
      rows: 500,
    },
    "50,000 hidden files before the visible ones, one level below": {
      name: (index) => (index < 50_000 ? `d/.${padded(index)}` : `d/${padded(index)}`),
      requests: 11,
      rows: 500,
    },
    "100,000 keys that no path names": { name: (index) => `e\u0301${padded(index)}`, requests: 20, rows: 1 },
  };

  it.each(Object.entries(tenants))("of %s takes few requests and says what it leaves out", async (_, tenant) => {
    const listing = new FakeListing(many(100_000, tenant.name));
    const text = (await view(listing)) ?? "";
    const rows = text.split("\n").slice(1);
    expect(listing.requests).toHaveLength(tenant.requests);
    expect(text.length).toBeLessThanOrEqual(16_000);
    expect(rows.length).toBeGreaterThanOrEqual(tenant.rows);
    expect(rows[0]).toMatch(/^≥[\d.]+[BK]\t\/memories$/);
  });
});

describe("the rows after the first 10,000 keys", () => {
  const deep = many(10_000, (index) => `d/e/f${padded(index)}/g`);

  it("are found level by level; sizes that are known to the end are exact", async () => {
    const rest = { "d/e/z": 1, "d/x": 2, "d/y/z": 4, "m/": 8, "m/n": 16, "o/p/q": 32, "r/": 0, s: 64 };
    const listing = new FakeListing({ ...deep, ...rest });
    expect(await rowsOf(listing)).toEqual([
      "≥9.9K\t/memories",
      "≥9.8K\t/memories/d/",
      "≥9.8K\t/memories/d/e/",
      "2B\t/memories/d/x",
      "≥0B\t/memories/d/y/",
      "24B\t/memories/m/",
      "16B\t/memories/m/n",
      "≥0B\t/memories/o/",
      "≥0B\t/memories/o/p/",
      "0B\t/memories/r/",
      "64B\t/memories/s",
    ]);
    expect(listing.requests.slice(10).map(({ prefix }) => prefix.slice(memories.length))).toEqual([
      "d/",
      "",
      "m/",
      "o/",
      "r/",
    ]);
  });

  it("cost no request for a directory that is not shown", async () => {
    const listing = new FakeListing({ ...deep, "node_modules/a": 1, "e\u0301/a": 1, z: 1 });
    expect((await rowsOf(listing)).slice(3)).toEqual(["1B\t/memories/z"]);
    expect(listing.requests).toHaveLength(12);
    const inside = new FakeListing({ ...many(11_000, (index) => `node_modules/${padded(index)}`), z: 1 });
    expect(await rowsOf(inside)).toEqual(["≥9.8K\t/memories", "1B\t/memories/z"]);
    expect(inside.requests).toHaveLength(11);
  });

  it("cost no request once the text is full", async () => {
    const listing = new FakeListing({ ...deep, ...many(50, (index) => `directory-${index}/x`) });
    expect(await rowsOf(listing, { viewCharacters: 400 })).toHaveLength(6);
    expect(listing.requests).toHaveLength(17);
  });

  it("of the first level are found whatever number of keys that nobody can see lies on the second", async () => {
    const listing = new FakeListing({ ...deep, ...many(20_000, (index) => `d/e\u0301${padded(index)}`), z: 1 });
    const rows = await rowsOf(listing);
    expect(rows[3]).toBe("1B\t/memories/z");
    expect(rows[4]).toMatch(/^\[There may be more: /);
    expect(listing.requests).toHaveLength(19);
  });

  it("are passed over where they are hidden, with node_modules and visible ones on both sides", async () => {
    const hidden = many(5_000, (index) => `.${padded(index)}`);
    const listing = new FakeListing({
      "!": 1,
      ...many(10_000, (index) => `+/+/${padded(index)}`),
      ...hidden,
      "0": 1,
      "node_modules/x": 1,
      z: 1,
    });
    expect((await rowsOf(listing)).map((row) => row.split("/memories")[1])).toEqual([
      "",
      "/!",
      "/+/",
      "/+/+/",
      "/0",
      "/z",
    ]);
    expect(listing.requests).toHaveLength(14);
  });

  it("fill a larger view as far as the requests go, which the last line admits", async () => {
    const listing = new FakeListing(many(100_000, (index) => padded(index)));
    const rows = await rowsOf(listing, { viewCharacters: 10_000_000 });
    expect(rows).toHaveLength(20_002);
    expect(rows.at(-1)).toMatch(
      /^\[There may be more: this directory is too large to be read to its end\. A size with ≥ /,
    );
    expect(listing.requests).toHaveLength(20);
  });

  it("are those that the whole tree has, and no size is more than it is", async () => {
    const place = fc.constantFrom("!/!/", "a/a/", "a/", "a/.h/", ".h/", "node_modules/", "e\u0301/", "z/z/z/");
    const segment = fc.constantFrom("a", "b", "a-", ".h", "node_modules", "\u{FF5E}", "e\u0301", "");
    const name = fc.array(segment, { minLength: 1, maxLength: 4 }).map((segments) => segments.join("/"));
    const tree = fc.uniqueArray(name, { maxLength: 30 });
    await fc.assert(
      fc.asyncProperty(place, tree, async (directory, names) => {
        const files = {
          ...many(11_000, (index) => `${directory}.${padded(index)}`),
          ...Object.fromEntries(names.map((key, index) => [key, index])),
        };
        const listing = new FakeListing(files);
        const expected = expectedRows(files);
        const rows = await rowsOf(listing, { viewCharacters: 1_000_000 });
        expect(rows.map((row) => row.split("\t")[1])).toEqual(expected.map((row) => row.split("\t")[1]));
        for (const [index, row] of rows.entries()) {
          if (row.startsWith("≥")) expect(sizeOf(row.slice(1))).toBeLessThanOrEqual(sizeOf(expected[index] ?? ""));
          else expect(row).toBe(expected[index]);
        }
        expect(listing.requests.length).toBeLessThanOrEqual(20);
      }),
      { numRuns: 25 },
    );
  });
});
