import { describe, expect, it } from "vitest";
import { check } from "./check.ts";
import { LogBuilder, memories } from "./log-builder.ts";

const rulesOf = (log: LogBuilder): readonly string[] => check(log.build()).map(({ rule }) => rule);
const create = (name: string, text: string) =>
  ({ command: "create", path: `/memories/${name}`, file_text: text }) as const;
const success = "File created successfully at: /memories/a";

describe("where a command may write", () => {
  it("lets a create write its own key", () => {
    const log = new LogBuilder();
    const one = log.call(create("a", "t1\n"));
    expect(rulesOf(log.put(one, "a", "t1\n").answer(one, success))).toEqual([]);
  });

  it("finds a key outside the scope", () => {
    const log = new LogBuilder();
    const one = log.call(create("a", "t1\n"));
    const open = log.send(one, "PUT", ["users/other/memories/a"]);
    log.putNow(open, "!users/other/memories/a", "t1\n").respond(open, "answered");
    expect(rulesOf(log.answer(one, success))).toContain("key outside the scope");
  });

  it("finds a command that writes another file than its own", () => {
    const log = new LogBuilder();
    const one = log.call(create("a", "t1\n"));
    expect(rulesOf(log.put(one, "b", "t1\n").answer(one, success))).toContain("not its key to write");
  });

  it("finds a view that writes, and a rename that deletes beside its ends", () => {
    const viewer = new LogBuilder();
    const one = viewer.call({ command: "view", path: "/memories/a" });
    expect(rulesOf(viewer.put(one, "a", "t1\n"))).toContain("not its key to write");
    const mover = new LogBuilder().file("c", "t1\n");
    const two = mover.call({ command: "rename", old_path: "/memories/a", new_path: "/memories/b" });
    expect(rulesOf(mover.delete(two, "c"))).toContain("not its key to write");
  });
});

describe("the condition of a write", () => {
  it.each(["none", "exists"])("finds a PUT with the condition %s", (condition) => {
    const log = new LogBuilder();
    const one = log.call(create("a", "t1\n"));
    expect(rulesOf(log.put(one, "a", "t1\n", { condition }).answer(one, success))).toContain(
      "write without its condition",
    );
  });

  it("finds it where the write was refused, too", () => {
    const log = new LogBuilder().file("a", "t0\n");
    const one = log.call(create("a", "t1\n"));
    log.put(one, "a", "t1\n", { condition: "none", decision: "undecided" });
    expect(rulesOf(log.answer(one, "Error", "conflict"))).toContain("write without its condition");
  });

  it("lets only a delete remove whatever is there", () => {
    const deleter = new LogBuilder().file("a", "t0\n");
    const one = deleter.call({ command: "delete", path: "/memories/a" });
    expect(rulesOf(deleter.delete(one, "a", { condition: "exists" }).answer(one, "Successfully deleted"))).toEqual([]);
    const mover = new LogBuilder().file("a", "t0\n");
    const two = mover.call({ command: "rename", old_path: "/memories/a", new_path: "/memories/b" });
    mover.get(two, "a").copy(two, "a", "b").delete(two, "a", { condition: "exists" });
    expect(rulesOf(mover.answer(two, "Successfully renamed"))).toEqual(["write without its condition"]);
  });
});

describe("what stands at the end", () => {
  it("finds what no commit has left, and what no commit has removed", () => {
    const stray = { serial: 99, key: `${memories}z`, text: "t9\n", version: "v", writeIds: [], movedFrom: undefined };
    const log = new LogBuilder().file("a", "t0\n");
    expect(check(log.build({ final: [stray] })).map(({ rule }) => rule)).toEqual([
      "key changed without a commit",
      "key changed without a commit",
    ]);
    expect(check(log.build())).toEqual([]);
  });
});
