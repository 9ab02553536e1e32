import { describe, expect, it } from "vitest";
import { check } from "./check.ts";
import { LogBuilder } from "./log-builder.ts";

const rulesOf = (log: LogBuilder): readonly string[] => check(log.build()).map(({ rule }) => rule);
const path = "/memories/a";
const create = { command: "create", path, file_text: "t1\n" } as const;
const exists = `Error: File ${path} already exists`;
const move = { command: "rename", old_path: path, new_path: "/memories/b" } as const;
const missing = `Error: The path ${path} does not exist`;

function refused(traits: { readonly takesBack: boolean; readonly content: string; readonly code: string }): LogBuilder {
  const log = new LogBuilder().file("a", "t1\n");
  const one = log.call(move);
  const two = log.call({ command: "delete", path });
  log.get(one, "a").delete(two, "a").answer(two, `Successfully deleted ${path}`);
  const open = log.send(one, "PUT", ["users/u/memories/b"]);
  log
    .putNow(open, "b", "t1\n", { ids: ["w0", "i0"], movedFrom: "m" })
    .respond(open, "answered")
    .delete(one, "a");
  if (traits.takesBack) log.get(one, "b").delete(one, "b");
  return log.answer(one, traits.content, traits.code);
}

describe("a refusal", () => {
  it("holds where nothing was written", () => {
    const log = new LogBuilder().file("a", "t0\n");
    const one = log.call(create);
    log.put(one, "a", "t1\n", { condition: "absent", decision: "precondition failed" });
    expect(rulesOf(log.answer(one, exists, "already_exists"))).toEqual([]);
  });

  it("is found where the write had landed, or lands later", () => {
    const before = new LogBuilder();
    const one = before.call(create);
    before.put(one, "a", "t1\n", { response: "503" });
    expect(rulesOf(before.answer(one, exists, "already_exists"))).toContain("refused and done");
    const later = new LogBuilder();
    const two = later.call(create);
    const open = later.send(two, "PUT", ["users/u/memories/a"]);
    later.respond(open, "time-out").answer(two, missing, "conflict").putNow(open, "a", "t1\n");
    expect(rulesOf(later)).toContain("refused and done");
  });

  it.each([
    ["outcome_unknown", []],
    ["aborted", []],
    // A read would have shown the write.
    ["storage", ["refused and done"]],
  ])("is judged where a write got no answer and the code is %s", (code, broken) => {
    const log = new LogBuilder();
    const one = log.call(create);
    log.put(one, "a", "t1\n", { response: "503" });
    expect(rulesOf(log.answer(one, "Error", code))).toEqual(broken);
  });

  it("is storage, too, where every write was answered", () => {
    const log = new LogBuilder();
    const one = log.call(create);
    log.put(one, "a", "t1\n").get(one, "a", { response: "503" });
    expect(rulesOf(log.answer(one, "Error", "storage"))).toContain("refused and done");
  });
});

describe("the refusal of a rename", () => {
  it("holds where its copy is gone again", () => {
    expect(rulesOf(refused({ takesBack: true, content: missing, code: "not_found" }))).toEqual([]);
  });

  it("is found where its copy stays behind", () => {
    expect(rulesOf(refused({ takesBack: false, content: missing, code: "not_found" }))).toContain("refused and done");
  });

  it("is none where the answer says what was kept", () => {
    const content = `Error: ${path} was moved or deleted by someone else meanwhile, /memories/b was kept; view both again`;
    expect(rulesOf(refused({ takesBack: false, content, code: "conflict" }))).toEqual([]);
  });
});

describe("an answer", () => {
  it("waits for every write that was sent", () => {
    const log = new LogBuilder();
    const one = log.call(create);
    const open = log.send(one, "PUT", ["users/u/memories/a"]);
    log.putNow(open, "a", "t1\n").answer(one, `File created successfully at: ${path}`).respond(open, "answered");
    expect(rulesOf(log)).toContain("write in flight at the answer");
  });
});
