import assert from "node:assert/strict";
import { isMemoryError } from "../../errors.ts";
import { contractCase, type StoreContractCase } from "./case.ts";

export const readCases: readonly StoreContractCase[] = [
  contractCase("answers missing to get and head of a missing key", async (sandbox) => {
    assert.deepEqual(await sandbox.get("missing.md"), { outcome: "missing" });
    assert.deepEqual(await sandbox.store.head(sandbox.key("missing.md"), {}), { outcome: "missing" });
  }),

  contractCase("answers the same head to get and to head", async (sandbox) => {
    await sandbox.create("head.md", "twelve bytes", { metadata: { actor: "me" } });
    const found = await sandbox.get("head.md");
    assert(found.outcome === "found");
    const { body: _, ...head } = found;
    assert.deepEqual(await sandbox.store.head(sandbox.key("head.md"), {}), head);
  }),

  contractCase("answers too_large, with the head, over maximumBytes and not at it", async (sandbox) => {
    await sandbox.create("large.md", "12345", { metadata: { actor: "me" } });
    assert.equal((await sandbox.get("large.md", 5)).outcome, "found");
    const refused = await sandbox.get("large.md", 4);
    const head = await sandbox.store.head(sandbox.key("large.md"), {});
    assert(refused.outcome === "too_large" && head.outcome === "found");
    assert.deepEqual({ ...refused, outcome: "found" }, head);
    assert(!("body" in refused));
  }),

  contractCase("answers versions that compare equal from put, get, head and list", async (sandbox) => {
    const version = await sandbox.create("same.md", "text");
    const got = await sandbox.get("same.md");
    const head = await sandbox.store.head(sandbox.key("same.md"), {});
    const [listed] = (await sandbox.store.list({ prefix: sandbox.prefix })).objects;
    assert(got.outcome === "found" && head.outcome === "found" && listed !== undefined);
    assert.deepEqual([got.version, head.version, listed.version], [version, version, version]);
  }),

  contractCase("answers another version for another content", async (sandbox) => {
    const first = await sandbox.create("versions.md", "one");
    const second = await sandbox.put("versions.md", "two", { kind: "unchanged", version: first });
    assert(second.outcome === "written");
    assert.notEqual(second.version, first);
  }),

  contractCase("takes a listed version as the condition of a put and of a delete", async (sandbox) => {
    await sandbox.create("listed.md", "one");
    const [listed] = (await sandbox.store.list({ prefix: sandbox.prefix })).objects;
    assert(listed !== undefined);
    const put = await sandbox.put("listed.md", "two", { kind: "unchanged", version: listed.version });
    assert.equal(put.outcome, "written");

    const [again] = (await sandbox.store.list({ prefix: sandbox.prefix })).objects;
    assert(again !== undefined);
    const condition = { kind: "unchanged", version: again.version } as const;
    assert.deepEqual(await sandbox.store.delete(again.key, { condition }), { outcome: "deleted" });
  }),

  contractCase("throws aborted, with the effect none, for a signal that was aborted before", async (sandbox) => {
    const request = { signal: AbortSignal.abort() };
    const key = sandbox.key("aborted.md");
    const put = { ...request, condition: { kind: "absent" }, metadata: {}, contentType: "text/plain" } as const;
    const calls = [
      () => sandbox.store.get(key, { ...request, maximumBytes: 1 }),
      () => sandbox.store.head(key, request),
      () => sandbox.store.put(key, new Uint8Array(), put),
      () => sandbox.store.copy(key, `${key}2`, { ...put, metadata: () => ({}), maximumBytes: 1 }),
      () => sandbox.store.delete(key, { ...request, condition: { kind: "exists" } }),
      () => sandbox.store.deleteMany([{ key, version: '"1"' }], request),
      () => sandbox.store.list({ ...request, prefix: sandbox.prefix }),
    ];
    for (const call of calls) {
      await assert.rejects(
        call,
        (error) => isMemoryError(error) && error.code === "aborted" && error.details.effect === "none",
      );
    }
    assert.deepEqual(await sandbox.names(), []);
  }),
];
