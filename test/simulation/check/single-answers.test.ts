import { describe, expect, it } from "vitest";
import type { CommandInput } from "../../support/command-input.ts";
import type { Settings } from "../log.ts";
import { check } from "./check.ts";
import { LogBuilder, type RequestTraits } from "./log-builder.ts";

const rulesOf = (log: LogBuilder): readonly string[] => check(log.build()).map(({ rule }) => rule);
const path = "/memories/a";
const create = { command: "create", path, file_text: "t1\n" } as const;
const edit = { command: "str_replace", path, old_str: "t1", new_str: "t2" } as const;
const seen = (...rows: string[]): string => [`Here's the content of ${path} with line numbers:`, ...rows].join("\n");
const missing = `The path ${path} does not exist. Please provide a valid path.`;
const snippet = (row: string): string =>
  `The memory file has been edited. Here is the snippet showing the change (with line numbers):\n${row}`;

/** A command that only looks and answers, while others change `a` from `t1` to `t3` to nothing. */
function answered(
  input: CommandInput,
  content: string,
  code?: string,
  when: "during" | "after" = "during",
): LogBuilder {
  const log = new LogBuilder().file("a", "t1\n");
  const early = when === "during" ? log.call(input) : undefined;
  const one = log.call({ ...edit, new_str: "t3" });
  log.get(one, "a").put(one, "a", "t3\n").answer(one, snippet("     1\tt3"));
  const two = log.call({ command: "delete", path });
  log.delete(two, "a").answer(two, `Successfully deleted ${path}`);
  const late = early ?? log.call(input);
  return log.get(late, "a").answer(late, content, code);
}

const refusedBeside = (file: string, content: string, code: string): readonly string[] => {
  const log = new LogBuilder().file(file, "t0\n");
  const one = log.call({ ...create, path: "/memories/d/x" });
  return rulesOf(log.list(one).answer(one, content, code));
};

function limited(settings: Partial<Settings>, content: string): readonly string[] {
  const log = new LogBuilder(settings).file("b", "t7\n").file("c", "t8\n");
  const one = log.call(create);
  return rulesOf(log.list(one).answer(one, content, "limit_reached"));
}

const filesReached = (files: number): string =>
  `Error: The memory holds ${files} files, the limit is 2. Delete or merge files first.`;

const bytesReached = (bytes: number): string =>
  `Error: The memory holds ${bytes}B, this would take it over the limit of 8B. Delete or shorten files first.`;

const shows = (row: string): readonly string[] => {
  const log = new LogBuilder().file("a", "t1\n");
  const one = log.call(edit);
  return rulesOf(log.get(one, "a").put(one, "a", "t2\n").answer(one, snippet(row)));
};

const gaveUp = (traits: RequestTraits): readonly string[] => {
  const log = new LogBuilder().file("a", "t1\n");
  const one = log.call(edit);
  log.get(one, "a");
  if (traits.decision) log.put(one, "a", "t2\n", traits);
  return rulesOf(log.answer(one, "was changed meanwhile: nothing was changed by this command", "conflict"));
};

describe("the view of a file", () => {
  const view = { command: "view", path } as const;

  it.each(["     1\tt1", "     1\tt3"])("shows a text that stood there: %s", (row) => {
    expect(rulesOf(answered(view, seen(row)))).toEqual([]);
  });

  it("is found where it shows a text of no such time", () => {
    expect(rulesOf(answered(view, seen("     1\tt9")))).toEqual(["view answered success untruly"]);
    expect(rulesOf(answered(view, seen("     1\tt3"), undefined, "after"))).toEqual(["view answered success untruly"]);
  });

  it("shows the lines that were asked for, and refuses those that are not there", () => {
    expect(rulesOf(answered({ ...view, view_range: [1, -1] }, seen("     1\tt1")))).toEqual([]);
    expect(rulesOf(answered({ ...view, view_range: [2, 3] }, "Error", "invalid_input"))).toEqual([]);
    expect(rulesOf(answered({ ...view, view_range: [1, 3] }, "Error", "invalid_input"))).toHaveLength(1);
  });

  it("says that there is nothing only where there was nothing, and nothing below", () => {
    expect(rulesOf(answered(view, missing, "not_found"))).toEqual([]);
    const there = new LogBuilder().file("a", "t1\n");
    const one = there.call(view);
    expect(rulesOf(there.get(one, "a").answer(one, missing, "not_found"))).toHaveLength(1);
    const below = new LogBuilder().file("a/x", "t1\n");
    const two = below.call(view);
    expect(rulesOf(below.get(two, "a").answer(two, missing, "not_found"))).toHaveLength(1);
  });
});

