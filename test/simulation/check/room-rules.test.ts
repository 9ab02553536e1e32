import { describe, expect, it } from "vitest";
import { check } from "./check.ts";
import { LogBuilder } from "./log-builder.ts";

const rulesOf = (log: LogBuilder): readonly string[] => check(log.build()).map(({ rule }) => rule);
const create = (name: string) => ({ command: "create", path: `/memories/${name}`, file_text: "t1\n" }) as const;

/** Creates a file beside those. */
function created(log: LogBuilder, name: string): readonly string[] {
  const one = log.call(create(name));
  return rulesOf(log.list(one).put(one, name, "t1\n").answer(one, "File created successfully"));
}

/** An edit in a memory that is over its limit of bytes. */
const editedTo = (newText: string): readonly string[] => {
  const log = new LogBuilder({ totalBytes: 2 }).file("a", "t7\n");
  const one = log.call({ command: "str_replace", path: "/memories/a", old_str: "t7", new_str: newText });
  return rulesOf(log.get(one, "a").put(one, "a", `${newText}\n`).answer(one, "The memory file has been edited."));
};

describe("a limit", () => {
  it("has room for what is created", () => {
    expect(created(new LogBuilder({ files: 2 }).file("a", "t7\n"), "b")).toEqual([]);
    expect(created(new LogBuilder({ files: 1 }).file("a", "t7\n"), "b")).toEqual(["went over the limit"]);
    expect(created(new LogBuilder({ totalBytes: 6 }).file("a", "t7\n"), "b")).toEqual([]);
    expect(created(new LogBuilder({ totalBytes: 5 }).file("a", "t7\n"), "b")).toEqual(["went over the limit"]);
  });

  it("may be overshot by calls at once", () => {
    const log = new LogBuilder({ files: 1 });
    const [one, two] = [log.call(create("a")), log.call(create("b"))];
    log.list(one).list(two).put(one, "a", "t1\n").put(two, "b", "t1\n");
    log.answer(one, "File created successfully").answer(two, "File created successfully");
    expect(rulesOf(log).filter((rule) => rule !== "doubled")).toEqual([]);
  });

  it("has room for what an edit adds, and never stops one that makes a file smaller", () => {
    expect(editedTo("t")).toEqual([]);
    expect(editedTo("t77")).toEqual(["went over the limit"]);
  });
});

describe("a new file", () => {
  it("stands below no file, and at no directory", () => {
    expect(created(new LogBuilder().file("a", "t7\n"), "d/x")).toEqual([]);
    expect(created(new LogBuilder().file("d", "t7\n"), "d/x/y")).toEqual(["wrote below a file"]);
    expect(created(new LogBuilder().file("d/x", "t7\n"), "d")).toEqual(["wrote over a directory"]);
  });

  it("may stand there where both came at once", () => {
    const log = new LogBuilder();
    const [one, two] = [log.call(create("d")), log.call({ ...create("d/x"), file_text: "t2\n" })];
    log.list(one).list(two).put(one, "d", "t1\n").put(two, "d/x", "t2\n");
    log.answer(one, "File created successfully").answer(two, "File created successfully");
    expect(rulesOf(log)).toEqual([]);
  });

  it("is a rename's, too", () => {
    const log = new LogBuilder().file("a", "t1\n").file("d", "t7\n", ["i7"]);
    const one = log.call({ command: "rename", old_path: "/memories/a", new_path: "/memories/d/x" });
    log.get(one, "a").copy(one, "a", "d/x").delete(one, "a").answer(one, "Successfully renamed");
    expect(rulesOf(log)).toEqual(["wrote below a file"]);
  });
});
