import { describe, expect, it } from "vitest";
import { check } from "./check.ts";
import { LogBuilder } from "./log-builder.ts";

const rulesOf = (log: LogBuilder): readonly string[] => check(log.build()).map(({ rule }) => rule);
const remove = (name: string) => ({ command: "delete", path: `/memories/${name}` }) as const;
const deleted = (name: string): string => `Successfully deleted /memories/${name}`;
const missing = "Error: The path /memories/d does not exist";

describe("the delete of a file", () => {
  it("succeeds where it has removed it, or, cut off, where it is gone", () => {
    const log = new LogBuilder().file("a", "t1\n");
    const one = log.call(remove("a"));
    expect(rulesOf(log.delete(one, "a", { condition: "exists" }).answer(one, deleted("a")))).toEqual([]);
    const cutOff = new LogBuilder().file("a", "t1\n");
    const two = cutOff.call(remove("a"));
    const three = cutOff.call(remove("a"));
    cutOff.delete(three, "a", { condition: "exists" }).answer(three, deleted("a"));
    expect(rulesOf(cutOff.delete(two, "a", { response: "503" }).get(two, "a").answer(two, deleted("a")))).toEqual([]);
  });

  it("is found where it says so and has removed nothing", () => {
    const log = new LogBuilder().file("a", "t1\n");
    expect(rulesOf(log.answer(log.call(remove("a")), deleted("a")))).toEqual(["delete answered success untruly"]);
    const gone = new LogBuilder();
    const one = gone.call(remove("a"));
    expect(rulesOf(gone.delete(one, "a").answer(one, deleted("a")))).toEqual(["delete answered success untruly"]);
  });

  it("does not exist where neither a file nor a directory did", () => {
    for (const [name, found] of [
      ["e", 0],
      ["d", 1],
      ["d/x", 1],
    ] as const) {
      const log = new LogBuilder().file(name, "t1\n");
      const one = log.call(remove("d"));
      expect(rulesOf(log.list(one, "d/").answer(one, missing, "not_found"))).toHaveLength(found);
    }
  });
});

describe("the delete of a directory", () => {
  it("removes what its listing saw", () => {
    const log = new LogBuilder().file("d/x", "t1\n").file("d/y", "t2\n");
    const one = log.call(remove("d"));
    expect(rulesOf(log.list(one, "d/").batch(one, ["d/x", "d/y"]).answer(one, deleted("d")))).toEqual([]);
  });

  it("is found where it removes a version that it has not seen", () => {
    const log = new LogBuilder().file("d/x", "t1\n");
    const one = log.call(remove("d"));
    log.list(one, "d/");
    const two = log.call({ command: "insert", path: "/memories/d/x", insert_line: 0, insert_text: "t9" });
    log.get(two, "d/x").put(two, "d/x", "t9\nt1\n").answer(two, "The file /memories/d/x has been edited.");
    expect(rulesOf(log.batch(one, ["d/x"]).answer(one, deleted("d")))).toEqual(["deleted what it had not seen"]);
  });

  it("is found where it leaves a file that was there all the time", () => {
    const log = new LogBuilder().file("d/x", "t1\n").file("d/y", "t2\n");
    const one = log.call(remove("d"));
    expect(rulesOf(log.list(one, "d/").batch(one, ["d/x"]).answer(one, deleted("d")))).toEqual([
      "delete answered success untruly",
    ]);
  });

  it.each([
    [1, 0],
    [2, 1],
    [undefined, 1],
  ])("says how many files were changed and kept: %s", (kept, found) => {
    const log = new LogBuilder().file("d/x", "t1\n").file("d/y", "t2\n");
    const one = log.call(remove("d"));
    log.list(one, "d/");
    const version = log.versionOf("d/x");
    const two = log.call({ command: "insert", path: "/memories/d/x", insert_line: 0, insert_text: "t9" });
    log.get(two, "d/x").put(two, "d/x", "t9\nt1\n").answer(two, "The file /memories/d/x has been edited.");
    log.batch(one, ["d/y"]).batch(one, ["d/x"], { condition: version, decision: "precondition failed" });
    const content = `${kept} files in /memories/d were changed meanwhile and were kept; view again`;
    if (kept === undefined) log.answer(one, deleted("d"));
    else log.answer(one, content, "conflict");
    expect(rulesOf(log)).toHaveLength(found);
  });
});

describe("the view of a directory", () => {
  const header =
    "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:";

  function shows(...rows: string[]): readonly string[] {
    const log = new LogBuilder().file("a", "t1\n").file("d/x/y", "t2\n").file(".h", "t3\n");
    const one = log.call({ command: "view", path: "/memories" });
    const two = log.call({ command: "create", path: "/memories/b", file_text: "t4\n" });
    log.list(one).put(two, "b", "t4\n").answer(two, "File created successfully at: /memories/b");
    return rulesOf(log.answer(one, [header, "9B\t/memories", ...rows].join("\n")));
  }

  const steady = ["3B\t/memories/a", "3B\t/memories/d/", "3B\t/memories/d/x/"];

  it("shows what stood there, and what came meanwhile or not", () => {
    expect(shows(...steady)).toEqual([]);
    expect(shows(...steady, "3B\t/memories/b")).toEqual([]);
  });

  it.each([
    ["misses a file", steady.slice(1)],
    ["misses a directory", [steady[0] ?? "", steady[2] ?? ""]],
    ["shows a file that never was", [...steady, "3B\t/memories/c"]],
    ["shows a wrong size", ["4B\t/memories/a", ...steady.slice(1)]],
    ["shows a directory's wrong size", [steady[0] ?? "", "4B\t/memories/d/", steady[2] ?? ""]],
    ["shows a directory that never was", [...steady, "3B\t/memories/e/"]],
    ["shows a row twice", [...steady, "3B\t/memories/a"]],
  ])("is found where it %s", (_, rows) => {
    expect(shows(...rows)).toEqual(["view answered success untruly"]);
  });
});
