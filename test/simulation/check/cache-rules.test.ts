import { describe, expect, it } from "vitest";
import type { Settings } from "../log.ts";
import { check, judge } from "./check.ts";
import { LogBuilder } from "./log-builder.ts";

const rulesOf = (log: LogBuilder): readonly string[] => check(log.build()).map(({ rule }) => rule);
const path = "/memories/a";
const insert = { command: "insert", path, insert_line: 1, insert_text: "t9" } as const;
const inserted = `The file ${path} has been edited.`;
const replace = { command: "str_replace", path, old_str: "t2", new_str: "t3" } as const;
const missing = `No replacement was performed, old_str \`t2\` did not appear verbatim in ${path}.`;

/** A process that has viewed `t1` at `a`. */
function knowing(settings: Partial<Settings> = {}): LogBuilder {
  const log = new LogBuilder({ directEdits: true, ...settings }).file("a", "t1\n");
  const view = log.call({ command: "view", path }, { process: 7 });
  return log.get(view, "a").answer(view, `Here's the content of ${path} with line numbers:\n     1\tt1`);
}

/** Another process leaves other bytes, or the same as before. */
function disturbed(log: LogBuilder, ...texts: readonly string[]): LogBuilder {
  for (const text of texts) {
    const gone = log.call({ command: "delete", path });
    log.delete(gone, "a").list(gone, "a/").answer(gone, `Successfully deleted ${path}`);
    const other = log.call({ command: "create", path, file_text: text });
    log.put(other, "a", text).answer(other, `File created successfully at: ${path}`);
  }
  return log;
}

const unread = (log: LogBuilder): LogBuilder => {
  const one = log.call(insert, { process: 7 });
  return log.put(one, "a", "t1\nt9\n").answer(one, inserted);
};

/** It sends an edit of what was known before, and loses the race with it. */
const sentTwice = (looks: boolean): LogBuilder => {
  const log = knowing();
  const stale = log.versionOf("a");
  disturbed(log, "t0\nt1\n");
  const one = log.call({ ...insert, insert_line: 0 }, { process: 7 });
  log.put(one, "a", "", { condition: stale, decision: "precondition failed" });
  if (looks) log.get(one, "a");
  return log.put(one, "a", "t9\nt0\nt1\n").answer(one, inserted);
};

const readFirst = (log: LogBuilder): LogBuilder => {
  const one = log.call(insert, { process: 7 });
  return log.get(one, "a").put(one, "a", "t1\nt9\n").answer(one, inserted);
};

/** It was B in between, and what is there by now carries other ids. */
const fooled = (settings: Partial<Settings>): LogBuilder => {
  const log = disturbed(knowing(settings), "t2\n", "t1\n");
  const one = log.call(insert, { process: 7 });
  return log.put(one, "a", "t1\nt9\n", { ids: [`w${one}`, "i0"] }).answer(one, inserted);
};

const refusesAfter = (looks: boolean): LogBuilder => {
  const log = knowing();
  const one = log.call(replace, { process: 7 });
  return (looks ? log.get(one, "a") : log).answer(one, missing, "no_match");
};

const viewsAfter = (looks: boolean): LogBuilder => {
  const log = knowing();
  const one = log.call({ command: "view", path }, { process: 7 });
  if (looks) log.get(one, "a");
  return log.list(one, "a/").answer(one, `Here's the content of ${path} with line numbers:\n     1\tt1`);
};

describe("an edit", () => {
  it("may go out unread where its process has heard of the file, in any conversation", () => {
    expect(rulesOf(unread(knowing()))).toEqual([]);
    expect(rulesOf(unread(knowing({ isCalm: true })))).toEqual([]);
  });

  it("is found where it goes out unread and should not", () => {
    expect(rulesOf(unread(knowing({ directEdits: false })))).toEqual(["edited unread"]);
    expect(rulesOf(unread(new LogBuilder({ directEdits: true }).file("a", "t1\n")))).toEqual([
      "edited what it had to forget",
    ]);
  });

  it("is found where its process has sent a write since, or has read that the file is gone", () => {
    const sent = knowing();
    const one = sent.call({ command: "delete", path }, { process: 7 });
    sent.delete(one, "a", { decision: "undecided" }).list(one, "a/").answer(one, "Error", "outcome_unknown");
    expect(rulesOf(unread(sent))).toContain("edited what it had to forget");
    const gone = knowing();
    const other = gone.call({ command: "delete", path });
    gone.delete(other, "a").list(other, "a/").answer(other, `Successfully deleted ${path}`);
    const two = gone.call(replace, { process: 7 });
    gone.get(two, "a").answer(two, `Error: The path ${path} does not exist. Please provide a valid path.`, "not_found");
    const again = gone.call({ command: "create", path, file_text: "t1\n" });
    gone.put(again, "a", "t1\n").answer(again, `File created successfully at: ${path}`);
    expect(rulesOf(unread(gone))).toContain("edited what it had to forget");
  });

  it("goes out unread once: after a lost race it looks what is there", () => {
    expect(rulesOf(sentTwice(true))).toEqual([]);
    expect(rulesOf(sentTwice(false))).toContain("edited unread again");
  });

  it("is found where it reads what its process knows for certain", () => {
    expect(rulesOf(readFirst(knowing()))).toEqual(["read what it knew"]);
    expect(rulesOf(readFirst(knowing({ directEdits: false })))).toEqual([]);
    expect(rulesOf(readFirst(disturbed(knowing(), "t1\n")))).toEqual([]);
    expect(rulesOf(readFirst(knowing({ totalBytes: 1_000 })))).toEqual([]);
  });

  it("means the lines of what it was made on, where the conversation was shown nothing", () => {
    const log = knowing();
    const one = log.call(insert, { process: 7, conversation: 8 });
    expect(rulesOf(log.put(one, "a", "t9\nt1\n").answer(one, inserted))).toEqual(["inserted at the wrong line"]);
  });
});

describe("equal bytes", () => {
  it("may leave the history that the process remembered, and that is counted", () => {
    expect(rulesOf(fooled({ etags: "content" }))).toEqual([]);
    expect(judge(fooled({ etags: "content" }).build()).unreadEdits).toEqual(["committed, A → B → A"]);
  });

  it("are no excuse for a history that nobody remembered, or where each write has its own ETag", () => {
    const log = disturbed(knowing({ etags: "content" }), "t2\n", "t1\n");
    const one = log.call(insert, { process: 7 });
    log.put(one, "a", "t1\nt9\n", { ids: [`w${one}`, "i8"] }).answer(one, inserted);
    expect(rulesOf(log)).toEqual(["write ids not carried on"]);
    expect(rulesOf(fooled({ etags: "unique" }))).toContain("write ids not carried on");
  });
});

describe("an answer", () => {
  it("is found where nobody has asked the store for it", () => {
    expect(rulesOf(refusesAfter(true))).toEqual([]);
    expect(rulesOf(refusesAfter(false))).toEqual(["answered unread"]);
  });

  it("is no view of a file where only its neighbours were asked for", () => {
    expect(rulesOf(viewsAfter(true))).toEqual([]);
    expect(rulesOf(viewsAfter(false))).toContain("answered unread");
  });
});
