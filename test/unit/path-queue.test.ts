import { describe, expect, it } from "vitest";
import { parseMemoryPath } from "../../src/core/memory-path.ts";
import { createPathQueue } from "../../src/core/path-queue.ts";

const path = parseMemoryPath;
const writes = { reads: false };

function recorder() {
  const events: string[] = [];
  const gates = new Map<string, PromiseWithResolvers<void>>();
  const task = (name: string) => async (): Promise<string> => {
    events.push(`${name} starts`);
    const gate = Promise.withResolvers<void>();
    gates.set(name, gate);
    await gate.promise;
    events.push(`${name} ends`);
    return name;
  };
  const finish = async (name: string, failure?: Error): Promise<void> => {
    const gate = gates.get(name);
    if (failure) gate?.reject(failure);
    else gate?.resolve();
    await settle();
  };
  return { events, task, finish };
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

describe("the order of commands inside one process", () => {
  it.each([
    ["the same path", "/memories/a", "/memories/a"],
    ["an ancestor", "/memories/a/b", "/memories/a"],
    ["a descendant", "/memories/a", "/memories/a/b"],
    ["the root", "/memories/a", "/memories"],
  ])("makes a command wait for an earlier one on %s", async (_, first, second) => {
    const queue = createPathQueue();
    const { events, task, finish } = recorder();
    const one = queue.run([path(first)], writes, task("one"));
    const two = queue.run([path(second)], writes, task("two"));
    await settle();
    expect(events).toEqual(["one starts"]);
    await finish("one");
    expect(events).toEqual(["one starts", "one ends", "two starts"]);
    await finish("two");
    expect(await Promise.all([one, two])).toEqual(["one", "two"]);
  });

  it("runs commands on other paths in parallel, also on a sibling whose name starts the same", async () => {
    const queue = createPathQueue();
    const { events, task } = recorder();
    void queue.run([path("/memories/bus")], writes, task("one"));
    void queue.run([path("/memories/bush")], writes, task("two"));
    await settle();
    expect(events).toEqual(["one starts", "two starts"]);
  });

  it("lets reads of one path run together, and a write wait for both", async () => {
    const queue = createPathQueue();
    const { events, task, finish } = recorder();
    void queue.run([path("/memories")], { reads: true }, task("one"));
    void queue.run([path("/memories/a")], { reads: true }, task("two"));
    void queue.run([path("/memories/a")], writes, task("three"));
    await settle();
    expect(events).toEqual(["one starts", "two starts"]);
    await finish("one");
    expect(events).not.toContain("three starts");
    await finish("two");
    expect(events).toContain("three starts");
  });

  it("orders a rename by both of its paths", async () => {
    const queue = createPathQueue();
    const { events, task, finish } = recorder();
    void queue.run([path("/memories/a"), path("/memories/b")], writes, task("rename"));
    void queue.run([path("/memories/b/c")], writes, task("below the target"));
    void queue.run([path("/memories/a")], writes, task("the source"));
    await settle();
    expect(events).toEqual(["rename starts"]);
    await finish("rename");
    expect(events.slice(2)).toEqual(["below the target starts", "the source starts"]);
  });

  it("case 5: a failed command holds up nobody behind it", async () => {
    const queue = createPathQueue();
    const { events, task, finish } = recorder();
    const one = queue.run([path("/memories/a")], writes, task("one"));
    one.catch(() => undefined);
    void queue.run([path("/memories/a")], writes, task("two"));
    await settle();
    await finish("one", new Error("failed"));
    await expect(one).rejects.toThrow("failed");
    expect(events).toContain("two starts");
  });

  it("lets a waiting command go when its signal is aborted, and keeps those behind it in order", async () => {
    const queue = createPathQueue();
    const { events, task, finish } = recorder();
    const abort = new AbortController();
    void queue.run([path("/memories/a")], writes, task("one"));
    void queue.run([path("/memories/a")], { reads: false, signal: abort.signal }, task("two"));
    void queue.run([path("/memories/a")], writes, task("three"));
    abort.abort();
    await settle();
    expect(events).toEqual(["one starts", "two starts"]);
    await finish("two");
    expect(events).not.toContain("three starts");
    await finish("one");
    expect(events).toContain("three starts");
  });
});
