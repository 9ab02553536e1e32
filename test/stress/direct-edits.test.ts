import { describe, expect, it } from "vitest";
import { describeDirectEdits, editsDirectly, faultsOfDirectEdits } from "./direct-edits.ts";
import type { Deed } from "./journal.ts";

const plan = { seed: 1 };
const [direct = 0, careful = 0] = [true, false].map((is) =>
  [1, 2].find((worker) => editsDirectly(plan, worker) === is),
);

const edit = (worker: number, gets: number): Deed => ({
  operation: {
    id: `w${worker}`,
    input: { command: "insert", path: "/memories/a", insert_line: 0, insert_text: "t" },
    adds: "t",
  },
  worker,
  deliveries: 1,
  started: 0,
  ended: 1,
  outcome: { content: "", puts: 1, gets, races: 0 },
});

describe("of the workers", () => {
  it("every second one edits what it remembers, which of them the seed says", () => {
    for (const seed of [1, 2, 3, 4]) {
      const two = [1, 2, 3, 4].map((worker) => editsDirectly({ seed }, worker));
      expect(two.filter(Boolean)).toHaveLength(2);
    }
    expect(new Set([1, 2, 3, 4, 5, 6].map((seed) => editsDirectly({ seed }, 1))).size).toBe(2);
  });

  it("those that may not must never send an edit unread, and those that may must now and then", () => {
    expect(faultsOfDirectEdits(plan, [edit(direct, 0), edit(direct, 1), edit(careful, 1)])).toEqual([]);
    expect(faultsOfDirectEdits(plan, [edit(direct, 1)])).toEqual(["no edit went out unread"]);
    expect(faultsOfDirectEdits(plan, [edit(careful, 0)])).toEqual([`w${careful} was sent unread`]);
  });

  it("both are reported", () => {
    expect(describeDirectEdits(plan, [edit(direct, 0), edit(direct, 1), edit(careful, 1)])).toEqual([
      "cache on: 1.50 requests per acknowledged edit, 1 of 2 were one PUT",
      "cache off: 2.00 requests per acknowledged edit",
    ]);
  });
});
