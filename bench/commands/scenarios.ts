import type { Command } from "./side.ts";

/** One row: what lies there, what Claude did before, and what is measured. */
export interface Scenario {
  readonly name: string;
  /** Paths below `/memories/`. */
  readonly files: readonly string[];
  /** Sent before the clock starts. */
  readonly before?: readonly Command[];
  /** One after another, as Claude's calls on one file are. */
  readonly commands: readonly Command[];
  /** It changes nothing: all samples of all sides share its files. */
  readonly readsOnly?: boolean;
}

const count = (number: number, prefix = ""): readonly string[] =>
  Array.from({ length: number }, (_, index) => `${prefix}${String(index).padStart(4, "0")}.md`);

/** About 2 kB, as notes are; each line can be told from the others. */
export const fileText = Array.from({ length: 40 }, (_, index) => `- note ${index}: the customer likes short answers`)
  .map((line) => `${line}\n`)
  .join("");

const path = "/memories/a.md";
const view: Command = { command: "view", path };
const replace = (line: number): Command => ({
  command: "str_replace",
  path,
  old_str: `- note ${line}: the customer likes`,
  new_str: `- note ${line}: the customer prefers`,
});
const insert: Command = { command: "insert", path, insert_line: 3, insert_text: "- one more note\n" };

export const scenarios: readonly Scenario[] = [
  {
    name: "view `/memories`, 10 files",
    files: count(10),
    commands: [{ command: "view", path: "/memories" }],
    readsOnly: true,
  },
  {
    name: "view `/memories`, 1,000 files",
    files: count(1_000),
    commands: [{ command: "view", path: "/memories" }],
    readsOnly: true,
  },
  { name: "view a file", files: ["a.md"], commands: [view], readsOnly: true },
  {
    name: "view another directory",
    files: count(10, "dir/"),
    commands: [{ command: "view", path: "/memories/dir" }],
    readsOnly: true,
  },
  {
    name: "create",
    files: count(10),
    commands: [{ command: "create", path: "/memories/new.md", file_text: fileText }],
  },
  { name: "str_replace", files: ["a.md"], commands: [replace(7)] },
  { name: "str_replace after a view", files: ["a.md"], before: [view], commands: [replace(7)] },
  {
    name: "5 edits of one file after a view",
    files: ["a.md"],
    before: [view],
    commands: [1, 3, 5, 7, 9].map(replace),
  },
  { name: "insert", files: ["a.md"], commands: [insert] },
  { name: "insert after a view", files: ["a.md"], before: [view], commands: [insert] },
  { name: "delete a file", files: ["a.md", "b.md"], commands: [{ command: "delete", path }] },
  {
    name: "delete a directory of 100 files",
    files: count(100, "dir/"),
    commands: [{ command: "delete", path: "/memories/dir" }],
  },
  {
    name: "rename a file",
    files: ["a.md", "b.md"],
    commands: [{ command: "rename", old_path: path, new_path: "/memories/c.md" }],
  },
  {
    name: "rename a directory of 16 files",
    files: count(16, "dir/"),
    commands: [{ command: "rename", old_path: "/memories/dir", new_path: "/memories/new" }],
  },
];
