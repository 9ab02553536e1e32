import { describe, expect, it } from "vitest";
import { check } from "./check.ts";
import { LogBuilder } from "./log-builder.ts";

const rulesOf = (log: LogBuilder): readonly string[] => check(log.build()).map(({ rule }) => rule);
const path = "/memories/a";
const inserted = `The file ${path} has been edited.`;
const wrong = "inserted at the wrong line";
const stale = `Error: ${path} was changed since you viewed it: nothing was written, view it again`;
const insert = (line: number) => ({ command: "insert", path, insert_line: line, insert_text: "t9" }) as const;

/** A conversation views `t1 t2 t3`, others leave another text, then it inserts. */
function viewed(present: string, line: number): { readonly log: LogBuilder; readonly one: number } {
  const log = new LogBuilder().file("a", "t1\nt2\nt3\n");
  const view = log.call({ command: "view", path }, { conversation: 7 });
  log
    .get(view, "a")
    .answer(view, `Here's the content of ${path} with line numbers:\n     1\tt1\n     2\tt2\n     3\tt3`);
  const other = log.call({ command: "delete", path });
  log.delete(other, "a").answer(other, `Successfully deleted ${path}`);
  const again = log.call({ command: "create", path, file_text: present });
  log.put(again, "a", present).answer(again, `File created successfully at: ${path}`);
  const one = log.call(insert(line), { conversation: 7 });
  return { log: log.get(one, "a"), one };
}

function leaves(present: string, line: number, after: string): readonly string[] {
  const { log, one } = viewed(present, line);
  return rulesOf(log.put(one, "a", after).answer(one, inserted));
}

const insertedUnknowing = (after: string): readonly string[] => {
  const log = new LogBuilder().file("a", "t1\nt2\n");
  const one = log.call(insert(1));
  log.get(one, "a");
  const two = log.call({ ...insert(0), insert_text: "t0" });
  log.get(two, "a").put(two, "a", "t0\nt1\nt2\n").answer(two, inserted);
  return rulesOf(log.get(one, "a").put(one, "a", after).answer(one, inserted));
};

const refusedAsStale = (present: string): readonly string[] => {
  const { log, one } = viewed(present, 2);
  return rulesOf(log.answer(one, stale, "conflict"));
};

const refusedLine = (line: number, lines: number): readonly string[] => {
  const log = new LogBuilder().file("a", "t1\nt2\n");
  const one = log.call(insert(line));
  const content = `Error: Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${lines}]`;
  return rulesOf(log.get(one, "a").answer(one, content, "invalid_input"));
};

function overwrites(knows: "the file" | "an older one" | "nothing"): readonly string[] {
  const log = new LogBuilder({ onExisting: "overwrite" }).file("a", "t1\n");
  const look = (): void => {
    const view = log.call({ command: "view", path }, { conversation: 7 });
    const shown = log.versionOf("a") === '"u1"' ? "t1" : "t2";
    log.get(view, "a").answer(view, `Here's the content of ${path} with line numbers:\n     1\t${shown}`);
  };
  if (knows === "an older one") look();
  const other = log.call({ command: "str_replace", path, old_str: "t1", new_str: "t2" });
  log.get(other, "a").put(other, "a", "t2\n").answer(other, "The memory file has been edited.");
  if (knows === "the file") look();
  const one = log.call({ command: "create", path, file_text: "t9\n" }, { conversation: 7 });
  return rulesOf(log.get(one, "a").put(one, "a", "t9\n").answer(one, `File created successfully at: ${path}`));
}

describe("an insert", () => {
  it.each([
    ["right after its line", "t0\nt1\nt2\nt3\n", 2, "t0\nt1\nt2\nt9\nt3\n"],
    ["before the next one, where its own has gone", "t0\nt1\nt3\n", 2, "t0\nt1\nt9\nt3\n"],
    ["at the top", "t0\nt1\n", 0, "t9\nt0\nt1\n"],
    ["at the end, after the last line", "t1\nt2\nt3\nt4\n", 3, "t1\nt2\nt3\nt4\nt9\n"],
  ])("goes %s", (_, present, line, after) => {
    expect(leaves(present, line, after)).toEqual([]);
  });

  it.each([
    ["at the literal line", "t0\nt1\nt2\nt3\n", 2, "t0\nt1\nt9\nt2\nt3\n"],
    ["somewhere, where both lines have gone", "t0\nt1\n", 2, "t0\nt1\nt9\n"],
    ["after its line, not at the top", "t0\nt1\n", 0, "t0\nt1\nt9\n"],
    ["after its line, not at the end", "t1\nt2\nt3\nt4\n", 3, "t1\nt2\nt3\nt9\nt4\n"],
  ])("is found where it goes %s", (_, present, line, after) => {
    expect(leaves(present, line, after)).toEqual([wrong]);
  });

  it("counts on from its own writes", () => {
    const { log, one } = viewed("t0\nt1\nt2\nt3\n", 1);
    log.put(one, "a", "t0\nt1\nt9\nt2\nt3\n").answer(one, inserted);
    const two = log.call({ ...insert(3), insert_text: "t8" }, { conversation: 7 }); // behind `t2`, of `t1 t9 t2 t3`
    log.get(two, "a").put(two, "a", "t0\nt1\nt9\nt2\nt8\nt3\n").answer(two, inserted);
    expect(rulesOf(log)).toEqual([]);
  });

  it("means what its call has read, where the conversation knows nothing", () => {
    expect(insertedUnknowing("t0\nt1\nt9\nt2\n")).toEqual([]);
    expect(insertedUnknowing("t0\nt9\nt1\nt2\n")).toEqual([wrong]);
  });

  it("is refused where both its lines have gone, and only there", () => {
    expect(refusedAsStale("t0\nt1\n")).toEqual([]);
    expect(refusedAsStale("t0\nt1\nt3\n")).toEqual(["insert answered conflict untruly"]);
  });

  it("is refused where there are fewer lines, with their number", () => {
    expect(refusedLine(3, 2)).toEqual([]);
    expect(refusedLine(2, 1)).toEqual(["insert answered invalid_input untruly"]);
    expect(refusedLine(2, 2)).toEqual(["insert answered invalid_input untruly"]);
  });
});

describe("a create that overwrites", () => {
  it("replaces what the conversation saw last, or, where it saw nothing, what it finds", () => {
    expect(overwrites("the file")).toEqual([]);
    expect(overwrites("nothing")).toEqual([]);
  });

  it("is found where it replaces what the conversation has not seen", () => {
    expect(overwrites("an older one")).toEqual(["overwrote what nobody saw"]);
  });
});
