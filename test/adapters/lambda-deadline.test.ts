import type { Context } from "aws-lambda";
import { afterEach, describe, expect, it, vi } from "vitest";
import { beforeDeadline, memoryHandler } from "../../src/adapters/lambda.ts";
import { createMemory, MemoryError, type Memory } from "../../src/index.ts";
import { inMemoryStore } from "../../src/stores/in-memory-store.ts";
import { contextWith, postEvent } from "./lambda-events.ts";

const path = "/memories/notes.md";
const use = (id: string, input: unknown): object => ({ type: "tool_use", id, name: "memory", input });

/** A store whose reads of one file never end, unless they are told to. */
function stuckMemory(): Memory {
  const store = inMemoryStore();
  return createMemory({
    store: {
      ...store,
      get: (key, options) =>
        key.endsWith("stuck.md")
          ? new Promise((_, reject) => {
              options?.signal?.addEventListener("abort", () => reject(new MemoryError("aborted", "told to end")));
            })
          : store.get(key, options),
    },
  });
}

afterEach(() => {
  vi.useRealTimers();
});

describe("memoryHandler before its deadline", () => {
  it("tells what is in flight to end, and answers all calls in a 200", async () => {
    const memory = stuckMemory();
    await memory.warm(); // what a first command loads takes real time
    vi.useFakeTimers();
    const handler = memoryHandler({ memory, scope: () => ({ user: "dana" }) });
    const calls = [
      use("toolu_1", { command: "create", path, file_text: "one\n" }),
      use("toolu_2", { command: "view", path: "/memories/stuck.md" }),
    ];
    const answer = handler(postEvent(calls), contextWith(5_000));
    await vi.advanceTimersByTimeAsync(3_999);
    expect(vi.getTimerCount()).toBeGreaterThan(0);
    await vi.advanceTimersByTimeAsync(1);
    const { statusCode, body = "" } = await answer;
    expect(statusCode).toBe(200);
    expect(JSON.parse(body)).toEqual({
      content: [
        { type: "tool_result", tool_use_id: "toolu_1", content: `File created successfully at: ${path}` },
        {
          type: "tool_result",
          tool_use_id: "toolu_2",
          content: expect.stringMatching(/^Error: The command was stopped before its outcome was known/u),
          is_error: true,
        },
      ],
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  it("begins nothing where no time is left", async () => {
    const memory = createMemory({ store: inMemoryStore() });
    const handler = memoryHandler({ memory, scope: () => ({ user: "dana" }), marginMilliseconds: 2_000 });
    const event = postEvent(use("toolu_1", { command: "create", path, file_text: "one\n" }));
    const { statusCode, body } = await handler(event, contextWith(2_000));
    expect(statusCode).toBe(200);
    expect(body).toContain("was stopped before");
    expect(await memory.forUser("dana").files.read(path)).toBeUndefined();
    expect((await handler(event, contextWith(60_000))).body).toContain("File created successfully");
  });

  it("leaves no timer behind", async () => {
    vi.useFakeTimers();
    const memory = createMemory({ store: inMemoryStore() });
    const handler = memoryHandler({ memory, scope: () => ({ user: "dana" }) });
    await handler(postEvent(use("toolu_1", { command: "view", path: "/memories" })), contextWith());
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("beforeDeadline", () => {
  it("aborts a second before the end, with a reason that names the time", async () => {
    vi.useFakeTimers();
    const signals: AbortSignal[] = [];
    const work = beforeDeadline(contextWith(3_000), (signal) => {
      signals.push(signal);
      return new Promise<string>((resolve) => {
        signal.addEventListener("abort", () => resolve("ended"));
      });
    });
    await vi.advanceTimersByTimeAsync(1_999);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
    await vi.advanceTimersByTimeAsync(1);
    expect(await work).toBe("ended");
    expect(signals[0]?.reason).toMatchObject({ name: "TimeoutError" });
  });

  it("never aborts work that was done in time, and rejects as the work does", async () => {
    vi.useFakeTimers();
    const signals: AbortSignal[] = [];
    const failing = beforeDeadline(contextWith(3_000), async (signal) => {
      signals.push(signal);
      throw new Error("no luck");
    });
    await expect(failing).rejects.toThrow("no luck");
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  });

  it.each([0, -5, Number.NaN])("tells at once where the time is up, and starts no timer: %d", async (remaining) => {
    vi.useFakeTimers();
    const found = await beforeDeadline(contextWith(remaining), async ({ aborted }) => ({
      aborted,
      timers: vi.getTimerCount(), // Node warns of one that is to wait for less than nothing
    }));
    expect(found).toEqual({ aborted: true, timers: 0 });
  });

  it("takes a remaining time that no timer can wait for", async () => {
    const endless = contextWith(Number.POSITIVE_INFINITY);
    const aborted = await beforeDeadline(endless, async (signal) => {
      await new Promise((resolve) => setImmediate(resolve));
      return signal.aborted;
    });
    expect(aborted).toBe(false);
  });

  it.each([
    { options: { marginMilliseconds: 0.5 }, text: "option marginMilliseconds is 0.5. Expected a whole number" },
    { options: { margin: 5 }, text: "there is no option margin. Expected one of: marginMilliseconds." },
  ])("refuses options that make no sense: $text", async ({ options, text }) => {
    const work = beforeDeadline(contextWith() satisfies Context, async () => "done", options);
    await expect(work).rejects.toThrow(TypeError);
    await expect(work).rejects.toThrow(text);
  });
});
