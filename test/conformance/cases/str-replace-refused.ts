import * as because from "../because.ts";
import { failed, ok, type ConformanceGroup } from "../conformance-case.ts";
import { replace } from "../inputs.ts";
import { edited } from "../texts.ts";

const path = "/memories/a.md";

const noMatch = (oldText: string): string =>
  `No replacement was performed, old_str \`${oldText}\` did not appear verbatim in ${path}.`;

const several = (oldText: string, lines: string): string =>
  `No replacement was performed. Multiple occurrences of old_str \`${oldText}\` in lines: ${lines}. Please ensure it is unique`;

const emptyOldText =
  "Error: `old_str` is empty. It should be the exact text to be replaced; to add text without replacing any, use insert.";

export const replaceRefused: ConformanceGroup = {
  title: "Refuse to replace text",
  cases: [
    {
      name: "says that the text is not there",
      files: { "a.md": "one\ntwo" },
      calls: [[replace(path, "three", "x"), failed(noMatch("three")), failed(`Error: ${noMatch("three")}`)]],
      why: [because.documentedSentence],
    },
    {
      name: "says that the text is not in an empty file",
      files: { "a.md": "" },
      calls: [[replace(path, "x", "y"), failed(noMatch("x")), failed(`Error: ${noMatch("x")}`)]],
      why: [because.documentedSentence],
    },
    {
      name: "names the lines of a text that is there several times",
      files: { "a.md": "x\ny\nx" },
      calls: [[replace(path, "x", "z"), failed(several("x", "1, 3")), failed(`Error: ${several("x", "1, 3")}`)]],
      why: [because.documentedSentence],
    },
    {
      name: "refuses a text that is twice on one line",
      files: { "a.md": "x and x\ny" },
      calls: [[replace(path, "x", "z"), failed(several("x", "1")), ok(edited("     1\tz and x", "     2\ty"))]],
      sdkAfter: { "a.md": "z and x\ny" },
      why: [because.uniqueMatch],
    },
    {
      name: "refuses a text that overlaps itself",
      files: { "a.md": "aaa" },
      calls: [[replace(path, "aa", "b"), failed(several("aa", "1")), ok(edited("     1\tba"))]],
      sdkAfter: { "a.md": "ba" },
      why: [because.uniqueMatch],
    },
    {
      name: "names each line once",
      files: { "a.md": "x x\ny\nx x x" },
      calls: [[replace(path, "x", "z"), failed(several("x", "1, 3")), failed(`Error: ${several("x", "1, 3")}`)]],
      why: [because.documentedSentence],
    },
    {
      name: "names the first lines of a text that spans lines and is there several times",
      files: { "a.md": "a\nb\n-\na\nb" },
      calls: [[replace(path, "a\nb", "c"), failed(several("a\nb", "1, 4")), failed(`Error: ${noMatch("a\nb")}`)]],
      why: [because.verbatimMatch],
    },
    {
      name: "ends a long list of lines after 20",
      files: { "a.md": "x\n".repeat(25) },
      calls: [
        [
          replace(path, "x", "y"),
          failed(several("x", `${listed(20)} and more`)),
          failed(`Error: ${several("x", listed(25))}`),
        ],
      ],
      why: [because.distinctLines],
    },
    {
      name: "refuses an empty old_str in a file of one line",
      files: { "a.md": "text" },
      calls: [[replace(path, "", "x"), failed(emptyOldText), ok(edited("     1\txtext"))]],
      sdkAfter: { "a.md": "xtext" },
      why: [because.emptyOldText],
    },
    {
      name: "refuses an empty old_str in a file of several lines",
      files: { "a.md": "one\ntwo" },
      calls: [[replace(path, "", "x"), failed(emptyOldText), failed(`Error: ${several("", "1, 2")}`)]],
      why: [because.emptyOldText],
    },
    {
      name: "refuses an empty old_str in an empty file",
      files: { "a.md": "" },
      calls: [[replace(path, "", "x"), failed(emptyOldText), ok(edited("     1\tx"))]],
      sdkAfter: { "a.md": "x" },
      why: [because.emptyOldText],
    },
    {
      name: "replaces nothing by a near match, but says where letter case differs",
      files: { "a.md": "one\nHello World" },
      calls: [
        [
          replace(path, "hello world", "x"),
          failed(`${noMatch("hello world")} The nearest text is in lines 2 to 2; it differs in letter case.`),
          failed(`Error: ${noMatch("hello world")}`),
        ],
      ],
      why: [because.nearestText],
    },
    {
      name: "says where indentation differs",
      files: { "a.md": "if:\n    do\n    done" },
      calls: [
        [
          replace(path, "  do\n  done", "x"),
          failed(`${noMatch("  do\n  done")} The nearest text is in lines 2 to 3; it differs in indentation.`),
          failed(`Error: ${noMatch("  do\n  done")}`),
        ],
      ],
      why: [because.nearestText],
    },
    {
      name: "says where line endings differ",
      files: { "a.md": "a\r\nb\r\n" },
      calls: [
        [
          replace(path, "a\nb", "x"),
          failed(`${noMatch("a\nb")} The nearest text is in lines 1 to 2; it differs in line endings.`),
          failed(`Error: ${noMatch("a\nb")}`),
        ],
      ],
      why: [because.nearestText],
    },
    {
      name: "says where line numbers were copied from a view",
      files: { "a.md": "a\nb" },
      calls: [
        [
          replace(path, "     1\ta\n     2\tb", "x"),
          failed(
            `${noMatch("     1\ta\n     2\tb")} The nearest text is in lines 1 to 2; it differs in copied line numbers.`,
          ),
          failed(`Error: ${noMatch("     1\ta\n     2\tb")}`),
        ],
      ],
      why: [because.nearestText],
    },
    {
      name: "says where the Unicode form differs",
      files: { "a.md": "caf\u{e9}" },
      calls: [
        [
          replace(path, "cafe\u{301}", "x"),
          failed(`${noMatch("cafe\u{301}")} The nearest text is in lines 1 to 1; it differs in Unicode form.`),
          failed(`Error: ${noMatch("cafe\u{301}")}`),
        ],
      ],
      why: [because.nearestText],
    },
    {
      name: "shortens a long old_str that it repeats",
      files: { "a.md": "text" },
      calls: [
        [
          replace(path, "x".repeat(2_000), "y"),
          failed(noMatch(`${"x".repeat(1_000)}… (2,000 characters)`)),
          failed(`Error: ${noMatch("x".repeat(2_000))}`),
        ],
      ],
      why: [because.boundedEcho],
    },
    {
      name: "says that a missing file does not exist",
      calls: [
        [
          replace("/memories/no.md", "x", "y"),
          failed("Error: The path /memories/no.md does not exist. Please provide a valid path."),
        ],
      ],
    },
    {
      name: "says of a directory that the path does not exist",
      files: { "d/a.md": "x" },
      calls: [
        [
          replace("/memories/d", "x", "y"),
          failed("Error: The path /memories/d does not exist. Please provide a valid path."),
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
          replace("/memories", "x", "y"),
          failed("Error: The path /memories does not exist. Please provide a valid path."),
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
          replace("/memories/a.md/b", "x", "y"),
          failed("Error: The path /memories/a.md/b does not exist. Please provide a valid path."),
          failed("Error: ENOTDIR: not a directory, realpath '<folder>/memories/a.md/b'"),
        ],
      ],
      why: [because.belowAFile],
    },
  ],
};

function listed(count: number): string {
  return Array.from({ length: count }, (_, index) => index + 1).join(", ");
}
