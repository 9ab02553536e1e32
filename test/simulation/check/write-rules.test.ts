import { describe, expect, it } from "vitest";
import { check } from "./check.ts";
import { LogBuilder, type RequestTraits } from "./log-builder.ts";

const rulesOf = (log: LogBuilder): readonly string[] => check(log.build()).map(({ rule }) => rule);
const path = "/memories/a";
const edit = { command: "str_replace", path, old_str: "t1", new_str: "t2" } as const;
const edited =
  "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\tt2";

/** One edit of `t1` over another writer's. */
function editOver(text: string, traits: RequestTraits = {}): LogBuilder {
  const log = new LogBuilder().file("a", "t1\n");
  const one = log.call(edit);
  const two = log.call({ command: "insert", path, insert_line: 1, insert_text: "t9" });
  log.get(one, "a").get(two, "a").put(two, "a", "t1\nt9\n").answer(two, "The file /memories/a has been edited.");
  return log.get(one, "a").put(one, "a", text, traits).answer(one, edited);
}

const editedWithMarker = (movedFrom: string | undefined): LogBuilder => {
  const builder = new LogBuilder().file("a", "t1\n", ["i0"], "m");
  const one = builder.call(edit);
  return builder.get(one, "a").put(one, "a", "t2\n", { movedFrom }).answer(one, edited);
};

const insertedAtEnd = (text: string): LogBuilder => {
  const builder = new LogBuilder().file("a", "t1\nt2");
  const one = builder.call({ command: "insert", path, insert_line: 2, insert_text: "t3\n" });
  return builder.get(one, "a").put(one, "a", text).answer(one, "The file /memories/a has been edited.");
};

/** A reads `a`, which is moved away and back again before it writes. */
function movedAwayAndBack(etags: "content" | "unique"): LogBuilder {
  const log = new LogBuilder({ etags }).file("a", "t1\n");
  const seen = log.versionOf("a");
  const one = log.call(edit);
  log.get(one, "a");
  for (const [from, to] of [
    ["a", "b"],
    ["b", "a"],
  ] as const) {
    const move = log.call({ command: "rename", old_path: `/memories/${from}`, new_path: `/memories/${to}` });
    log.get(move, from).copy(move, from, to).delete(move, from).answer(move, "Successfully renamed");
  }
  return log.put(one, "a", "t2\n", { condition: seen, ids: ["w0", "i0"], movedFrom: undefined }).answer(one, edited);
}

const replacedWithMarker = (movedFrom: string | undefined): readonly string[] => {
  const log = new LogBuilder({ onExisting: "overwrite" }).file("a", "t1\n", ["i0"], "m");
  const one = log.call({ command: "create", path, file_text: "t2\n" });
  return rulesOf(log.get(one, "a").put(one, "a", "t2\n", { movedFrom }).answer(one, "File created successfully"));
};

describe("an edit", () => {
  it("is made on what stands there, and carries the writes before it on", () => {
    expect(rulesOf(editOver("t2\nt9\n"))).toEqual([]);
  });

  it("is found where it undoes what another wrote", () => {
    expect(rulesOf(editOver("t2\n"))).toContain("wrong text written");
  });

  it("is found where it was carried out over another version than it named", () => {
    const log = new LogBuilder().file("a", "t1\n");
    const seen = log.versionOf("a");
    const one = log.call({ command: "insert", path, insert_line: 1, insert_text: "t9" });
    log.get(one, "a").put(one, "a", "t1\nt9\n").answer(one, "The file /memories/a has been edited.");
    const two = log.call(edit);
    log.put(two, "a", "t2\nt9\n", { condition: seen }).answer(two, edited);
    expect(rulesOf(log)).toContain("lost update");
  });

  it.each([[["w0"]], [["w0", "i0", "w1"]], [[]]])("is found where it leaves the writes %j", (ids) => {
    expect(rulesOf(editOver("t2\nt9\n", { ids }))).toContain("write ids not carried on");
  });

  it("puts a stand-in for another tool's file, and keeps sixteen", () => {
    const other = new LogBuilder().file("a", "t1\n", []);
    const one = other.call(edit);
    other
      .get(one, "a")
      .put(one, "a", "t2\n", { ids: ["w0", "x-u1"] })
      .answer(one, edited);
    expect(rulesOf(other)).toEqual([]);
    const full = new LogBuilder().file(
      "a",
      "t1\n",
      Array.from({ length: 16 }, (_, index) => `i${index}`),
    );
    const two = full.call(edit);
    expect(rulesOf(full.get(two, "a").put(two, "a", "t2\n").answer(two, edited))).toEqual([]);
  });

  it("carries a rename's marker on", () => {
    expect(rulesOf(editedWithMarker("m"))).toEqual([]);
    expect(rulesOf(editedWithMarker(undefined))).toEqual(["wrong move marker after a write"]);
  });
});

