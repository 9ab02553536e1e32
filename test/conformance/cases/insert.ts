import * as because from "../because.ts";
import { failed, ok, type ConformanceGroup } from "../conformance-case.ts";
import { insert } from "../inputs.ts";

const path = "/memories/a.md";
const done = ok("The file /memories/a.md has been edited.");

const outside = (line: number, lines: number): string =>
  `Error: Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${lines}]`;

const noLine = (came: string): string =>
  `Error: \`insert_line\` should be an integer, the line after which the text goes, 0 for the top of the file, not ${came}.`;

export const insertText: ConformanceGroup = {
  title: "Insert text",
  cases: [
    {
      name: "inserts after the line",
      files: { "a.md": "1\n2\n3\n" },
      calls: [[insert(path, 2, "new"), done]],
      after: { "a.md": "1\n2\nnew\n3\n" },
    },
    {
      name: "inserts at the top for 0",
      files: { "a.md": "1\n2\n" },
      calls: [[insert(path, 0, "new"), done]],
      after: { "a.md": "new\n1\n2\n" },
    },
    {
      name: "inserts at the end and keeps the final newline",
      files: { "a.md": "1\n2\n" },
      calls: [[insert(path, 2, "new"), done]],
      after: { "a.md": "1\n2\nnew\n" },
    },
    {
      name: "inserts at the end and adds no final newline",
      files: { "a.md": "1\n2" },
      calls: [[insert(path, 2, "new"), done]],
      after: { "a.md": "1\n2\nnew" },
    },
    {
      name: "inserts at the top of a file without a newline",
      files: { "a.md": "1" },
      calls: [[insert(path, 0, "new"), done]],
      after: { "a.md": "new\n1" },
    },
    {
      name: "inserts several lines",
      files: { "a.md": "1\n2\n" },
      calls: [[insert(path, 1, "a\n\nb"), done]],
      after: { "a.md": "1\na\n\nb\n2\n" },
    },
    {
      name: "drops one newline at the end of the text",
      files: { "a.md": "1\n2\n" },
      calls: [[insert(path, 1, "new\n"), done]],
      after: { "a.md": "1\nnew\n2\n" },
    },
    {
      name: "drops only one of two newlines at the end of the text",
      files: { "a.md": "1\n2\n" },
      calls: [[insert(path, 1, "new\n\n"), done]],
      after: { "a.md": "1\nnew\n\n2\n" },
    },
    {
      name: "drops the newline of the text at the end of a file without one",
      files: { "a.md": "1" },
      calls: [[insert(path, 1, "new\n"), done]],
      after: { "a.md": "1\nnew" },
    },
    {
      name: "inserts an empty line for an empty text",
      files: { "a.md": "1\n2\n" },
      calls: [[insert(path, 1, ""), done]],
      after: { "a.md": "1\n\n2\n" },
    },
    {
      name: "writes the text exactly as it is into an empty file",
      files: { "a.md": "" },
      calls: [[insert(path, 0, "new"), done]],
      after: { "a.md": "new" },
      sdkAfter: { "a.md": "new\n" },
      why: [because.emptyFileKept],
    },
    {
      name: "writes a text with a final newline into an empty file",
      files: { "a.md": "" },
      calls: [[insert(path, 0, "new\n"), done]],
      after: { "a.md": "new\n" },
    },
    {
      name: "knows no line 1 in an empty file",
      files: { "a.md": "" },
      calls: [[insert(path, 1, "new"), failed(outside(1, 0)), done]],
      sdkAfter: { "a.md": "\nnew" },
      why: [because.finalNewline],
    },
    {
      name: "knows no line after a final newline",
      files: { "a.md": "1\n" },
      calls: [[insert(path, 2, "new"), failed(outside(2, 1)), done]],
      sdkAfter: { "a.md": "1\n\nnew" },
      why: [because.finalNewline],
    },
    {
      name: "refuses a line after the last one and names the range",
      files: { "a.md": "1\n2" },
      calls: [[insert(path, 3, "new"), failed(outside(3, 2))]],
    },
    {
      name: "refuses a negative line",
      files: { "a.md": "1\n2" },
      calls: [[insert(path, -1, "new"), failed(outside(-1, 2))]],
    },
    {
      name: "refuses a line that is no integer",
      files: { "a.md": "1\n2" },
      calls: [[insert(path, 1.5, "new"), failed(noLine("1.5")), done]],
      sdkAfter: { "a.md": "1\nnew\n2" },
      why: [because.validInput],
    },
    {
      name: "refuses a line that is sent as a string",
      files: { "a.md": "1\n2" },
      calls: [[insert(path, "1", "new"), failed(noLine("a string")), done]],
      sdkAfter: { "a.md": "1\nnew\n2" },
      why: [because.validInput],
    },
    {
      name: "refuses a line that is null, which would be the top",
      files: { "a.md": "1\n2" },
      calls: [[insert(path, null, "new"), failed(noLine("null")), done]],
      sdkAfter: { "a.md": "new\n1\n2" },
      why: [because.validInput],
    },
    {
      name: "ends inserted lines in \\n in a file with \\r\\n, and changes no other line",
      files: { "a.md": "1\r\n2\r\n" },
      calls: [[insert(path, 1, "new"), done]],
      after: { "a.md": "1\r\nnew\n2\r\n" },
    },
    {
      name: "keeps the \\r of an inserted text",
      files: { "a.md": "1\r\n2\r\n" },
      calls: [[insert(path, 1, "new\r\n"), done]],
      after: { "a.md": "1\r\nnew\r\n2\r\n" },
    },
    {
      name: "counts \\n only, so that U+2028 and NEL stay inside their line",
      files: { "a.md": "1\u{2028}a\u{85}b\n2" },
      calls: [[insert(path, 1, "new"), done]],
      after: { "a.md": "1\u{2028}a\u{85}b\nnew\n2" },
    },
    {
      name: "inserts at the top after a byte order mark",
      files: { "a.md": "\u{feff}1\n" },
      calls: [[insert(path, 0, "new"), done]],
      after: { "a.md": "\u{feff}new\n1\n" },
      sdkAfter: { "a.md": "new\n\u{feff}1\n" },
      why: [because.byteOrderMark],
    },
    {
      name: "takes the patterns of a replacement for plain text",
      files: { "a.md": "1\n" },
      calls: [[insert(path, 0, "$& $1 $$"), done]],
      after: { "a.md": "$& $1 $$\n1\n" },
    },
    {
      name: "says that a missing file does not exist",
      calls: [
        [
          insert("/memories/no.md", 0, "x"),
          failed("Error: The path /memories/no.md does not exist"),
          failed("Error: The path /memories/no.md does not exist. Please provide a valid path."),
        ],
      ],
      why: [because.documentedInsert],
    },
    {
      name: "says of a directory that the path does not exist",
      files: { "d/a.md": "x" },
      calls: [
        [
          insert("/memories/d", 0, "x"),
          failed("Error: The path /memories/d does not exist"),
          failed("Error: The path /memories/d is not a file."),
        ],
      ],
      why: [because.directoryIsNoFile],
    },
    {
      name: "says of the root that the path does not exist",
      files: { "a.md": "x" },
      calls: [
        [
          insert("/memories", 0, "x"),
          failed("Error: The path /memories does not exist"),
          failed("Error: The path /memories is not a file."),
        ],
      ],
      why: [because.directoryIsNoFile],
    },
    {
      name: "says of what lies below a file that the path does not exist",
      files: { "a.md": "x" },
      calls: [
        [
          insert("/memories/a.md/b", 0, "x"),
          failed("Error: The path /memories/a.md/b does not exist"),
          failed("Error: ENOTDIR: not a directory, realpath '<folder>/memories/a.md/b'"),
        ],
      ],
      why: [because.belowAFile],
    },
  ],
};
