import * as because from "../because.ts";
import { failed, ok, type ConformanceGroup } from "../conformance-case.ts";
import { view } from "../inputs.ts";
import { content, listing } from "../texts.ts";

const path = "/memories/a.md";
const fiveLines = { "a.md": "1\n2\n3\n4\n5" };

const outside = (range: string, lines: number): string =>
  `Error: Invalid \`view_range\` parameter: [${range}]. It should be [start, end] with 1 <= start <= end within the lines of the file: [1, ${lines}], or with end -1 for the last line`;

const noRange = (came: string): string =>
  `Error: \`view_range\` should be [start, end], two integers: the first line from 1, the last line or -1 for the end of the file, not ${came}.`;

export const viewRange: ConformanceGroup = {
  title: "View part of a file",
  cases: [
    {
      name: "shows the lines from start to end, both included, with their own numbers",
      files: fiveLines,
      calls: [[view(path, [2, 4]), ok(content(path, "     2\t2", "     3\t3", "     4\t4"))]],
    },
    {
      name: "shows one line where start and end are equal",
      files: fiveLines,
      calls: [[view(path, [5, 5]), ok(content(path, "     5\t5"))]],
    },
    {
      name: "goes to the end of the file for -1",
      files: fiveLines,
      calls: [[view(path, [4, -1]), ok(content(path, "     4\t4", "     5\t5"))]],
    },
    {
      name: "ends at the last line where the end lies beyond it",
      files: fiveLines,
      calls: [[view(path, [4, 99]), ok(content(path, "     4\t4", "     5\t5"))]],
    },
    {
      name: "goes to the last line, not beyond a final newline, for -1",
      files: { "a.md": "1\n2\n" },
      calls: [[view(path, [2, -1]), ok(content(path, "     2\t2")), ok(content(path, "     2\t2", "     3\t"))]],
      why: [because.finalNewline],
    },
    {
      name: "refuses a start after the last line",
      files: fiveLines,
      calls: [[view(path, [6, 9]), failed(outside("6, 9", 5)), ok(`${content(path)}\n`)]],
      why: [because.rangeIsNamed],
    },
    {
      name: "refuses a start after the last line, to the end of the file",
      files: fiveLines,
      calls: [[view(path, [6, -1]), failed(outside("6, -1", 5)), ok(`${content(path)}\n`)]],
      why: [because.rangeIsNamed],
    },
    {
      name: "refuses the line after a final newline",
      files: { "a.md": "1\n2\n" },
      calls: [[view(path, [3, 3]), failed(outside("3, 3", 2)), ok(content(path, "     3\t"))]],
      why: [because.finalNewline],
    },
    {
      name: "refuses a start after the end",
      files: fiveLines,
      calls: [[view(path, [4, 2]), failed(outside("4, 2", 5)), ok(`${content(path)}\n`)]],
      why: [because.rangeIsNamed],
    },
    {
      name: "refuses a start of 0",
      files: fiveLines,
      calls: [[view(path, [0, 2]), failed(outside("0, 2", 5)), ok(content(path, "     1\t1", "     2\t2"))]],
      why: [because.rangeIsNamed],
    },
    {
      name: "refuses a negative start",
      files: fiveLines,
      calls: [
        [
          view(path, [-2, -1]),
          failed(outside("-2, -1", 5)),
          ok(content(path, "     1\t1", "     2\t2", "     3\t3", "     4\t4", "     5\t5")),
        ],
      ],
      why: [because.rangeIsNamed],
    },
    {
      name: "refuses an end of 0",
      files: fiveLines,
      calls: [[view(path, [1, 0]), failed(outside("1, 0", 5)), ok(`${content(path)}\n`)]],
      why: [because.rangeIsNamed],
    },
    {
      name: "refuses a negative end other than -1",
      files: fiveLines,
      calls: [
        [view(path, [1, -2]), failed(outside("1, -2", 5)), ok(content(path, "     1\t1", "     2\t2", "     3\t3"))],
      ],
      why: [because.rangeIsNamed],
    },
    {
      name: "shows only the first line of the answer for any range of an empty file",
      files: { "a.md": "" },
      calls: [[view(path, [1, 5]), ok(content(path)), ok(content(path, "     1\t"))]],
      why: [because.finalNewline],
    },
    {
      name: "refuses numbers that are no integers",
      files: fiveLines,
      calls: [[view(path, [1.5, 2]), failed(outside("1.5, 2", 5)), ok(content(path, "   1.5\t1", "   2.5\t2"))]],
      why: [because.rangeIsNamed],
    },
    {
      name: "refuses numbers that are sent as strings",
      files: fiveLines,
      calls: [
        [
          view(path, ["2", "3"]),
          failed(noRange("an array that holds a string")),
          ok(content(path, "     2\t2", "     3\t3")),
        ],
      ],
      why: [because.validInput],
    },
    {
      name: "refuses a range of one number",
      files: { "a.md": "1" },
      calls: [[view(path, [1]), failed(noRange("an array of 1")), ok(content(path, "     1\t1"))]],
      why: [because.validInput],
    },
    {
      name: "takes null for no range",
      files: fiveLines,
      calls: [[view(path, null), ok(content(path, "     1\t1", "     2\t2", "     3\t3", "     4\t4", "     5\t5"))]],
    },
    {
      name: "ignores a range on a directory",
      files: { "d/a.md": "x" },
      calls: [
        [
          view("/memories/d", [7, 9]),
          ok(listing("/memories/d", "1B\t/memories/d", "1B\t/memories/d/a.md")),
          ok(listing("/memories/d", "<inode>\t/memories/d", "1B\t/memories/d/a.md")),
        ],
      ],
      why: [because.directorySize],
    },
    {
      name: "says that a missing file does not exist, whatever the range",
      calls: [
        [
          view("/memories/no.md", [1, 2]),
          failed("The path /memories/no.md does not exist. Please provide a valid path."),
          failed("Error: The path /memories/no.md does not exist. Please provide a valid path."),
        ],
      ],
      why: [because.documentedSentence],
    },
  ],
};
