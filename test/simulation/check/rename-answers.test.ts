import { describe, expect, it } from "vitest";
import { check } from "./check.ts";
import { LogBuilder } from "./log-builder.ts";

const rulesOf = (log: LogBuilder): readonly string[] => check(log.build()).map(({ rule }) => rule);
const rename = (from: string, to: string) =>
  ({ command: "rename", old_path: `/memories/${from}`, new_path: `/memories/${to}` }) as const;
const renamed = (from: string, to: string): string => `Successfully renamed /memories/${from} to /memories/${to}`;
const missing = "Error: The path /memories/a does not exist";
const exists = "Error: The destination /memories/b already exists";
const success = "rename answered success untruly";

const afterAnothersDelete = (response: "answered" | "503"): readonly string[] => {
  const log = new LogBuilder().file("a", "t1\n");
  const one = log.call(rename("a", "b"));
  log.get(one, "a").copy(one, "a", "b");
  const two = log.call({ command: "delete", path: "/memories/a" });
  log.delete(two, "a").answer(two, "Successfully deleted /memories/a");
  return rulesOf(log.delete(one, "a", { response }).get(one, "a").answer(one, renamed("a", "b")));
};

/** `a` is renamed to `b` while its copy is renamed back: by a rename that finishes, or by one that stops half-way. */
function thereAndBack(isFinished: boolean): readonly string[] {
  const log = new LogBuilder().file("a", "t1\n");
  const zero = log.call(rename("b", "a"));
  const one = log.call(rename("a", "b"));
  log.get(one, "a").copy(one, "a", "b").get(zero, "b").get(zero, "a");
  log.copy(zero, "b", "a", { ids: ["w0", "w1", "i0"] }).answer(one, renamed("a", "b"));
  if (isFinished) log.delete(zero, "b");
  return rulesOf(log.answer(zero, renamed("b", "a"))).filter((rule) => rule === success);
}

const occupiedBy = (name: string): readonly string[] => {
  const log = new LogBuilder().file("a", "t1\n").file(name, "t2\n");
  return rulesOf(log.answer(log.call(rename("a", "b")), exists, "already_exists"));
};

const renamedInto = (to: string): readonly string[] => {
  const log = new LogBuilder().file("a", "t1\n");
  return rulesOf(log.answer(log.call(rename("a", to)), "Error: Cannot rename /memories/a into itself", "invalid_path"));
};

function moved(names: readonly string[], content: string, code?: string, looksAgain = true): readonly string[] {
  const log = new LogBuilder().file("d/x", "t1\n").file("d/y", "t2\n", ["i1"]);
  const one = log.call(rename("d", "e"));
  for (const name of names) log.get(one, `d/${name}`).copy(one, `d/${name}`, `e/${name}`);
  if (looksAgain) log.list(one, "d/");
  log.batch(
    one,
    names.map((name) => `d/${name}`),
  );
  return rulesOf(log.answer(one, content, code));
}

const stayed = (files: number): string =>
  `${files} files that were added or changed meanwhile stayed in /memories/d; view again`;

const othersMoved = (some: number, all: number): string =>
  `${some} of ${all} files were moved by someone else meanwhile; view again`;

/** Its copy stands; then others delete the source, and, where it says so, its copy too. */
function overtaken(gone: readonly string[], content: string): readonly string[] {
  const log = new LogBuilder().file("a", "t1\n").file("c", "t2\n", ["i2"]);
  const one = log.call(rename("a", "b"));
  log.get(one, "a").copy(one, "a", "b");
  for (const name of gone) {
    const two = log.call({ command: "delete", path: `/memories/${name}` });
    log.delete(two, name, { condition: "exists" }).answer(two, `Successfully deleted /memories/${name}`);
  }
  return rulesOf(log.delete(one, "a", { condition: '"u1"', decision: "missing" }).answer(one, content, "conflict"));
}

const movedTwice = (twin: string): string =>
  `Error: /memories/a was moved by someone else meanwhile too, so its content may be in both /memories/b and ${twin}; view both again`;

