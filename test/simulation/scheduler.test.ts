import { describe, expect, it } from "vitest";
import { createRandom } from "./random.ts";
import { Scheduler, type Order, type ScheduleStyle, type Ticket } from "./scheduler.ts";

const kinds = ["uniform", "favourite", "alternation", "priorities", "holding back", "bursts"] as const;

function schedulerOf(kind: ScheduleStyle["kind"], seed = 1, order?: Order): Scheduler {
  return new Scheduler({ kind, change: 0.2, pace: 3 }, createRandom(seed), order);
}

const ticket = (name: string, more: Partial<Ticket> = {}): Ticket => ({
  worker: 0,
  operation: 0,
  readyAt: 0,
  run: () => undefined,
  name: () => name,
  ...more,
});

function runAll(scheduler: Scheduler): Order {
  for (let happen = scheduler.next(); happen; happen = scheduler.next()) happen();
  return scheduler.order;
}

describe("the scheduler", () => {
  it.each(kinds)("comes to everything in the end, and in the same order for the same seed (%s)", (kind) => {
    const order = (seed: number): Order => {
      const scheduler = schedulerOf(kind, seed);
      for (let index = 0; index < 30; index++) {
        scheduler.add(ticket(`${index}`, { worker: index % 3, operation: Math.floor(index / 2) }));
      }
      return runAll(scheduler);
    };
    expect(order(1).toSorted()).toEqual(Array.from({ length: 30 }, (_, index) => `${index}`).toSorted());
    expect(order(1)).toEqual(order(1));
    expect(order(1)).not.toEqual(order(2));
  });

  it("jumps to the next sleeper where nobody else can go on, and wakes none before its time", () => {
    const scheduler = schedulerOf("uniform");
    scheduler.add(ticket("late", { readyAt: 9_000 }));
    scheduler.add(ticket("soon", { readyAt: 500 }));
    scheduler.add(ticket("now"));
    expect(runAll(scheduler)).toEqual(["now", "soon", "late"]);
    expect(scheduler.now).toBeGreaterThanOrEqual(9_000);
  });

  it("fires a limit only when it is due, and none that was stopped", () => {
    const scheduler = schedulerOf("uniform");
    const fired: number[] = [];
    const stopped = { due: 5, run: () => void fired.push(5) };
    scheduler.startTimer({ due: 1_000, run: () => void fired.push(scheduler.now) });
    scheduler.startTimer(stopped);
    scheduler.stopTimer(stopped);
    scheduler.add(ticket("now"));
    expect(runAll(scheduler)).toEqual(["now"]);
    expect(fired).toEqual([1_000]);
  });

  it("leaves what may come at any time to the very end", () => {
    const scheduler = schedulerOf("uniform");
    scheduler.add(ticket("whenever", { readyAt: Infinity }));
    scheduler.add(ticket("sleeper", { readyAt: 60_000 }));
    expect(runAll(scheduler)).toEqual(["sleeper", "whenever"]);
  });

  it("keeps a given order, as far as what it names is there", () => {
    const scheduler = schedulerOf("uniform", 1, ["c", "gone", "a", "b"]);
    for (const name of ["a", "b", "c", "d"]) scheduler.add(ticket(name));
    expect(runAll(scheduler)).toEqual(["c", "a", "b", "d"]);
  });
});
