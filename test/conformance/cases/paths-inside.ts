import * as because from "../because.ts";
import { failed, ok, type ConformanceGroup } from "../conformance-case.ts";
import { create, insert, remove, rename, replace, view } from "../inputs.ts";
import { content, edited } from "../texts.ts";

const plainNames = [
  "with space.md",
  "a+b=c.md",
  "100%.md",
  "%20.md",
  "100%2e%2e.md",
  "a%5cb.md",
  "[...slug].md",
  "v1..v2.md",
  "...",
  "#tag & 'quote' (1)!.md",
  'double "quoted" <angle>.md',
  "star*question?.md",
  "tilde~$HOME.md",
  "no-ending",
  "Grüße.md",
  "你好.md",
  "مرحبا.md",
  "👩‍👩‍👧.md",
  "🏴\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}.md",
  "می\u{200C}خواهم.md",
  "__proto__.md",
  "constructor",
];

export const pathsInside: ConformanceGroup = {
  title: "Names and spellings of paths",
  cases: [
    ...plainNames.map((name) => ({
      name: `takes ${name} for a plain name, from create to delete`,
      calls: [
        [create(`/memories/${name}`, "one"), ok(`File created successfully at: /memories/${name}`)],
        [view(`/memories/${name}`), ok(content(`/memories/${name}`, "     1\tone"))],
        [replace(`/memories/${name}`, "one", "two"), ok(edited("     1\ttwo"))],
        [insert(`/memories/${name}`, 1, "three"), ok(`The file /memories/${name} has been edited.`)],
        [
          rename(`/memories/${name}`, `/memories/d/${name}`),
          ok(`Successfully renamed /memories/${name} to /memories/d/${name}`),
        ],
        [remove(`/memories/d/${name}`), ok(`Successfully deleted /memories/d/${name}`)],
        [create(`/memories/d/${name}`, "four"), ok(`File created successfully at: /memories/d/${name}`)],
      ] as const,
      after: { [`d/${name}`]: "four" },
    })),
    {
      name: "takes every spelling of a path for the same file",
      files: { "d/a.md": "x" },
      calls: [
        "/memories//d//a.md",
        "/memories/./d/./a.md",
        "/memories/d/a.md/",
        "/memories/d/e/../a.md",
        "/memories/d/../d/a.md",
      ].map((path) => [view(path), ok(content(path, "     1\tx"))] as const),
    },
    {
      name: "refuses to create one file in two spellings",
      calls: [
        [create("/memories/d/a.md", "1"), ok("File created successfully at: /memories/d/a.md")],
        [create("/memories/d//a.md", "2"), failed("Error: File /memories/d//a.md already exists")],
        [create("/memories/d/./a.md/", "3"), failed("Error: File /memories/d/./a.md/ already exists")],
        [create("/memories/e/../d/a.md", "4"), failed("Error: File /memories/e/../d/a.md already exists")],
      ],
      after: { "d/a.md": "1" },
    },
    {
      name: "folds slashes and dots before /memories too",
      files: { "a.md": "x" },
      calls: ["//memories/a.md", "/./memories/a.md"].map(
        (path) =>
          [
            view(path),
            ok(content(path, "     1\tx")),
            failed(`Error: Path must start with /memories, got: ${path}`),
          ] as const,
      ),
      why: [because.leadingSlashes],
    },
    {
      name: "takes two Unicode forms of one name for one file",
      calls: [
        [create("/memories/cafe\u{301}.md", "1"), ok("File created successfully at: /memories/cafe\u{301}.md")],
        [
          create("/memories/caf\u{e9}.md", "2"),
          failed("Error: File /memories/caf\u{e9}.md already exists"),
          ok("File created successfully at: /memories/caf\u{e9}.md"),
        ],
      ],
      after: { "caf\u{e9}.md": "1" },
      sdkAfter: { "cafe\u{301}.md": "1", "caf\u{e9}.md": "2" },
      why: [because.oneUnicodeForm],
    },
    {
      name: "takes a name of 300 bytes",
      calls: [
        [
          create(`/memories/${"n".repeat(300)}`, "x"),
          ok(`File created successfully at: /memories/${"n".repeat(300)}`),
          failed(`Error: ENAMETOOLONG: name too long, realpath '<folder>/memories/${"n".repeat(300)}'`),
        ],
      ],
      after: { ["n".repeat(300)]: "x" },
      sdkAfter: {},
      why: [because.longNames],
    },
    {
      name: "takes 20 parts",
      calls: [
        [create(`/memories${"/d".repeat(20)}`, "x"), ok(`File created successfully at: /memories${"/d".repeat(20)}`)],
      ],
      after: { [`d${"/d".repeat(19)}`]: "x" },
    },
  ],
};
