import { describe, expect, it } from "vitest";
import { check, judge } from "./check.ts";
import { LogBuilder } from "./log-builder.ts";

const rulesOf = (log: LogBuilder): readonly string[] => check(log.build()).map(({ rule }) => rule);
const reasonsOf = (log: LogBuilder): readonly string[] => judge(log.build()).excused.map(({ reason }) => reason);
const path = "/memories/a";
const create = { command: "create", path, file_text: "t1\n" } as const;
const insert = { command: "insert", path, insert_line: 0, insert_text: "t1" } as const;
const created = `File created successfully at: ${path}`;
const inserted = `The file ${path} has been edited.`;

const fooled = (etags: "content" | "unique"): LogBuilder => {
  const log = new LogBuilder({ etags }).file("a", "t0\n");
  const seen = log.versionOf("a");
  const one = log.call(insert);
  log.get(one, "a").put(one, "a", "t1\nt0\n", { response: "time-out" }).get(one, "a").answer(one, inserted);
  const two = log.call({ command: "create", path, file_text: "t0\n" });
  log.put(two, "a", "t0\n", { ids: ["w1"] }).answer(two, created);
  const late = log.send(one, "PUT", []);
  return log.putNow(late, "a", "t1\nt0\n", { condition: seen, ids: ["w0", "i0"] }).respond(late, "time-out");
};

function again(second: (log: LogBuilder, operation: number) => void, ids = ["w0"]): LogBuilder {
  const log = new LogBuilder();
  const one = log.call(create);
  log.put(one, "a", "t1\n", { ids }).answer(one, created);
  const two = log.call(create, { writeId: "w0" });
  second(log.get(two, "a"), two);
  return log;
}

describe("a write", () => {
  it("is found where it was carried out twice over the same file", () => {
    const log = new LogBuilder().file("a", "t0\n");
    const one = log.call(insert);
    log.get(one, "a").put(one, "a", "t1\nt0\n", { response: "503" });
    log.get(one, "a").put(one, "a", "t1\nt1\nt0\n").answer(one, inserted);
    expect(rulesOf(log)).toContain("written twice");
  });

  it("may come twice where a create finds its path empty again, and that is counted", () => {
    const log = new LogBuilder();
    const one = log.call(create);
    log.put(one, "a", "t1\n", { response: "503" });
    const two = log.call({ command: "delete", path });
    log.delete(two, "a").answer(two, `Successfully deleted ${path}`);
    log.get(one, "a").put(one, "a", "t1\n").answer(one, created);
    expect(rulesOf(log)).toEqual([]);
    expect(reasonsOf(log)).toEqual(["another file at its path by then"]);
  });

  it("may be fooled by equal bytes, and only by those", () => {
    expect(reasonsOf(fooled("content"))).toEqual(["A → B → A"]);
    expect(rulesOf(fooled("unique"))).toContain("written twice");
  });
});

describe("a redelivery", () => {
  it("answers success and writes nothing", () => {
    expect(rulesOf(again((log, two) => log.answer(two, created)))).toEqual([]);
  });

  it("is found where it writes again, or is refused", () => {
    expect(rulesOf(again((log, two) => log.put(two, "a", "t1\n", { ids: ["w0"] }).answer(two, created)))).toContain(
      "redelivered and done again",
    );
    expect(rulesOf(again((log, two) => log.answer(two, "Error", "already_exists")))).toContain("redelivery refused");
  });
});
