import assert from "node:assert/strict";
import type { CopyOptions, CopyResult, WriteCondition } from "../../core/object-store.ts";
import { concurrently, contractCase, tally, type Sandbox, type StoreContractCase } from "./case.ts";

function copy(
  sandbox: Sandbox,
  names: readonly [source: string, target: string],
  condition: WriteCondition,
  options: Partial<CopyOptions> = {},
): Promise<CopyResult> {
  const [source, target] = names;
  return sandbox.store.copy(sandbox.key(source), sandbox.key(target), {
    metadata: () => ({}),
    maximumBytes: 1000,
    ...options,
    condition,
  });
}

export const copyCases: readonly StoreContractCase[] = [
  contractCase("copies body and content type, with metadata made from the source's head", async (sandbox) => {
    await sandbox.create("source.md", "content", { metadata: { id: "one" }, contentType: "text/markdown" });
    const head = await sandbox.store.head(sandbox.key("source.md"), {});
    assert(head.outcome === "found");
    const { outcome: _, ...source } = head;
    const result = await copy(
      sandbox,
      ["source.md", "target.md"],
      { kind: "absent" },
      {
        metadata: (read) => ({ id: "two", from: `${read.metadata["id"]}:${read.size}` }),
      },
    );
    const target = await sandbox.get("target.md");
    assert(result.outcome === "written" && target.outcome === "found");
    assert.equal(new TextDecoder().decode(target.body), "content");
    assert.equal(target.contentType, "text/markdown");
    assert.deepEqual(target.metadata, { id: "two", from: "one:7" });
    assert.equal(target.version, result.version);
    assert.deepEqual(result.source, source);
    assert.deepEqual(await sandbox.store.head(sandbox.key("source.md"), {}), head);
  }),

  contractCase("answers source_missing to a copy of nothing, and writes nothing", async (sandbox) => {
    const result = await copy(sandbox, ["missing.md", "target.md"], { kind: "absent" });
    assert.deepEqual(result, { outcome: "source_missing" });
    assert.deepEqual(await sandbox.names(), []);
  }),

  contractCase("does not copy a source over maximumBytes, and answers its head", async (sandbox) => {
    await sandbox.create("source.md", "12345");
    const result = await copy(sandbox, ["source.md", "target.md"], { kind: "absent" }, { maximumBytes: 4 });
    assert(result.outcome === "source_too_large");
    assert.equal(result.source.size, 5);
    assert.deepEqual(await sandbox.names(), ["source.md"]);
  }),

  contractCase("does not copy over what is there with absent", async (sandbox) => {
    await sandbox.create("source.md", "source");
    await sandbox.create("target.md", "target");
    const result = await copy(sandbox, ["source.md", "target.md"], { kind: "absent" });
    assert(result.outcome === "exists");
    assert.equal(result.source.size, 6);
    assert.equal(await sandbox.text("target.md"), "target");
  }),

  contractCase("copies with unchanged over that version of the target alone", async (sandbox) => {
    await sandbox.create("source.md", "source");
    const first = await sandbox.create("target.md", "target");
    const condition = { kind: "unchanged", version: first } as const;
    assert.equal((await copy(sandbox, ["source.md", "target.md"], condition)).outcome, "written");
    assert.equal(await sandbox.text("target.md"), "source");

    await sandbox.create("other.md", "other");
    assert.equal((await copy(sandbox, ["other.md", "target.md"], condition)).outcome, "changed");
    const { outcome } = await copy(sandbox, ["other.md", "gone.md"], condition);
    assert(outcome === "missing" || outcome === "changed");
    assert.equal(await sandbox.text("target.md"), "source");
    assert.equal(await sandbox.text("gone.md"), undefined);
  }),

  contractCase("copies an empty object", async (sandbox) => {
    await sandbox.create("source.md", "");
    assert.equal((await copy(sandbox, ["source.md", "target.md"], { kind: "absent" })).outcome, "written");
    assert.equal(await sandbox.text("target.md"), "");
  }),

  contractCase("lets exactly one of many concurrent copies to one key win", async (sandbox) => {
    await concurrently(16, (index) => sandbox.create(`source-${index}`, `from ${index}`));
    const results = await concurrently(16, (index) =>
      copy(sandbox, [`source-${index}`, "target.md"], { kind: "absent" }),
    );
    assert.equal(tally(results)["written"], 1);
    const winner = results.findIndex(({ outcome }) => outcome === "written");
    assert.equal(await sandbox.text("target.md"), `from ${winner}`);
  }),
];