describe("a create", () => {
  it("has succeeded where its write has landed", () => {
    const log = new LogBuilder();
    const one = log.call(create);
    expect(rulesOf(log.put(one, "a", "t1\n").answer(one, "File created"))).toEqual([]);
    const nothing = new LogBuilder();
    const two = nothing.call(create);
    expect(rulesOf(nothing.get(two, "a").answer(two, "File created"))).toEqual(["create answered success untruly"]);
  });

  it("says that the file exists where another one does", () => {
    expect(rulesOf(answered(create, "Error", "already_exists"))).toEqual([]);
    expect(rulesOf(answered(create, "Error", "already_exists", "after"))).toEqual([
      "create answered already_exists untruly",
    ]);
  });

  it("is found where what exists is its own write", () => {
    const log = new LogBuilder();
    const one = log.call(create);
    log.put(one, "a", "t1\n", { response: "503" }).get(one, "a").answer(one, "Error", "already_exists");
    expect(rulesOf(log)).toContain("create answered already_exists untruly");
  });

  it("says that a directory or a file above is in the way where one is", () => {
    expect(refusedBeside("d/x/y", "Error: /memories/d/x is a directory", "is_a_directory")).toEqual([]);
    expect(refusedBeside("d/xy", "Error: /memories/d/x is a directory", "is_a_directory")).toHaveLength(1);
    const above = "Error: /memories/d is a file, not a directory";
    expect(refusedBeside("d", above, "not_a_directory")).toEqual([]);
    expect(refusedBeside("e", above, "not_a_directory")).toHaveLength(1);
    expect(refusedBeside("e", "Error: /memories/e is a file, not a directory", "not_a_directory")).toHaveLength(1);
  });
});

describe("a limit", () => {
  it("is reached where as many files stood there as it says", () => {
    expect(limited({ files: 2 }, filesReached(2))).toEqual([]);
    expect(limited({ files: 2 }, filesReached(3))).toEqual(["create answered limit_reached untruly"]);
    expect(limited({ files: 3 }, filesReached(2))).toEqual(["create answered limit_reached untruly"]);
  });

  it("is reached where the new text would have been too much", () => {
    expect(limited({ totalBytes: 8 }, bytesReached(6))).toEqual([]);
    expect(limited({ totalBytes: 8 }, bytesReached(7))).toHaveLength(1);
    expect(limited({ totalBytes: 9 }, bytesReached(6))).toHaveLength(1);
  });
});

describe("a str_replace", () => {
  it("is refused where its text was not there", () => {
    expect(rulesOf(answered(edit, "No replacement was performed", "no_match"))).toEqual([]);
    expect(
      rulesOf(answered({ ...edit, old_str: "t" }, "No replacement was performed", "ambiguous_match")),
    ).toHaveLength(1);
    expect(rulesOf(answered(edit, missing, "not_found"))).toEqual([]);
  });

  it("is found where its own write has taken the text away", () => {
    const log = new LogBuilder().file("a", "t1\n");
    const one = log.call(edit);
    log.get(one, "a").put(one, "a", "t2\n", { response: "503" }).get(one, "a");
    expect(rulesOf(log.answer(one, "No replacement", "no_match"))).toContain("str_replace answered no_match untruly");
  });

  it("shows a snippet of what it wrote", () => {
    expect(shows("     1\tt2")).toEqual([]);
    expect(shows("     2\tt2")).toEqual(["str_replace answered success untruly"]);
  });

  it("gives up only where it has lost a race", () => {
    expect(gaveUp({ decision: "undecided" })).toEqual([]);
    expect(gaveUp({})).toEqual(["str_replace answered conflict untruly"]);
  });
});

describe("what nobody can know or help", () => {
  it.each([
    ["outcome_unknown", "GET", "503"],
    ["storage", "GET", "answered"],
  ] as const)("is found where %s is said though all that counts was answered", (code, _, response) => {
    const log = new LogBuilder().file("a", "t1\n");
    const one = log.call({ command: "view", path });
    expect(rulesOf(log.get(one, "a", { response }).answer(one, "Error", code))).toEqual([
      `view answered ${code} untruly`,
    ]);
  });

  it("is no abort where nobody aborts", () => {
    const log = new LogBuilder({ isCalm: true });
    expect(rulesOf(log.answer(log.call(create), "Error", "aborted"))).toEqual(["create answered aborted untruly"]);
  });

  it("is found where the code is none that the command has", () => {
    for (const input of [create, edit, { command: "view", path }] as const) {
      const log = new LogBuilder();
      const one = log.call(input);
      expect(rulesOf(log.get(one, "a").answer(one, "Error", "too_large"))).toEqual([
        `${input.command} answered too_large untruly`,
      ]);
    }
  });
});
