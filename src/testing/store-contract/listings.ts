import assert from "node:assert/strict";
import pLimit from "p-limit";
import { contractCase, encode, tally, type Sandbox, type StoreContractCase } from "./case.ts";

/** By the bytes of UTF-8, as S3 sorts. */
function inByteOrder(names: readonly string[]): readonly string[] {
  return names.toSorted((left, right) => Buffer.compare(encode(left), encode(right)));
}

async function createAll(sandbox: Sandbox, names: readonly string[]): Promise<void> {
  await pLimit(16).map(names, (name) => sandbox.create(name, name));
}

const mixedOrder = ["b", "Z", "\uFF5E wide tilde", "🦊 fox", "a/b", "a-b", "a.b", "é", "ab", "10", "9"];

export const listingCases: readonly StoreContractCase[] = [
  contractCase("lists nothing where nothing is", async (sandbox) => {
    assert.deepEqual(await sandbox.store.list({ prefix: sandbox.prefix }), { objects: [], prefixes: [] });
  }),

  contractCase("lists size, version and time of each object", async (sandbox) => {
    await sandbox.create("listed.md", "twelve bytes");
    const head = await sandbox.store.head(sandbox.key("listed.md"), {});
    assert(head.outcome === "found");
    const [listed, ...others] = (await sandbox.store.list({ prefix: sandbox.prefix })).objects;
    assert(listed !== undefined && others.length === 0);
    assert.deepEqual([listed.key, listed.size, listed.version], [sandbox.key("listed.md"), 12, head.version]);
    assert(Math.abs(listed.modified.getTime() - head.modified.getTime()) < 1000);
  }),

  contractCase(
    "lists keys in the order of their UTF-8 bytes",
    async (sandbox) => {
      await createAll(sandbox, mixedOrder);
      assert.deepEqual(await sandbox.names(), inByteOrder(mixedOrder));
    },
    "byteOrder",
  ),

  contractCase(
    "lists every key on exactly one page, whatever the size of the pages",
    async (sandbox) => {
      await createAll(sandbox, mixedOrder);
      for (const pageSize of [1, 2, 5, mixedOrder.length]) {
        assert.deepEqual(inByteOrder(await sandbox.names(pageSize)), inByteOrder(mixedOrder));
      }
    },
    "pageEndsAnywhere",
  ),

  contractCase("answers pages no longer than asked, and a next only where more comes", async (sandbox) => {
    const names = ["1", "2", "3", "4", "5"];
    await createAll(sandbox, names);
    const pages: (readonly string[])[] = [];
    for await (const page of sandbox.pages(2)) pages.push(page);
    assert.deepEqual(pages.flat(), names);
    assert(pages.every((page) => page.length <= 2));
    const whole = await sandbox.store.list({ prefix: sandbox.prefix, pageSize: 5 });
    assert.equal(whole.next, undefined);
  }),

  contractCase("lists more than 1,000 keys, and deletes 1,000 in one batch", async (sandbox) => {
    const names = Array.from({ length: 1005 }, (_, index) => `n${String(index).padStart(4, "0")}`);
    await createAll(sandbox, names);
    const first = await sandbox.store.list({ prefix: sandbox.prefix });
    assert(first.objects.length <= 1000 && first.next !== undefined);
    assert.deepEqual(await sandbox.names(), names);

    const results = await sandbox.store.deleteMany(first.objects, {});
    assert.deepEqual(tally(results), { deleted: first.objects.length });
    assert.deepEqual(await sandbox.names(), names.slice(first.objects.length));
  }),

  contractCase("lists only below the prefix: bus is not bush", async (sandbox) => {
    await createAll(sandbox, ["bus/a", "bush", "bu"]);
    const { objects } = await sandbox.store.list({ prefix: sandbox.key("bus/") });
    assert.deepEqual(
      objects.map(({ key }) => key),
      [sandbox.key("bus/a")],
    );
  }),

  contractCase("takes a prefix with awkward characters literally", async (sandbox) => {
    const prefix = `d+ö %20"&/`;
    await createAll(sandbox, [`${prefix}a`, "d ö/a"]);
    const { objects } = await sandbox.store.list({ prefix: sandbox.key(prefix) });
    assert.deepEqual(
      objects.map(({ key }) => key),
      [sandbox.key(`${prefix}a`)],
    );
  }),

  contractCase("answers keys below a delimiter once, as a prefix", async (sandbox) => {
    await createAll(sandbox, ["a.md", "a/1", "a/2", "b c+/1", "c/", "d"]);
    const page = await sandbox.store.list({ prefix: sandbox.prefix, delimiter: "/" });
    assert.deepEqual(
      page.objects.map(({ key }) => key),
      [sandbox.key("a.md"), sandbox.key("d")],
    );
    assert.deepEqual(page.prefixes, [sandbox.key("a/"), sandbox.key("b c+/"), sandbox.key("c/")]);
    assert.equal(page.next, undefined);
  }),

  contractCase("counts prefixes towards the page, and goes on after them", async (sandbox) => {
    await createAll(sandbox, ["a/1", "a/2", "a/3", "b", "c/1", "c/2", "d", "e/1"]);
    const entries: string[] = [];
    for await (const page of sandbox.listPages({ delimiter: "/", pageSize: 2 })) {
      const onPage = [...page.objects.map(({ key }) => key), ...page.prefixes];
      assert(onPage.length <= 2);
      entries.push(...onPage.toSorted());
    }
    assert.deepEqual(
      entries,
      ["a/", "b", "c/", "d", "e/"].map((name) => sandbox.key(name)),
    );
  }),

  contractCase("starts after a key, whether or not it exists", async (sandbox) => {
    await createAll(sandbox, ["a", "b b+", "c"]);
    const after = async (name: string): Promise<readonly string[]> => {
      const { objects } = await sandbox.store.list({ prefix: sandbox.prefix, startAfter: sandbox.key(name) });
      return objects.map(({ key }) => key.slice(sandbox.prefix.length));
    };
    assert.deepEqual(await after("a"), ["b b+", "c"]);
    assert.deepEqual(await after("b b+"), ["c"]);
    assert.deepEqual(await after("bb"), ["c"]);
    assert.deepEqual(await after("c"), []);
  }),

  contractCase("lists a write at once", async (sandbox) => {
    await createAll(sandbox, ["a"]);
    const version = await sandbox.create("b", "one");
    assert.deepEqual(await sandbox.names(), ["a", "b"]);
    const put = await sandbox.put("b", "two, longer", { kind: "unchanged", version });
    const [, listed] = (await sandbox.store.list({ prefix: sandbox.prefix })).objects;
    assert(put.outcome === "written" && listed !== undefined);
    assert.deepEqual([listed.version, listed.size], [put.version, 11]);
  }),
];
