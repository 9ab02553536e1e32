import * as because from "../because.ts";
import { failed, ok, type ConformanceGroup } from "../conformance-case.ts";
import { create } from "../inputs.ts";

const created = (path: string): string => `File created successfully at: ${path}`;

export const createFile: ConformanceGroup = {
  title: "Create a file",
  cases: [
    {
      name: "writes the text",
      calls: [[create("/memories/a.md", "one\ntwo\n"), ok("File created successfully at: /memories/a.md")]],
      after: { "a.md": "one\ntwo\n" },
    },
    {
      name: "writes an empty file",
      calls: [[create("/memories/a.md", ""), ok(created("/memories/a.md"))]],
      after: { "a.md": "" },
    },
    {
      name: "adds no final newline and changes no line end, blank or mark",
      calls: [[create("/memories/a.md", "\u{feff}a\r\nb \t\u{85}\u{2028}\n\nc"), ok(created("/memories/a.md"))]],
      after: { "a.md": "\u{feff}a\r\nb \t\u{85}\u{2028}\n\nc" },
    },
    {
      name: "writes control characters as they are",
      calls: [[create("/memories/a.md", "a\u{0}b\u{1b}[0m"), ok(created("/memories/a.md"))]],
      after: { "a.md": "a\u{0}b\u{1b}[0m" },
    },
    {
      name: "makes the directories above the file",
      calls: [[create("/memories/d/e/f/a.md", "x"), ok(created("/memories/d/e/f/a.md"))]],
      after: { "d/e/f/a.md": "x" },
    },
    {
      name: "adds a file to a directory that is there",
      files: { "d/a.md": "1" },
      calls: [[create("/memories/d/b.md", "2"), ok(created("/memories/d/b.md"))]],
      after: { "d/a.md": "1", "d/b.md": "2" },
    },
    {
      name: "refuses an existing file and keeps it",
      files: { "a.md": "old" },
      calls: [[create("/memories/a.md", "new"), failed("Error: File /memories/a.md already exists")]],
    },
    {
      name: "refuses an existing file that has the same text",
      files: { "a.md": "same" },
      calls: [[create("/memories/a.md", "same"), failed("Error: File /memories/a.md already exists")]],
    },
    {
      name: "refuses an existing empty file",
      files: { "a.md": "" },
      calls: [[create("/memories/a.md", "new"), failed("Error: File /memories/a.md already exists")]],
    },
    {
      name: "refuses the path of a directory",
      files: { "d/a.md": "x" },
      calls: [
        [
          create("/memories/d", "x"),
          failed("Error: /memories/d is a directory"),
          failed("Error: File /memories/d already exists"),
        ],
      ],
      why: [because.directoryIsNamed],
    },
    {
      name: "refuses the root",
      calls: [
        [
          create("/memories", "x"),
          failed("Error: /memories is a directory"),
          failed("Error: File /memories already exists"),
        ],
        [
          create("/memories/", "x"),
          failed("Error: /memories/ is a directory"),
          failed("Error: File /memories/ already exists"),
        ],
      ],
      why: [because.directoryIsNamed],
    },
    {
      name: "refuses a path below a file and names the file",
      files: { "a.md": "x" },
      calls: [
        [
          create("/memories/a.md/b.md", "y"),
          failed("Error: /memories/a.md is a file, not a directory"),
          failed("Error: ENOTDIR: not a directory, realpath '<folder>/memories/a.md/b.md'"),
        ],
        [
          create("/memories/a.md/d/c.md", "y"),
          failed("Error: /memories/a.md is a file, not a directory"),
          failed("Error: ENOTDIR: not a directory, realpath '<folder>/memories/a.md/d/c.md'"),
        ],
      ],
      why: [because.virtualPaths],
    },
    {
      name: "creates a file whose name another one starts with",
      files: { "note.md": "1" },
      calls: [[create("/memories/note", "2"), ok(created("/memories/note"))]],
      after: { note: "2", "note.md": "1" },
    },
    {
      name: "creates hidden files and files in node_modules",
      calls: [
        [create("/memories/.hidden", "1"), ok(created("/memories/.hidden"))],
        [create("/memories/node_modules/x.js", "2"), ok(created("/memories/node_modules/x.js"))],
      ],
      after: { ".hidden": "1", "node_modules/x.js": "2" },
    },
    {
      name: "repeats the path as it was sent",
      calls: [[create("/memories//d/./a.md", "x"), ok(created("/memories//d/./a.md"))]],
      after: { "d/a.md": "x" },
    },
    {
      name: "creates again what was deleted",
      files: { "a.md": "old" },
      calls: [
        [{ command: "delete", path: "/memories/a.md" }, ok("Successfully deleted /memories/a.md")],
        [create("/memories/a.md", "new"), ok(created("/memories/a.md"))],
      ],
      after: { "a.md": "new" },
    },
    {
      name: "refuses half of a surrogate pair, which cannot be written as it is",
      calls: [
        [
          create("/memories/a.md", "a\u{d83d}b"),
          failed(
            "Error: `file_text` holds half of a surrogate pair, which is not a character; it should be well-formed Unicode text.",
          ),
          ok(created("/memories/a.md")),
        ],
      ],
      after: {},
      sdkAfter: { "a.md": "a\u{fffd}b" },
      why: [because.validInput],
    },
  ],
};
