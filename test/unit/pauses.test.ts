import { describe, expect, it } from "vitest";
import { createRaces } from "../../src/core/races.ts";
import { storeFailure, testMemory, type TestMemory } from "../support/test-memory.ts";

const path = "/memories/a.md";
const edit = { command: "insert", path, insert_line: 0, insert_text: "x" };

interface Watched extends TestMemory {
  /** Milliseconds, in their order; the middle of what each was drawn below. */
  readonly pauses: number[];
  readonly wait: (milliseconds: number) => void;
  /** So many of the next PUTs come after somebody else's. */
  readonly loseNext: (races: number) => void;
}

/** A file on a store whose requests take so many milliseconds, by a clock that only they and pauses move. */
function watched(requestTakes = 10): Watched {
  let now = 0;
  let losses = 0;
  const pauses: number[] = [];
  const sleep = async (milliseconds: number): Promise<void> => {
    pauses.push(milliseconds);
    now += milliseconds;
  };
  const memory = testMemory({ runtime: { now: () => now, random: () => 0.5, sleep } });
  memory.plant("a.md", "text\n");
  memory.hooks.before = async ({ method }) => {
    now += requestTakes;
    if (method !== "put" || losses === 0) return;
    losses -= 1;
    memory.plant("a.md", `by others ${now}\n`);
  };
  return {
    ...memory,
    pauses,
    wait: (milliseconds) => void (now += milliseconds),
    loseNext: (races) => void (losses = races),
  };
}

describe("after a lost race", () => {
  it("the first pause is drawn below twice what the lost attempt took, each later one below four times the one before", async () => {
    const { say, pauses, loseNext } = watched();
    loseNext(3);
    await say(edit);
    expect(pauses).toEqual([20, 80, 320]);
  });

  it("a pause takes at most an eighth of the time left, so that all attempts are made in time", async () => {
    const { code, pauses, loseNext } = watched(40);
    loseNext(Infinity);
    expect(await code(edit)).toBe("conflict");
    expect(pauses).toHaveLength(19);
    expect(Math.max(...pauses)).toBeGreaterThan(800);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(15_000 / 16);
    expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThan(15_000);
  });

  it("a pause takes at most 64 times what an attempt takes: nobody sleeps while a near store is free", async () => {
    const { code, pauses, loseNext } = watched(1);
    loseNext(Infinity);
    expect(await code(edit)).toBe("conflict");
    expect(pauses.slice(0, 5)).toEqual([2, 8, 32, 64, 64]);
    expect(Math.max(...pauses)).toBe(64);
  });

  it("the next edit begins without a pause", async () => {
    const { say, pauses, loseNext } = watched();
    loseNext(1);
    await say(edit);
    pauses.length = 0;
    await say(edit);
    expect(pauses).toEqual([]);
  });
});

describe("after several lost races", () => {
  it("the next edit begins with a pause, one step shorter, and each further one with a fourth of that", async () => {
    const { say, pauses, loseNext } = watched();
    loseNext(3);
    await say(edit);
    pauses.length = 0;
    await say(edit);
    await say(edit);
    expect(pauses).toEqual([80, 20]);
  });

  it("so does the next one of another conversation of this process", async () => {
    const { say, sibling, pauses, loseNext } = watched();
    loseNext(3);
    await say(edit);
    pauses.length = 0;
    await sibling.execute(edit);
    expect(pauses).toEqual([80]);
  });

  it("five seconds later none does", async () => {
    const { say, wait, pauses, loseNext } = watched();
    loseNext(3);
    await say(edit);
    wait(5_000);
    pauses.length = 0;
    await say(edit);
    expect(pauses).toEqual([]);
  });

  it("an edit of another file does not wait", async () => {
    const { say, plant, pauses, loseNext } = watched();
    plant("b.md", "text\n");
    loseNext(3);
    await say(edit);
    pauses.length = 0;
    await say({ ...edit, path: "/memories/b.md" });
    expect(pauses).toEqual([]);
  });
});

it("the races of 1,000 files are remembered, the file used longest ago is forgotten first", () => {
  const races = createRaces();
  for (let index = 0; index <= 1_000; index += 1) races.lost(`${index}`, 100, 0);
  expect(["0", "1", "1000"].map((key) => races.firstPause(key, 0))).toEqual([0, 100, 100]);
});

it("a store that fails is given time, however fast it answers", async () => {
  const { code, hooks, pauses } = watched();
  hooks.before = ({ method }) => {
    if (method === "put") throw storeFailure("unknown", 503);
  };
  expect(await code(edit)).toBe("storage");
  expect(pauses).toEqual([100, 400, 1_000]);
});
