import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { eachSettled } from "../../src/core/each-settled.ts";
import { MemoryError } from "../../src/errors.ts";

/** Tasks that are told when to end, and the numbers that were taken for them. */
function heldTasks() {
  const started: number[] = [];
  const open = new Map<number, PromiseWithResolvers<void>>();
  return {
    started,
    task: async (item: number): Promise<number> => {
      started.push(item);
      const held = Promise.withResolvers<void>();
      open.set(item, held);
      await held.promise;
      return item;
    },
    end: async (item: number): Promise<void> => {
      open.get(item)?.resolve();
      await setImmediate();
    },
    fail: async (item: number, failure: Error): Promise<void> => {
      open.get(item)?.reject(failure);
      await setImmediate();
    },
  };
}

/** Numbers from 1 on, and how many of them were taken. */
function numbers(count: number) {
  const state = { taken: 0 };
  function* generate(): Generator<number> {
    while (state.taken < count) yield (state.taken += 1);
  }
  return { state, items: generate() };
}

async function* onePage(): AsyncGenerator<number> {
  yield 1;
  throw new Error("no second page");
}

/** What is thrown where each of some tasks fails, one after the other. */
async function failWith(failures: readonly Error[]): Promise<unknown> {
  const { task, fail } = heldTasks();
  const done = eachSettled(failures.keys(), task).catch((error: unknown) => error);
  await setImmediate();
  for (const [item, failure] of failures.entries()) await fail(item, failure);
  return done;
}

const unknown = new MemoryError("outcome_unknown", "unknown");

describe("bounded concurrency", () => {
  it("answers what each task answers, and nothing for no items", async () => {
    expect(await eachSettled([], async () => 1)).toEqual([]);
    expect(new Set(await eachSettled([1, 2, 3], async (item) => item * 2))).toEqual(new Set([2, 4, 6]));
  });

  it("takes no item before there is room for it", async () => {
    const { state, items } = numbers(100);
    const { started, task, end } = heldTasks();
    const done = eachSettled(items, task, 3);
    await setImmediate();
    expect(started).toEqual([1, 2, 3]);
    expect(state.taken).toBe(3);
    await end(2);
    expect(started).toEqual([1, 2, 3, 4]);
    expect(state.taken).toBe(4);
    for (let item = 1; item <= 100; item += 1) await end(item);
    expect(await done).toHaveLength(100);
  });

  it("fetches the next item while tasks run", async () => {
    const { started, task, end } = heldTasks();
    const second = Promise.withResolvers<void>();
    let asked = 0;
    async function* pages(): AsyncGenerator<number> {
      asked = 1;
      yield 1;
      asked = 2;
      await second.promise;
      yield 2;
    }
    const done = eachSettled(pages(), task, 2);
    await setImmediate();
    expect({ asked, started }).toEqual({ asked: 2, started: [1] });
    second.resolve();
    await setImmediate();
    expect(started).toEqual([1, 2]);
    await end(1);
    await end(2);
    expect(await done).toEqual([1, 2]);
  });

  it("starts nothing after a failure, and throws it once everything under way has settled", async () => {
    const { state, items } = numbers(100);
    const { started, task, end, fail } = heldTasks();
    let thrown: unknown;
    const done = eachSettled(items, task, 3).catch((error: unknown) => void (thrown = error));
    await setImmediate();
    await fail(2, new Error("second"));
    await end(1);
    expect({ started, taken: state.taken, thrown }).toEqual({ started: [1, 2, 3], taken: 3, thrown: undefined });
    await end(3);
    await done;
    expect(thrown).toEqual(new Error("second"));
  });

  it("waits for its tasks where the items themselves fail", async () => {
    const { task, end } = heldTasks();
    let thrown: unknown;
    const done = eachSettled(onePage(), task).catch((error: unknown) => void (thrown = error));
    await setImmediate();
    expect(thrown).toBeUndefined();
    await end(1);
    await done;
    expect(thrown).toEqual(new Error("no second page"));
  });

  it("tells of several failures the one that leaves an outcome unknown, else the first", async () => {
    expect(await failWith([new Error("first"), unknown])).toBe(unknown);
    expect(await failWith([new Error("first"), new Error("second")])).toEqual(new Error("first"));
  });
});
