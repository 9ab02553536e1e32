import assert from "node:assert/strict";
import { concurrently, contractCase, tally, type StoreContractCase } from "./case.ts";

export const deleteCases: readonly StoreContractCase[] = [
  contractCase("deletes with exists what is there, and answers missing for what is not", async (sandbox) => {
    await sandbox.create("once.md", "text");
    const key = sandbox.key("once.md");
    const condition = { kind: "exists" } as const;
    assert.deepEqual(await sandbox.store.delete(key, { condition }), { outcome: "deleted" });
    assert.deepEqual(await sandbox.get("once.md"), { outcome: "missing" });
    assert.deepEqual(await sandbox.store.delete(key, { condition }), { outcome: "missing" });
  }),

  contractCase("deletes with unchanged only that version", async (sandbox) => {
    const first = await sandbox.create("kept.md", "first");
    const second = await sandbox.put("kept.md", "second", { kind: "unchanged", version: first });
    assert(second.outcome === "written");
    const key = sandbox.key("kept.md");
    const old = { kind: "unchanged", version: first } as const;
    assert.deepEqual(await sandbox.store.delete(key, { condition: old }), { outcome: "changed" });
    assert.equal(await sandbox.text("kept.md"), "second");

    const present = { kind: "unchanged", version: second.version } as const;
    assert.deepEqual(await sandbox.store.delete(key, { condition: present }), { outcome: "deleted" });
    assert.deepEqual(await sandbox.get("kept.md"), { outcome: "missing" });
  }),

  contractCase("deletes exactly one key: not what is below it, not a near name", async (sandbox) => {
    for (const name of ["a", "a/b", "ab", "A"]) await sandbox.create(name, "text");
    await sandbox.store.delete(sandbox.key("a"), { condition: { kind: "exists" } });
    assert.deepEqual(await sandbox.names(), ["A", "a/b", "ab"]);
  }),

  contractCase("answers missing to a delete of a key that others lie below, and leaves those", async (sandbox) => {
    await sandbox.create("a/b", "text");
    const condition = { kind: "exists" } as const;
    assert.deepEqual(await sandbox.store.delete(sandbox.key("a"), { condition }), { outcome: "missing" });
    assert.equal(await sandbox.text("a/b"), "text");
  }),

  contractCase(
    "tells exactly one of many concurrent deletes that it deleted",
    async (sandbox) => {
      const version = await sandbox.create("race.md", "text");
      const condition = { kind: "unchanged", version } as const;
      const results = await concurrently(16, () => sandbox.store.delete(sandbox.key("race.md"), { condition }));
      assert.equal(tally(results)["deleted"], 1);
      // `changed` from a store that does not tell it from `missing`.
      assert(results.every(({ outcome }) => ["deleted", "missing", "changed", "undecided"].includes(outcome)));
    },
    "atomicDelete",
  ),

  contractCase("deletes many, and answers one result a key in the order given", async (sandbox) => {
    const versions: Record<string, string> = {};
    for (const name of ["ok-1", "changed", "ok-2"]) versions[name] = await sandbox.create(name, name);
    await sandbox.put("changed", "changed meanwhile", { kind: "unchanged", version: versions["changed"] ?? "" });
    const objects = ["changed", "ok-2", "missing", "ok-1"].map((name) => ({
      key: sandbox.key(name),
      version: versions[name] ?? '"0123456789abcdef0123456789abcdef"',
    }));
    const results = await sandbox.store.deleteMany(objects, {});
    assert.deepEqual(
      results.map(({ outcome }) => outcome),
      ["changed", "deleted", "missing", "deleted"],
    );
    assert.deepEqual(await sandbox.names(), ["changed"]);
    assert.equal(await sandbox.text("changed"), "changed meanwhile");
  }),

  contractCase("deletes none of none", async (sandbox) => {
    assert.deepEqual(await sandbox.store.deleteMany([], {}), []);
  }),
];
