import { setImmediate } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { createFileCache, type FileCache } from "../../src/core/file-cache.ts";
import type { MemoryPath } from "../../src/core/memory-path.ts";
import { createShownFiles } from "../../src/core/shown-files.ts";

const mebibyte = 1024 * 1024;
const budget = 8 * mebibyte;
const fileOf = (bytes: number) => ({ version: "1", metadata: {}, at: 0, writes: 0, body: new Uint8Array(bytes) });
const kept = (cache: FileCache, count: number): readonly boolean[] =>
  Array.from({ length: count }, (_, index) => cache.peek(`${index}`) !== undefined);

function collectGarbage(): void {
  setFlagsFromString("--expose-gc");
  (runInNewContext("gc") as () => void)();
}

describe("the cache", () => {
  it("holds no bytes but those that it counts", async () => {
    const cache = createFileCache(budget);
    const bodies: WeakRef<Uint8Array>[] = [];
    for (let time = 0; time < 4_000; time++) {
      const file = fileOf(10_000);
      bodies.push(new WeakRef(file.body));
      cache.set(`${time % 50}`, file);
    }
    for (let index = 0; index < 50; index++) cache.delete(`${index}`);
    await setImmediate(); // until then a WeakRef itself holds what it refers to
    collectGarbage();
    expect(bodies.filter((body) => body.deref() !== undefined).length).toBeLessThan(10);
  });

  it("keeps as many bytes as its budget: the file used longest ago goes first", () => {
    const cache = createFileCache(budget);
    for (let index = 0; index < 8; index++) cache.set(`${index}`, fileOf(mebibyte));
    cache.get("0");
    cache.set("8", fileOf(1));
    expect(kept(cache, 9)).toEqual([true, false, true, true, true, true, true, true, true]);
  });

  it("counts what a file has now, and nothing of what was dropped", () => {
    const cache = createFileCache(budget);
    for (let time = 0; time < 20; time++) cache.set("0", fileOf(mebibyte));
    for (let index = 1; index < 8; index++) cache.set(`${index}`, fileOf(mebibyte));
    expect(kept(cache, 8)).not.toContain(false);
    for (let index = 1; index < 8; index++) cache.delete(`${index}`);
    for (let index = 1; index < 8; index++) cache.set(`${index}`, fileOf(mebibyte));
    expect(kept(cache, 8)).not.toContain(false);
    cache.set("8", fileOf(mebibyte));
    expect(kept(cache, 9)).toEqual([false, ...Array.from({ length: 8 }, () => true)]);
  });

  it("counts the same bytes once, until the last who has them is gone", () => {
    const cache = createFileCache(budget);
    const body = new Uint8Array(mebibyte);
    for (let index = 0; index < 20; index++)
      cache.set(`${index}`, { version: "1", metadata: {}, at: 0, writes: 0, body });
    for (let index = 20; index < 27; index++) cache.set(`${index}`, fileOf(mebibyte));
    expect(kept(cache, 27)).not.toContain(false);
    for (let index = 0; index < 19; index++) cache.delete(`${index}`);
    cache.set("27", fileOf(mebibyte));
    expect(kept(cache, 28).slice(19)).toEqual([false, ...Array.from({ length: 8 }, () => true)]);
  });

  it("keeps no file that takes more than an eighth of the budget, nor what it knew of it before", () => {
    const cache = createFileCache(budget);
    cache.set("0", fileOf(mebibyte));
    cache.set("1", fileOf(1));
    cache.set("0", fileOf(mebibyte + 1));
    expect(kept(cache, 2)).toEqual([false, true]);
  });

  it("keeps the version alone of so large a file that was shown", () => {
    const cache = createFileCache(budget);
    const large = { version: "1", body: new Uint8Array(mebibyte + 1) };
    const shown = createShownFiles(cache, 1);
    shown.set("/memories/a" as MemoryPath, large, 1);
    expect(shown.get("/memories/a" as MemoryPath)).toEqual({ version: "1", text: undefined });
    for (let index = 0; index < 8; index++) cache.set(`${index}`, fileOf(mebibyte));
    expect(kept(cache, 8)).not.toContain(false);
  });

  it("keeps 10,000 files at most, however small", () => {
    const cache = createFileCache(budget);
    for (let index = 0; index <= 10_000; index++) cache.set(`${index}`, fileOf(0));
    expect(kept(cache, 10_001).filter((isKept) => !isKept)).toHaveLength(1);
    expect(cache.peek("0")).toBeUndefined();
  });

  it("keeps nothing at all with a budget of 0", () => {
    const cache = createFileCache(0);
    cache.set("0", fileOf(0));
    cache.set("1", { version: "1", body: undefined, turn: 1 });
    expect(kept(cache, 2)).toEqual([false, false]);
  });
});

const version = (text: string) => ({ version: text, body: new TextEncoder().encode(text) });

describe("what conversations were shown", () => {
  const path = "/memories/a" as MemoryPath;
  const below = "/memories/a/b" as MemoryPath;
  const beside = "/memories/ab" as MemoryPath;

  it("shares one budget, and nothing else", () => {
    const cache = createFileCache(budget);
    const [one, other] = [createShownFiles(cache, 1), createShownFiles(cache, 11)];
    one.set(path, version("one"), 1);
    other.set(path, version("other"), 1);
    expect([one.get(path)?.text, other.get(path)?.text]).toEqual(["one", "other"]);
    other.forgetAll(path);
    expect([one.get(path)?.text, other.get(path)]).toEqual(["one", undefined]);
    for (let index = 0; index < 9; index++) cache.set(`${index}`, fileOf(mebibyte));
    expect(one.get(path)).toBeUndefined();
  });

  it("forgets a path with everything below it, and not its neighbours", () => {
    const shown = createShownFiles(createFileCache(budget), 1);
    for (const each of [path, below, beside]) shown.set(each, version(each), 1);
    shown.forgetAll(path);
    expect([path, below, beside].map((each) => shown.get(each)?.text)).toEqual([undefined, undefined, beside]);
  });
});
