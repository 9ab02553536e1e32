import * as because from "../because.ts";
import { ok, type ConformanceGroup } from "../conformance-case.ts";
import { replace } from "../inputs.ts";
import { edited } from "../texts.ts";

const path = "/memories/a.md";

export const replaceText: ConformanceGroup = {
  title: "Replace text",
  cases: [
    {
      name: "replaces the text and shows two lines around it",
      files: { "a.md": "1\n2\n3\n4\n5\n6\n7" },
      calls: [
        [
          replace(path, "4", "four"),
          ok(
            "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n" +
              "     2\t2\n     3\t3\n     4\tfour\n     5\t5\n     6\t6",
          ),
        ],
      ],
      after: { "a.md": "1\n2\n3\nfour\n5\n6\n7" },
    },
    {
      name: "shows fewer lines at the top and at the bottom",
      files: { "a.md": "1\n2\n3\n4\n5" },
      calls: [
        [replace(path, "1", "one"), ok(edited("     1\tone", "     2\t2", "     3\t3"))],
        [replace(path, "5", "five"), ok(edited("     3\t3", "     4\t4", "     5\tfive"))],
      ],
      after: { "a.md": "one\n2\n3\n4\nfive" },
    },
    {
      name: "shows no line after a final newline",
      files: { "a.md": "1\n2\n" },
      calls: [
        [
          replace(path, "2", "two"),
          ok(edited("     1\t1", "     2\ttwo")),
          ok(edited("     1\t1", "     2\ttwo", "     3\t")),
        ],
      ],
      after: { "a.md": "1\ntwo\n" },
      why: [because.finalNewline],
    },
    {
      name: "replaces a part of a line",
      files: { "a.md": "name: Ada Lovelace" },
      calls: [[replace(path, "Ada", "Augusta Ada"), ok(edited("     1\tname: Augusta Ada Lovelace"))]],
      after: { "a.md": "name: Augusta Ada Lovelace" },
    },
    {
      name: "replaces text that spans lines",
      files: { "a.md": "1\n2\n3\n4" },
      calls: [
        [
          replace(path, "2\n3", "two\nthree"),
          ok(edited("     1\t1", "     2\ttwo", "     3\tthree", "     4\t4")),
          {
            isError: true,
            text: `Error: No replacement was performed, old_str \`2\n3\` did not appear verbatim in ${path}.`,
          },
        ],
      ],
      after: { "a.md": "1\ntwo\nthree\n4" },
      sdkAfter: { "a.md": "1\n2\n3\n4" },
      why: [because.verbatimMatch],
    },
    {
      name: "joins lines where a newline is replaced",
      files: { "a.md": "one\ntwo" },
      calls: [
        [
          replace(path, "\n", " "),
          ok(edited("     1\tone two")),
          {
            isError: true,
            text: `Error: No replacement was performed, old_str \`\n\` did not appear verbatim in ${path}.`,
          },
        ],
      ],
      after: { "a.md": "one two" },
      sdkAfter: { "a.md": "one\ntwo" },
      why: [because.verbatimMatch],
    },
    {
      name: "shows every changed line of a longer new text",
      files: { "a.md": "1\n2\n3\n4\n5\n6" },
      calls: [
        [
          replace(path, "3", "a\nb\nc\nd"),
          ok(
            edited(
              "     1\t1",
              "     2\t2",
              "     3\ta",
              "     4\tb",
              "     5\tc",
              "     6\td",
              "     7\t4",
              "     8\t5",
            ),
          ),
          ok(edited("     1\t1", "     2\t2", "     3\ta", "     4\tb", "     5\tc")),
        ],
      ],
      after: { "a.md": "1\n2\na\nb\nc\nd\n4\n5\n6" },
      why: [because.wholeChange],
    },
    {
      name: "deletes the text where new_str is empty",
      files: { "a.md": "keep drop keep" },
      calls: [[replace(path, " drop", ""), ok(edited("     1\tkeep keep"))]],
      after: { "a.md": "keep keep" },
    },
    {
      name: "deletes the text where new_str is left out",
      files: { "a.md": "keep drop keep" },
      calls: [[replace(path, " drop"), ok(edited("     1\tkeep keep")), ok(edited("     1\tkeepundefined keep"))]],
      after: { "a.md": "keep keep" },
      sdkAfter: { "a.md": "keepundefined keep" },
      why: [because.deletesText],
    },
    {
      name: "deletes the text where new_str is null",
      files: { "a.md": "keep drop keep" },
      calls: [[replace(path, " drop", null), ok(edited("     1\tkeep keep")), ok(edited("     1\tkeepnull keep"))]],
      after: { "a.md": "keep keep" },
      sdkAfter: { "a.md": "keepnull keep" },
      why: [because.nullIsAbsent],
    },
    {
      name: "deletes a whole line with its newline",
      files: { "a.md": "1\n2\n3" },
      calls: [
        [
          replace(path, "2\n", ""),
          ok(edited("     1\t1", "     2\t3")),
          {
            isError: true,
            text: `Error: No replacement was performed, old_str \`2\n\` did not appear verbatim in ${path}.`,
          },
        ],
      ],
      after: { "a.md": "1\n3" },
      sdkAfter: { "a.md": "1\n2\n3" },
      why: [because.verbatimMatch],
    },
    {
      name: "leaves an empty file where all of it is deleted",
      files: { "a.md": "all" },
      calls: [[replace(path, "all", ""), ok(edited()), ok(edited("     1\t"))]],
      after: { "a.md": "" },
      why: [because.finalNewline],
    },
    {
      name: "takes the patterns of a replacement for plain text",
      files: { "a.md": "price: X" },
      calls: [[replace(path, "X", "$& $1 $$ $` $' $<n>"), ok(edited("     1\tprice: $& $1 $$ $` $' $<n>"))]],
      after: { "a.md": "price: $& $1 $$ $` $' $<n>" },
    },
    {
      name: "takes the characters of a regular expression for plain text",
      files: { "a.md": "f(x) = [a-z]+ | .* \\d" },
      calls: [[replace(path, "[a-z]+ | .* \\d", "^$"), ok(edited("     1\tf(x) = ^$"))]],
      after: { "a.md": "f(x) = ^$" },
    },
    {
      name: "replaces a text by itself",
      files: { "a.md": "same" },
      calls: [[replace(path, "same", "same"), ok(edited("     1\tsame"))]],
    },
    {
      name: "takes a new text that holds the old one",
      files: { "a.md": "x" },
      calls: [[replace(path, "x", "xx"), ok(edited("     1\txx"))]],
      after: { "a.md": "xx" },
    },
    {
      name: "leaves line ends, byte order mark and a missing final newline as they are",
      files: { "a.md": "\u{feff}a\r\nb\u{85}c\u{2028}d\r\ne" },
      calls: [[replace(path, "c", "C"), ok(edited("     1\t\u{feff}a\r", "     2\tb\u{85}C\u{2028}d\r", "     3\te"))]],
      after: { "a.md": "\u{feff}a\r\nb\u{85}C\u{2028}d\r\ne" },
    },
    {
      name: "replaces emoji and text of every script",
      files: { "a.md": "mood: 😀 你好" },
      calls: [[replace(path, "😀 你", "👩‍👩‍👧 您"), ok(edited("     1\tmood: 👩‍👩‍👧 您好"))]],
      after: { "a.md": "mood: 👩‍👩‍👧 您好" },
    },
    {
      name: "replaces in a hidden file and in a directory",
      files: { "d/.a": "x" },
      calls: [[replace("/memories/d/.a", "x", "y"), ok(edited("     1\ty"))]],
      after: { "d/.a": "y" },
    },
    {
      name: "shows the first and the last 20 of many changed lines",
      files: { "a.md": "top\nX\nend" },
      calls: [
        [
          replace(path, "X", numbers(1, 50).join("\n")),
          ok(
            edited(
              "     1\ttop",
              ...numbers(1, 20).map((number) => `${String(number + 1).padStart(6)}\t${number}`),
              "(10 changed lines are left out here.)",
              ...numbers(31, 50).map((number) => `${String(number + 1).padStart(6)}\t${number}`),
              "    52\tend",
            ),
          ),
          ok(edited("     1\ttop", "     2\t1", "     3\t2", "     4\t3")),
        ],
      ],
      after: { "a.md": `top\n${numbers(1, 50).join("\n")}\nend` },
      why: [because.wholeChange],
    },
  ],
};

function numbers(first: number, last: number): number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
