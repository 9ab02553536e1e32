import { describe, expect, it } from "vitest";
import type { PutOptions } from "../../src/core/object-store.ts";
import { inMemoryStore } from "../../src/stores/in-memory-store.ts";
import { compareUtf8 } from "../../src/core/utf8-order.ts";

const absent: PutOptions = { condition: { kind: "absent" }, metadata: {}, contentType: "text/plain" };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("The in-memory store", () => {
  it("shows what it holds, and takes what another tool writes", async () => {
    const store = inMemoryStore({ now: () => 1_700_000_000_999 });
    store.plant("b", "planted", { metadata: { Actor: "tool" } });
    await store.put("a", bytes("put"), absent);
    expect(store.keys()).toEqual(["a", "b"]);
    expect(store.peek("b")).toMatchObject({ size: 7, metadata: { actor: "tool" }, contentType: "binary/octet-stream" });
    expect(store.peek("b")?.modified).toEqual(new Date(1_700_000_000_000));
    expect(store.peek("missing")).toBeUndefined();
  });

  it("is as blind to A → B → A as S3 is: versions come from the content", () => {
    const store = inMemoryStore();
    const first = store.plant("k", "A").version;
    const second = store.plant("k", "B").version;
    expect(second).not.toBe(first);
    expect(store.plant("k", "A", { metadata: { id: "other" } }).version).toBe(first);
    expect(store.plant("other", "A").version).toBe(first);
  });

  it("has different versions for contents that differ little", () => {
    const store = inMemoryStore();
    const contents = ["", "\0", "\0\0", "a", "b", "ab", "ba", "aa", "a\n", "a\r\n", "\u00e9", "e\u0301"];
    for (let index = 0; index < 2000; index += 1) contents.push(`count: ${index}`, "x".repeat(index + 3));
    const versions = new Set(contents.map((content) => store.plant("k", content).version));
    expect(versions.size).toBe(new Set(contents).size);
  });

  it("keeps no hold of the caller's bytes, and gives none of its own away", async () => {
    const store = inMemoryStore();
    const body = bytes("text");
    await store.put("k", body, absent);
    body.fill(0);
    const found = await store.get("k", { maximumBytes: 10 });
    if (found.outcome === "found") found.body.fill(0);
    expect(store.peek("k")?.body).toEqual(bytes("text"));
  });

  it("takes effect after a turn, so that calls made at once interleave", async () => {
    const store = inMemoryStore();
    const put = store.put("k", bytes("text"), absent);
    expect(store.keys()).toEqual([]);
    await put;
    expect(store.keys()).toEqual(["k"]);
  });

  it.each([
    ["a key over 1,024 bytes", "ö".repeat(513), {}, "KeyTooLongError"],
    ["metadata over 2 KB", "k", { long: "x".repeat(2050) }, "MetadataTooLarge"],
    ["metadata that is not ASCII", "k", { name: "é" }, "InvalidArgument"],
  ])("refuses %s as S3 does", async (_name, key, metadata, reason) => {
    const put = inMemoryStore().put(key, bytes("text"), { ...absent, metadata });
    await expect(put).rejects.toMatchObject({ code: "storage", details: { status: 400, reason, effect: "none" } });
  });

  it("refuses a batch of more than 1,000 keys as S3 does", async () => {
    const batch = Array.from({ length: 1001 }, (_, index) => ({ key: `k${index}`, version: '"v"' }));
    const refused = inMemoryStore().deleteMany(batch, {});
    await expect(refused).rejects.toMatchObject({ code: "storage", details: { reason: "MalformedXML" } });
  });
});

describe("The order of keys", () => {
  it("is that of their UTF-8 bytes, an emoji after U+FFFD", () => {
    const keys = [
      "",
      "a",
      "ab",
      "b",
      "é",
      "e\u0301",
      "\u07ff",
      "\u0800",
      "\ud7ff",
      "\ue000",
      "\ufffd",
      "🦊",
      "🦊a",
      "\u{10ffff}",
    ];
    const byBytes = keys.toSorted((left, right) => Buffer.compare(bytes(left), bytes(right)));
    expect(keys.toSorted(compareUtf8)).toEqual(byBytes);
    expect(keys.toReversed().toSorted(compareUtf8)).toEqual(byBytes);
  });
});
