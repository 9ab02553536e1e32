import { describe, expect, it } from "vitest";
import { check, judge } from "./check.ts";
import { LogBuilder, type RequestTraits } from "./log-builder.ts";

const rulesOf = (log: LogBuilder): readonly string[] => check(log.build()).map(({ rule }) => rule);
const rename = (from: string, to: string) =>
  ({ command: "rename", old_path: `/memories/${from}`, new_path: `/memories/${to}` }) as const;
const renamed = (from: string, to: string): string => `Successfully renamed /memories/${from} to /memories/${to}`;

/** A whole rename, as it should be. */
function move(log: LogBuilder, from: string, to: string): void {
  const one = log.call(rename(from, to));
  log.get(one, from).copy(one, from, to).delete(one, from).answer(one, renamed(from, to));
}

function left(how: {
  readonly content?: string;
  readonly code?: string;
  readonly response?: RequestTraits["response"];
}): LogBuilder {
  const log = new LogBuilder().file("a", "t1\n");
  const one = log.call(rename("a", "b"));
  const { response = "answered", content, code } = how;
  log.get(one, "a").copy(one, "a", "b", { response });
  return content === undefined ? log.death(one) : log.answer(one, content, code);
}

describe("the words of a file", () => {
  it("are at one name after a rename", () => {
    const log = new LogBuilder().file("a", "t1\n");
    move(log, "a", "b");
    expect(judge(log.build())).toMatchObject({ violations: [], excused: [], unnamedDoubles: [] });
  });

  it("are lost by a rename that deletes the source before its copy stands", () => {
    const log = new LogBuilder().file("a", "t1\n");
    const one = log.call(rename("a", "b"));
    log.get(one, "a").delete(one, "a");
    log.put(one, "b", "t1\n", { ids: ["w0", "i0"], movedFrom: "m" }).answer(one, renamed("a", "b"));
    expect(rulesOf(log)).toEqual(expect.arrayContaining(["source deleted before its copy stood", "lost by a rename"]));
  });

  it("are lost by a rename that overwrites what somebody wrote on its copy", () => {
    const log = new LogBuilder().file("a", "t1\n");
    const one = log.call(rename("a", "b"));
    log.get(one, "a").copy(one, "a", "b");
    const two = log.call({ command: "insert", path: "/memories/b", insert_line: 0, insert_text: "t9" });
    log.get(two, "b").put(two, "b", "t9\nt1\n").answer(two, "The file /memories/b has been edited.");
    log.copy(one, "a", "b").delete(one, "a").answer(one, renamed("a", "b"));
    expect(rulesOf(log)).toEqual(expect.arrayContaining(["lost by a rename"]));
  });

  it("may go with a copy once somebody has deleted the source", () => {
    const log = new LogBuilder().file("a", "t1\n");
    const one = log.call(rename("a", "b"));
    log.get(one, "a").copy(one, "a", "b");
    const two = log.call({ command: "delete", path: "/memories/a" });
    log.delete(two, "a").answer(two, "Successfully deleted /memories/a");
    log.delete(one, "a").get(one, "b").delete(one, "b");
    expect(rulesOf(log.answer(one, "Error: The path /memories/a does not exist", "not_found"))).toEqual([]);
  });
});

describe("a copy", () => {
  it("is found where somebody else than its maker removes it", () => {
    const log = new LogBuilder().file("a", "t1\n");
    const one = log.call(rename("a", "b"));
    log.get(one, "a").copy(one, "a", "b");
    const two = log.call(rename("a", "b"));
    log.get(two, "a").get(two, "b").put(two, "b", "t1\n").delete(two, "a").answer(two, renamed("a", "b"));
    log.delete(one, "a").delete(one, "b").answer(one, "Error: The path /memories/a does not exist", "not_found");
    expect(rulesOf(log)).toEqual(expect.arrayContaining(["removed another's copy", "lost by a rename"]));
  });
});

describe("a file at two names", () => {
  it("is found where no answer says so", () => {
    expect(rulesOf(left({ content: renamed("a", "b") }))).toContain("doubled");
  });

  it("may be where the worker died, or the answer names both", () => {
    const content = "Error: /memories/a was changed meanwhile, so both it and /memories/b were kept; view both again";
    expect(rulesOf(left({}))).toEqual([]);
    expect(rulesOf(left({ content, code: "conflict" }))).not.toContain("doubled");
  });

  it("is counted where a request got no answer, and no answer names both", () => {
    const { violations, unnamedDoubles } = judge(left({ content: "Error", code: "storage", response: "503" }).build());
    expect(violations).toEqual([]);
    expect(unnamedDoubles).toEqual([
      { keys: ["users/u/memories/a", "users/u/memories/b"], operations: [0], tokens: ["t1"] },
    ]);
  });

  it("is found where the word stands twice in one file", () => {
    const log = new LogBuilder().file("a", "t0\n");
    const one = log.call({ command: "insert", path: "/memories/a", insert_line: 0, insert_text: "t1" });
    log.get(one, "a").put(one, "a", "t1\nt1\nt0\n").answer(one, "The file /memories/a has been edited.");
    expect(rulesOf(log)).toContain("doubled");
  });
});
