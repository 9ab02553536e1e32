import type { Probe } from "./probe.ts";
import type { TruthRow } from "./truth-row.ts";

async function storeAll(s3: Probe, keys: readonly string[]): Promise<void> {
  for (let start = 0; start < keys.length; start += 20) {
    await Promise.all(keys.slice(start, start + 20).map((key) => s3.store(key, "content")));
  }
}

/** In the order of UTF-8 bytes; UTF-16 would put the emoji before U+FF5E. */
const byBytes = ["A", "a", "a/b", "a0", "b", "é", "€", "\uff5e", "😀"];

export const listRows: readonly TruthRow[] = [
  {
    name: "an empty bucket lists nothing",
    run: (s3) => s3.list(),
    expected: { status: 200, keys: [], prefixes: [], count: 0 },
  },
  {
    name: "a listing is in UTF-8 byte order",
    run: async (s3) => {
      await storeAll(s3, byBytes.toReversed());
      return { keys: (await s3.list())["keys"] };
    },
    expected: { keys: byBytes },
  },
  {
    name: "pages hold every key exactly once",
    run: async (s3) => {
      await storeAll(s3, ["a", "b", "c", "d", "e"]);
      return { pages: await s3.pages({ MaxKeys: 2 }) };
    },
    expected: { pages: [["a", "b"], ["c", "d"], ["e"]] },
  },
  {
    name: "a page that is just full is the last one",
    run: async (s3) => {
      await storeAll(s3, ["a", "b"]);
      return { pages: await s3.pages({ MaxKeys: 2 }) };
    },
    expected: { pages: [["a", "b"]] },
  },
  {
    name: "a page may end on an emoji",
    run: async (s3) => {
      await storeAll(s3, ["a", "😀", "😁"]);
      return { pages: await s3.pages({ MaxKeys: 1 }) };
    },
    expected: { pages: [["a"], ["😀"], ["😁"]] },
  },
  {
    name: "a page holds 1,000 keys at most",
    run: async (s3) => {
      await storeAll(
        s3,
        Array.from({ length: 1001 }, (_, index) => `key-${String(index).padStart(4, "0")}`),
      );
      const pages = await s3.pages({ MaxKeys: 5000 });
      return { sizes: pages.map((page) => (Array.isArray(page) ? page.length : page)) };
    },
    expected: { sizes: [1000, 1] },
  },
  {
    name: "common prefixes count towards the page, and each is on one page",
    run: async (s3) => {
      await storeAll(s3, ["a/1", "a/2", "b", "c/1", "c/2", "c/3", "d"]);
      return {
        pages: await s3.pages({ Delimiter: "/", MaxKeys: 2 }),
        count: (await s3.list({ Delimiter: "/" }))["count"],
      };
    },
    expected: {
      pages: [
        ["b", "a/"],
        ["d", "c/"],
      ],
      count: 4,
    },
  },
  {
    name: "a page may end on a common prefix, and the next one starts behind it",
    run: async (s3) => {
      await storeAll(s3, ["a/1", "a/2", "b", "c/1", "c/2"]);
      return { pages: await s3.pages({ Delimiter: "/", MaxKeys: 1 }) };
    },
    expected: { pages: [["a/"], ["b"], ["c/"]] },
  },
  {
    name: "a prefix is text, not a directory",
    run: async (s3) => {
      await storeAll(s3, ["bus/1", "bush", "bus"]);
      const [text, directory] = [await s3.list({ Prefix: "bus" }), await s3.list({ Prefix: "bus/" })];
      return { text: text["keys"], directory: directory["keys"] };
    },
    expected: { text: ["bus", "bus/1", "bush"], directory: ["bus/1"] },
  },
  {
    name: "a prefix and a delimiter show one level",
    run: async (s3) => {
      await storeAll(s3, ["m/a", "m/b/c", "m/b/d/e", "n"]);
      const { keys, prefixes } = await s3.list({ Prefix: "m/", Delimiter: "/" });
      return { keys, prefixes };
    },
    expected: { keys: ["m/a"], prefixes: ["m/b/"] },
  },
  {
    name: "StartAfter is not included, and need not exist",
    run: async (s3) => {
      await storeAll(s3, ["a", "b", "c"]);
      const [at, between] = [await s3.list({ StartAfter: "b" }), await s3.list({ StartAfter: "aa" })];
      return { at: at["keys"], between: between["keys"] };
    },
    expected: { at: ["c"], between: ["b", "c"] },
  },
  {
    name: "a made-up continuation token is an InvalidArgument",
    run: async (s3) => {
      const { status, code } = await s3.list({ ContinuationToken: "made-up" });
      return { status, code };
    },
    expected: { status: 400, code: "InvalidArgument" },
  },
  {
    name: "what was written or deleted is in the next listing at once",
    run: async (s3) => {
      const seen: unknown[] = [];
      await s3.store("a", "content");
      seen.push((await s3.list())["keys"]);
      await s3.erase("a");
      seen.push((await s3.list())["keys"]);
      return { seen };
    },
    expected: { seen: [["a"], []] },
  },
];
