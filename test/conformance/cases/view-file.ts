import * as because from "../because.ts";
import { failed, ok, type ConformanceGroup } from "../conformance-case.ts";
import { view } from "../inputs.ts";
import { content } from "../texts.ts";

export const viewFile: ConformanceGroup = {
  title: "View a file",
  cases: [
    {
      name: "numbers the lines from 1, six wide, a tab before the text",
      files: { "a.md": "first\nsecond" },
      calls: [
        [
          view("/memories/a.md"),
          ok("Here's the content of /memories/a.md with line numbers:\n     1\tfirst\n     2\tsecond"),
        ],
      ],
    },
    {
      name: "shows a file of one line without a newline",
      files: { "a.md": "only" },
      calls: [[view("/memories/a.md"), ok(content("/memories/a.md", "     1\tonly"))]],
    },
    {
      name: "counts no line after a final newline",
      files: { "a.md": "first\nsecond\n" },
      calls: [
        [
          view("/memories/a.md"),
          ok(content("/memories/a.md", "     1\tfirst", "     2\tsecond")),
          ok(content("/memories/a.md", "     1\tfirst", "     2\tsecond", "     3\t")),
        ],
      ],
      why: [because.finalNewline],
    },
    {
      name: "shows empty lines in the middle and at the end",
      files: { "a.md": "\n\nx\n\n" },
      calls: [
        [
          view("/memories/a.md"),
          ok(content("/memories/a.md", "     1\t", "     2\t", "     3\tx", "     4\t")),
          ok(content("/memories/a.md", "     1\t", "     2\t", "     3\tx", "     4\t", "     5\t")),
        ],
      ],
      why: [because.finalNewline],
    },
    {
      name: "shows only the first line of the answer for an empty file",
      files: { "a.md": "" },
      calls: [[view("/memories/a.md"), ok(content("/memories/a.md")), ok(content("/memories/a.md", "     1\t"))]],
      why: [because.finalNewline],
    },
    {
      name: "shows one empty line for a file that is one newline",
      files: { "a.md": "\n" },
      calls: [
        [
          view("/memories/a.md"),
          ok(content("/memories/a.md", "     1\t")),
          ok(content("/memories/a.md", "     1\t", "     2\t")),
        ],
      ],
      why: [because.finalNewline],
    },
    {
      name: "keeps tabs, trailing blanks and indentation",
      files: { "a.md": "\tx  \n    y\t" },
      calls: [[view("/memories/a.md"), ok(content("/memories/a.md", "     1\t\tx  ", "     2\t    y\t"))]],
    },
    {
      name: "splits at \\n only and keeps \\r, form feed, NEL and U+2028 in their line",
      files: { "a.md": "a\r\nb\u{c}c\u{85}d\u{2028}e\rf" },
      calls: [
        [view("/memories/a.md"), ok(content("/memories/a.md", "     1\ta\r", "     2\tb\u{c}c\u{85}d\u{2028}e\rf"))],
      ],
    },
    {
      name: "shows text of every script and emoji as they are",
      files: { "a.md": "Grüße, 你好, مرحبا\n👩‍👩‍👧 e\u{301}" },
      calls: [
        [view("/memories/a.md"), ok(content("/memories/a.md", "     1\tGrüße, 你好, مرحبا", "     2\t👩‍👩‍👧 e\u{301}"))],
      ],
    },
    {
      name: "keeps a byte order mark",
      files: { "a.md": "\u{feff}x" },
      calls: [[view("/memories/a.md"), ok(content("/memories/a.md", "     1\t\u{feff}x"))]],
    },
    {
      name: "says that a missing file does not exist",
      calls: [
        [
          view("/memories/no.md"),
          failed("The path /memories/no.md does not exist. Please provide a valid path."),
          failed("Error: The path /memories/no.md does not exist. Please provide a valid path."),
        ],
      ],
      why: [because.documentedSentence],
    },
    {
      name: "says that what lies below a file does not exist",
      files: { "a.md": "x" },
      calls: [
        [
          view("/memories/a.md/b.md"),
          failed("The path /memories/a.md/b.md does not exist. Please provide a valid path."),
          failed("Error: ENOTDIR: not a directory, realpath '<folder>/memories/a.md/b.md'"),
        ],
      ],
      why: [because.belowAFile],
    },
    {
      name: "tells names apart by their case",
      files: { "Notes.md": "upper", "notes.md": "lower" },
      calls: [
        [view("/memories/Notes.md"), ok(content("/memories/Notes.md", "     1\tupper"))],
        [view("/memories/notes.md"), ok(content("/memories/notes.md", "     1\tlower"))],
      ],
    },
    {
      name: "shows the exact file, not one whose name starts alike",
      files: { "note.md": "one", "note.md.bak": "two" },
      calls: [[view("/memories/note.md"), ok(content("/memories/note.md", "     1\tone"))]],
    },
    {
      name: "shows a hidden file that is named",
      files: { ".env": "x" },
      calls: [[view("/memories/.env"), ok(content("/memories/.env", "     1\tx"))]],
    },
  ],
};
