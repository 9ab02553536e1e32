import { describe, expect, it } from "vitest";
import type { Response } from "../log.ts";
import { check } from "./check.ts";
import { LogBuilder } from "./log-builder.ts";

const rulesOf = (log: LogBuilder): readonly string[] => check(log.build()).map(({ rule }) => rule);
const path = "/memories/a";
const edited =
  "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\tt2";

/** An edit that is sent, gets no answer, and is sent again after these reads. */
function sentTwice(response: Response, readBack: (log: LogBuilder, operation: number) => void): LogBuilder {
  const log = new LogBuilder().file("a", "t1\n");
  const one = log.call({ command: "str_replace", path, old_str: "t1", new_str: "t2" });
  log.get(one, "a");
  log.respond(log.send(one, "PUT", ["users/u/memories/a"]), response);
  readBack(log, one);
  return log.put(one, "a", "t2\n").answer(one, edited);
}

describe("what is sent again", () => {
  it.each(["500", "503", "reset"] as const)("is read back first after %s", (response) => {
    expect(rulesOf(sentTwice(response, (log, one) => log.get(one, "a")))).toEqual([]);
    expect(rulesOf(sentTwice(response, (log, one) => log.list(one)))).toEqual([]);
    expect(rulesOf(sentTwice(response, () => undefined))).toEqual(["sent again without reading back"]);
  });

  it("is not read back by a read that failed, or by one of another file", () => {
    const failed = sentTwice("503", (log, one) => log.get(one, "a", { response: "503" }));
    expect(rulesOf(failed)).toEqual(["sent again without reading back"]);
    expect(rulesOf(sentTwice("503", (log, one) => log.get(one, "b")))).toEqual(["sent again without reading back"]);
  });

  it.each(["time-out", "aborted"] as const)("is nothing after %s, read back or not", (response) => {
    expect(rulesOf(sentTwice(response, (log, one) => log.get(one, "a")))).toEqual(["sent again after a time-out"]);
  });

  it("may be another write, where a read has shown that the first one landed", () => {
    const log = new LogBuilder().file("a", "t1\n");
    const one = log.call({ command: "rename", old_path: path, new_path: "/memories/b" });
    log.get(one, "a").copy(one, "a", "b", { response: "time-out" }).get(one, "b");
    const two = log.call({ command: "str_replace", path, old_str: "t1", new_str: "t2" });
    log.get(two, "a").put(two, "a", "t2\n").answer(two, edited);
    log.delete(one, "a", { condition: '"u1"', decision: "precondition failed" }).get(one, "a");
    log.copy(one, "a", "b").delete(one, "a").answer(one, `Successfully renamed ${path} to /memories/b`);
    expect(rulesOf(log)).toEqual([]);
  });

  it("is never under way twice", () => {
    const log = new LogBuilder();
    const one = log.call({ command: "create", path, file_text: "t1\n" });
    const open = log.send(one, "PUT", ["users/u/memories/a"]);
    log.put(one, "a", "t1\n").respond(open, "503").answer(one, `File created successfully at: ${path}`);
    expect(rulesOf(log)).toContain("two writes to one key at once");
  });

  it.each([
    ["that was listed again", true, []],
    ["that nobody has looked at again", false, ["sent again without reading back"]],
  ])("may be a directory's batch %s", (_, isListed, broken) => {
    const log = new LogBuilder().file("d/x", "t1\n");
    const one = log.call({ command: "delete", path: "/memories/d" });
    log
      .delete(one, "d", { condition: "exists" })
      .list(one, "d/")
      .respond(log.send(one, "BATCH", ["users/u/memories/d/x"]), "503");
    if (isListed) log.list(one, "d/");
    expect(rulesOf(log.batch(one, ["d/x"]).answer(one, "Successfully deleted /memories/d"))).toEqual(broken);
  });
});

describe("the end of a command", () => {
  const view = { command: "view", path } as const;

  it("comes, unless its worker has died", () => {
    const dead = new LogBuilder();
    expect(rulesOf(dead.death(dead.call(view)))).toEqual([]);
    const stuck = new LogBuilder();
    stuck.call(view);
    expect(rulesOf(stuck)).toEqual(["never answered"]);
  });

  it("is the last that is heard of it", () => {
    const log = new LogBuilder().file("a", "t1\n");
    const one = log.call(view);
    log.get(one, "a").answer(one, `Here's the content of ${path} with line numbers:\n     1\tt1`).get(one, "a");
    expect(rulesOf(log)).toEqual(["request after the answer"]);
  });

  it("may leave reads behind that went out with one that failed, but no write", () => {
    const log = new LogBuilder();
    const one = log.call(view);
    const open = log.get(one, "a", { response: "503" }).send(one, "LIST", ["users/u/memories/a/"]);
    log.answer(one, "Error", "storage").respond(open, "503").list(one, "a/");
    expect(rulesOf(log)).toEqual([]);
    const two = log.call({ command: "create", path, file_text: "t1\n" });
    log.get(two, "a", { response: "503" }).answer(two, "Error", "storage").put(two, "a", "t1\n");
    expect(rulesOf(log)).toContain("request after the answer");
  });

  it("is near", () => {
    const log = new LogBuilder();
    const one = log.call(view);
    for (let count = 0; count < 3_001; count++) log.get(one, "a");
    log.answer(one, `The path ${path} does not exist. Please provide a valid path.`, "not_found");
    expect(rulesOf(log)).toEqual(["too many requests"]);
  });
});