describe("an insert", () => {
  it("leaves every other line as it was", () => {
    expect(rulesOf(insertedAtEnd("t1\nt2\nt3"))).toEqual([]);
    expect(rulesOf(insertedAtEnd("t1\nt2\nt3\n"))).toContain("wrong text written");
    expect(rulesOf(insertedAtEnd("t1\nt3"))).toContain("wrong text written");
  });
});

describe("a create", () => {
  it("leaves no marker of the file that it replaces", () => {
    expect(replacedWithMarker(undefined)).toEqual([]);
    expect(replacedWithMarker("m")).toEqual(["wrong move marker after a write"]);
  });

  it("leaves its own text", () => {
    const log = new LogBuilder();
    const one = log.call({ command: "create", path, file_text: "t1\n" });
    expect(rulesOf(log.put(one, "a", "t2\n").answer(one, `File created successfully at: ${path}`))).toContain(
      "wrong text written",
    );
  });
});

describe("where equal bytes have equal ETags", () => {
  it("lets the condition be fooled, as is documented", () => {
    expect(rulesOf(movedAwayAndBack("content"))).toEqual([]);
  });

  it("lets nothing be fooled elsewhere", () => {
    expect(rulesOf(movedAwayAndBack("unique"))).toContain("lost update");
  });
});

describe("the copy of a rename", () => {
  const move = { command: "rename", old_path: "/memories/a", new_path: "/memories/b" } as const;
  const renamed = "Successfully renamed /memories/a to /memories/b";

  function copyOf(traits: RequestTraits, text = "t1\n"): LogBuilder {
    const log = new LogBuilder().file("a", "t1\n");
    const one = log.call(move);
    log.get(one, "a").put(one, "b", text, { ids: ["w0", "i0"], movedFrom: "m", ...traits });
    return log.delete(one, "a").answer(one, renamed);
  }

  it("is what was read at the source, with its writes and a marker", () => {
    expect(rulesOf(copyOf({}))).toEqual([]);
  });

  it("is found where it is something else", () => {
    expect(rulesOf(copyOf({}, "t2\n"))).toContain("copy of nothing that it read");
    expect(rulesOf(copyOf({ ids: ["w0"] }))).toContain("copy of nothing that it read");
    expect(rulesOf(copyOf({ movedFrom: undefined }))).toContain("copy of nothing that it read");
  });

  /** Half of a rename, by a worker that dies, then another one that takes over what stands at `b`. */
  function takeOver(stands: "its copy" | "another's copy"): LogBuilder {
    const log = new LogBuilder().file("a", "t1\n").file("c", "t5\n", ["i5"]);
    const other = stands === "its copy" ? "a" : "c";
    const one = log.call({ ...move, old_path: `/memories/${other}` });
    log.get(one, other).copy(one, other, "b").death(one);
    const two = log.call(move);
    log
      .get(two, "a")
      .get(two, "b")
      .put(two, "b", other === "a" ? "t1\n" : "t5\n");
    return log.delete(two, "a").answer(two, renamed);
  }

  it("may be taken over by who moves the same file", () => {
    expect(rulesOf(takeOver("its copy"))).toEqual([]);
  });

  it("is found where it was taken over by who moves another one", () => {
    expect(rulesOf(takeOver("another's copy"))).toContain("took over what is no copy of its source");
  });

  it("has the marker of its source alone", () => {
    const log = new LogBuilder().file("a", "t1\n").file("c", "t5\n", ["i5"]);
    for (const from of ["a", "c"]) {
      const one = log.call({ ...move, old_path: `/memories/${from}`, new_path: `/memories/${from}2` });
      log.get(one, from).copy(one, from, `${from}2`, { movedFrom: "m" }).delete(one, from).answer(one, renamed);
    }
    expect(rulesOf(log)).toEqual(["wrong move marker"]);
  });

  it.each([
    [["w0-e/x", "w0-e/y"], []],
    [["w0", "w0"], ["one id for two files"]],
  ])("has an id of its own in the rename of a directory: %o", (own, broken) => {
    const log = new LogBuilder().file("d/x", "t1\n", ["i1"]).file("d/y", "t2\n", ["i2"]);
    const one = log.call({ command: "rename", old_path: "/memories/d", new_path: "/memories/e" });
    for (const [index, name] of ["x", "y"].entries()) {
      const ids = [own[index] ?? "", `i${index + 1}`];
      log.get(one, `d/${name}`).copy(one, `d/${name}`, `e/${name}`, { ids });
    }
    expect(rulesOf(log.death(one))).toEqual(broken);
  });
});
