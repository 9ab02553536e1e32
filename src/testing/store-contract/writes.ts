import assert from "node:assert/strict";
import { concurrently, contractCase, encode, tally, type StoreContractCase } from "./case.ts";

/** Names that servers and SDKs have got wrong. */
const awkwardNames = [
  "plus+and space.md",
  "percent%20literal 100%.md",
  "Ö umlaut.md",
  "O\u0308 decomposed.md",
  "emoji 🦊 👩‍👩‍👧.md",
  `quotes "double" 'single'.md`,
  "markup &<>&amp;.md",
  "question?hash#semi;colon:at@equals=,comma.md",
  "(round) [square] {curly} ~tilde!star*$dollar.md",
  "世界/深い/ファイル.md",
];

const writers = 16;

export const writeCases: readonly StoreContractCase[] = [
  contractCase("reads a body, its metadata and its content type back exactly as they were put", async (sandbox) => {
    const body = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 31) % 256);
    const metadata = { "write-ids": "abc,def", actor: "caf%C3%A9", note: "a=b; c" };
    const put = await sandbox.store.put(sandbox.key("bytes"), body, {
      condition: { kind: "absent" },
      metadata,
      contentType: "application/x-something; charset=utf-8",
    });
    const found = await sandbox.get("bytes");
    assert(put.outcome === "written" && found.outcome === "found");
    assert.deepEqual(Buffer.from(found.body), Buffer.from(body));
    assert.deepEqual(found.metadata, metadata);
    assert.equal(found.contentType, "application/x-something; charset=utf-8");
    assert.equal(found.size, body.byteLength);
    assert(Math.abs(found.modified.getTime() - Date.now()) < 3_600_000, "modified is the time of the write");
  }),

  contractCase("keeps text verbatim: line ends, a byte order mark, U+2028", async (sandbox) => {
    const text = "\uFEFFone\r\ntwo\rthree\u2028four\u0085five\n\n no final newline \t";
    await sandbox.create("verbatim.md", text);
    const found = await sandbox.get("verbatim.md");
    assert(found.outcome === "found");
    assert.deepEqual(Buffer.from(found.body), Buffer.from(encode(text)));
  }),

  contractCase("reads an empty body back as an empty body", async (sandbox) => {
    await sandbox.create("empty.md", "");
    const found = await sandbox.get("empty.md");
    assert(found.outcome === "found");
    assert.equal(found.size, 0);
    assert.equal(found.body.byteLength, 0);
  }),

  contractCase("takes up to 2 KB of metadata", async (sandbox) => {
    const metadata = { long: "x".repeat(1900) };
    await sandbox.create("annotated.md", "text", { metadata });
    const found = await sandbox.get("annotated.md");
    assert(found.outcome === "found");
    assert.deepEqual(found.metadata, metadata);
  }),

  contractCase("keeps a key of 1,024 bytes", async (sandbox) => {
    const name = `${"k".repeat(199)}/`.repeat(5).slice(0, 1024 - sandbox.prefix.length);
    await sandbox.create(name, "long");
    assert.equal(await sandbox.text(name), "long");
    assert.deepEqual(await sandbox.names(), [name]);
  }),

  contractCase(
    "keeps a key that is one long name",
    async (sandbox) => {
      const name = "k".repeat(1024 - sandbox.prefix.length);
      await sandbox.create(name, "long");
      assert.equal(await sandbox.text(name), "long");
      assert.deepEqual(await sandbox.names(), [name]);
    },
    "longNames",
  ),

  contractCase(
    "writes a key that others lie below, and keeps them apart",
    async (sandbox) => {
      for (const name of ["bus/a", "bus"]) await sandbox.create(name, `I am ${name}`);
      for (const name of ["bus/a", "bus"]) assert.equal(await sandbox.text(name), `I am ${name}`);
      assert.deepEqual(await sandbox.names(), ["bus", "bus/a"]);
      const { objects } = await sandbox.store.list({ prefix: sandbox.key("bus/") });
      assert.deepEqual(
        objects.map(({ key }) => key),
        [sandbox.key("bus/a")],
      );
    },
    "fileBesideDirectory",
  ),

  contractCase("keeps keys apart byte by byte: case, Unicode forms, a beside a/b, near names", async (sandbox) => {
    const names = ["a", "a/b", "A", "a ", "ab", "\u00e9", "e\u0301", "a/B"];
    for (const name of names) await sandbox.create(name, `I am ${JSON.stringify(name)}`);
    for (const name of names) assert.equal(await sandbox.text(name), `I am ${JSON.stringify(name)}`);
    assert.deepEqual((await sandbox.names()).toSorted(), names.toSorted());
  }),

  contractCase(
    "reads, lists, copies and deletes keys with awkward characters under exactly their name",
    async (sandbox) => {
      for (const name of awkwardNames) await sandbox.create(name, name);
      for (const name of awkwardNames) assert.equal(await sandbox.text(name), name);
      assert.deepEqual((await sandbox.names()).toSorted(), awkwardNames.toSorted());

      for (const name of awkwardNames) {
        const copied = await sandbox.store.copy(sandbox.key(name), sandbox.key(`copy/${name}`), {
          condition: { kind: "absent" },
          metadata: () => ({}),
          maximumBytes: 1000,
        });
        assert.equal(copied.outcome, "written");
        assert.equal(await sandbox.text(`copy/${name}`), name);
        const deleted = await sandbox.store.delete(sandbox.key(name), { condition: { kind: "exists" } });
        assert.equal(deleted.outcome, "deleted");
      }
      const { objects } = await sandbox.store.list({ prefix: sandbox.prefix });
      assert.deepEqual(tally(await sandbox.store.deleteMany(objects, {})), { deleted: awkwardNames.length });
      assert.deepEqual(await sandbox.names(), []);
    },
  ),

  contractCase("writes with absent where nothing is, and answers exists where something is", async (sandbox) => {
    await sandbox.create("once.md", "first");
    assert.deepEqual(await sandbox.put("once.md", "second", { kind: "absent" }), { outcome: "exists" });
    assert.equal(await sandbox.text("once.md"), "first");
  }),

  contractCase("writes with absent again after a delete", async (sandbox) => {
    await sandbox.create("again.md", "first");
    await sandbox.store.delete(sandbox.key("again.md"), { condition: { kind: "exists" } });
    assert.equal((await sandbox.put("again.md", "second", { kind: "absent" })).outcome, "written");
    assert.equal(await sandbox.text("again.md"), "second");
  }),

  contractCase("writes with unchanged over that version, and answers changed over another", async (sandbox) => {
    const first = await sandbox.create("edited.md", "first");
    assert.equal((await sandbox.put("edited.md", "second", { kind: "unchanged", version: first })).outcome, "written");
    const late = await sandbox.put("edited.md", "late", { kind: "unchanged", version: first });
    assert.deepEqual(late, { outcome: "changed" });
    assert.equal(await sandbox.text("edited.md"), "second");
  }),

  contractCase("writes nothing with unchanged on a missing key", async (sandbox) => {
    const version = await sandbox.create("gone.md", "text");
    await sandbox.store.delete(sandbox.key("gone.md"), { condition: { kind: "exists" } });
    const { outcome } = await sandbox.put("gone.md", "text", { kind: "unchanged", version });
    assert(outcome === "missing" || outcome === "changed");
    assert.deepEqual(await sandbox.get("gone.md"), { outcome: "missing" });
  }),

  contractCase(
    "answers missing, not changed, to a put, a copy and a delete with unchanged on a missing key",
    async (sandbox) => {
      const version = await sandbox.create("source.md", "text");
      const condition = { kind: "unchanged", version } as const;
      const gone = sandbox.key("gone.md");
      assert.deepEqual(await sandbox.put("gone.md", "text", condition), { outcome: "missing" });
      assert.deepEqual(await sandbox.store.delete(gone, { condition }), { outcome: "missing" });
      const copied = await sandbox.store.copy(sandbox.key("source.md"), gone, {
        condition,
        metadata: () => ({}),
        maximumBytes: 1000,
      });
      assert.equal(copied.outcome, "missing");
      assert.deepEqual(await sandbox.names(), ["source.md"]);
    },
    "tellsMissing",
  ),

  contractCase("lets exactly one of many concurrent creators win", async (sandbox) => {
    const results = await concurrently(writers, (index) => sandbox.put("race.md", `by ${index}`, { kind: "absent" }));
    assert.equal(tally(results)["written"], 1);
    const winner = results.findIndex(({ outcome }) => outcome === "written");
    assert.equal(await sandbox.text("race.md"), `by ${winner}`);
    assert(results.every(({ outcome }) => ["written", "exists", "undecided"].includes(outcome)));
  }),

  contractCase("lets exactly one of many concurrent editors of one version win", async (sandbox) => {
    const version = await sandbox.create("race.md", "start");
    const condition = { kind: "unchanged", version } as const;
    const results = await concurrently(writers, (index) => sandbox.put("race.md", `by ${index}`, condition));
    assert.equal(tally(results)["written"], 1);
    const winner = results.findIndex(({ outcome }) => outcome === "written");
    assert.equal(await sandbox.text("race.md"), `by ${winner}`);
    assert(results.every(({ outcome }) => ["written", "changed", "undecided"].includes(outcome)));
  }),
];