describe("the rename of a file", () => {
  it("succeeds with a copy and a delete", () => {
    const log = new LogBuilder().file("a", "t1\n");
    const one = log.call(rename("a", "b"));
    expect(rulesOf(log.get(one, "a").copy(one, "a", "b").delete(one, "a").answer(one, renamed("a", "b")))).toEqual([]);
  });

  it("is found where it says so without one of the two", () => {
    const none = new LogBuilder().file("a", "t1\n");
    expect(rulesOf(none.answer(none.call(rename("a", "b")), renamed("a", "b")))).toContain(success);
    const half = new LogBuilder().file("a", "t1\n");
    const one = half.call(rename("a", "b"));
    expect(rulesOf(half.get(one, "a").copy(one, "a", "b").answer(one, renamed("a", "b")))).toContain(success);
  });

  it("is found where somebody else has removed the source, and nothing got lost", () => {
    expect(afterAnothersDelete("answered")).toEqual([success]);
    expect(afterAnothersDelete("503")).toEqual([]);
  });

  it("succeeds, too, where another worker has taken its copy over and finished", () => {
    const log = new LogBuilder().file("a", "t1\n");
    const one = log.call(rename("a", "b"));
    log.get(one, "a").copy(one, "a", "b");
    const two = log.call(rename("a", "b"));
    log.get(two, "a").get(two, "b").put(two, "b", "t1\n").delete(two, "a").answer(two, renamed("a", "b"));
    expect(rulesOf(log.delete(one, "a").answer(one, renamed("a", "b")))).toEqual([]);
  });

  it("may take the one for the other where its copy comes back, but not two renames each for the other", () => {
    expect(thereAndBack(true)).toEqual([]);
    expect(thereAndBack(false)).not.toEqual([]);
  });

  it("does not exist where the source was not there", () => {
    const gone = new LogBuilder();
    expect(rulesOf(gone.answer(gone.call(rename("a", "b")), missing, "not_found"))).toEqual([]);
    const there = new LogBuilder().file("a", "t1\n");
    expect(rulesOf(there.answer(there.call(rename("a", "b")), missing, "not_found"))).toEqual([
      "rename answered not_found untruly",
    ]);
  });

  it("finds its destination taken where something else stood there", () => {
    expect(occupiedBy("b")).toEqual([]);
    expect(occupiedBy("b/x")).toEqual([]);
    expect(occupiedBy("c")).toEqual(["rename answered already_exists untruly"]);
  });

  it("is refused into itself, and nowhere else", () => {
    expect(renamedInto("a/b")).toEqual([]);
    expect(renamedInto("ab")).toHaveLength(1);
  });

  it("says that both were kept where both stood", () => {
    const content = "Error: /memories/a was changed meanwhile, so both it and /memories/b were kept; view both again";
    const log = new LogBuilder().file("a", "t1\n");
    const one = log.call(rename("a", "b"));
    expect(rulesOf(log.get(one, "a").copy(one, "a", "b").answer(one, content, "conflict"))).toEqual([]);
    const nothing = new LogBuilder().file("a", "t1\n");
    expect(rulesOf(nothing.answer(nothing.call(rename("a", "b")), content, "conflict"))).toHaveLength(1);
  });
});

describe("a rename that others came in between of", () => {
  it("says that both have gone where both have", () => {
    const content =
      "Error: /memories/a and /memories/b were both moved or deleted by someone else meanwhile; view again";
    expect(overtaken(["a", "b"], content)).toEqual([]);
    expect(overtaken(["a"], content)).toEqual(["rename answered conflict untruly"]);
  });

  it.each([
    ["b", []],
    ["c", ["rename answered conflict untruly"]],
  ])("says that its copy was moved back where %s was", (from, broken) => {
    const log = new LogBuilder().file("a", "t1\n").file("c", "t2\n", ["i2"]);
    const one = log.call(rename("a", "b"));
    log.get(one, "a").copy(one, "a", "b");
    const two = log.call({ command: "delete", path: "/memories/a" });
    log.delete(two, "a", { condition: "exists" }).answer(two, "Successfully deleted /memories/a");
    const three = log.call(rename(from, "a"));
    log.get(three, from).copy(three, from, "a").delete(three, from).answer(three, renamed(from, "a"));
    const content = "Error: /memories/b was moved back to /memories/a by someone else meanwhile; view both again";
    const failed = { condition: '"u1"', decision: "precondition failed" } as const;
    expect(rulesOf(log.delete(one, "a", failed).answer(one, content, "conflict"))).toEqual(broken);
  });

  it("names another copy where there was one", () => {
    expect(overtaken(["a"], movedTwice("/memories/c"))).toEqual([]);
    expect(overtaken(["a"], movedTwice("/memories/e"))).toEqual(["rename answered conflict untruly"]);
  });
});

describe("the rename of a directory", () => {
  it("moves every file that was there all the time", () => {
    expect(moved(["x", "y"], renamed("d", "e"))).toEqual([]);
    expect(moved(["x"], renamed("d", "e"))).toEqual([success]);
  });

  it("looks once more before it deletes", () => {
    expect(moved(["x", "y"], renamed("d", "e"), undefined, false)).toEqual([success]);
  });

  it("counts what stayed", () => {
    expect(moved(["x"], stayed(1), "conflict")).toEqual([]);
    expect(moved(["x"], stayed(3), "conflict")).toHaveLength(1);
  });

  it("counts what others have moved", () => {
    expect(moved(["x"], othersMoved(1, 2), "conflict")).toEqual([]);
    expect(moved(["x"], othersMoved(2, 2), "conflict")).toHaveLength(1);
    expect(moved(["x"], othersMoved(1, 3), "conflict")).toHaveLength(1);
  });
});
