import * as because from "../because.ts";
import { failed, ok, type Call, type ConformanceGroup } from "../conformance-case.ts";
import { create, insert, remove, rename, replace, view } from "../inputs.ts";

const missing = (path: string): string => `The path ${path} does not exist. Please provide a valid path.`;
const outside = (path: string): string => `${missing(path)} Memory paths start with /memories.`;
const mustStart = (path: string): string => `Error: Path must start with /memories, got: ${path}`;
const wouldEscape = (path: string): string => `Error: Path ${path} would escape /memories directory`;

const onEveryCommand = (path: string, ours: string, sdk: string): readonly Call[] =>
  [
    view(path),
    create(path, "x"),
    replace(path, "x", "y"),
    insert(path, 0, "x"),
    remove(path),
    rename(path, "/memories/b.md"),
    rename("/memories/a.md", path),
  ].map((input) => [input, failed(ours), failed(sdk)]);

export const pathsOutside: ConformanceGroup = {
  title: "Paths outside the memory",
  cases: [
    {
      name: "refuses an absolute path elsewhere, with every command",
      files: { "a.md": "x" },
      calls: onEveryCommand("/etc/passwd", outside("/etc/passwd"), mustStart("/etc/passwd")),
      why: [because.givesNothingAway],
    },
    {
      name: "refuses a way out by .., with every command",
      files: { "a.md": "x" },
      calls: onEveryCommand("/memories/../secret", missing("/memories/../secret"), wouldEscape("/memories/../secret")),
      why: [because.givesNothingAway],
    },
    {
      name: "refuses a way out from a deeper directory",
      files: { "a.md": "x" },
      calls: ["/memories/..", "/memories/d/../..", "/memories/d/../../../etc/passwd", "/memories/./../x"].map(
        (path) => [view(path), failed(missing(path)), failed(wouldEscape(path))] as const,
      ),
      why: [because.givesNothingAway],
    },
    {
      name: "refuses a way out that comes back in",
      files: { "a.md": "x" },
      calls: [
        [
          remove("/memories/../memories/a.md"),
          failed(missing("/memories/../memories/a.md")),
          ok("Successfully deleted /memories/../memories/a.md"),
        ],
      ],
      sdkAfter: {},
      why: [because.staysBelow],
    },
    {
      name: "refuses relative paths, the empty one and the root of a machine",
      calls: ["", "/", "notes.md", "memories/a.md", "./memories/a.md", "~/a.md"].map(
        (path) => [create(path, "x"), failed(outside(path)), failed(mustStart(path))] as const,
      ),
      why: [because.onlyMemories],
    },
    {
      name: "refuses /memories in another case",
      calls: [[view("/Memories"), failed(outside("/Memories")), failed(mustStart("/Memories"))]],
      why: [because.onlyMemories],
    },
    {
      name: "refuses a name that only starts like /memories",
      files: { "a.md": "x" },
      calls: [
        [
          create("/memories_backup/x.md", "1"),
          failed(outside("/memories_backup/x.md")),
          ok("File created successfully at: /memories_backup/x.md"),
        ],
        [view("/memoriesX"), failed(outside("/memoriesX")), failed(`Error: ${missing("/memoriesX")}`)],
        [
          rename("/memories/a.md", "/memories.md"),
          failed(outside("/memories.md")),
          ok("Successfully renamed /memories/a.md to /memories.md"),
        ],
      ],
      sdkAfter: { "_backup/x.md": "1", ".md": "x" },
      why: [because.onlyMemories],
    },
    {
      name: "refuses .. that is percent-encoded, once or more often",
      calls: [
        "/memories/%2e%2e/a.md",
        "/memories/..%2fa.md",
        "/memories/..%5ca.md",
        "/memories/%252e%252e%252fa.md",
        "/memories/d%2f%2e%2e%2fa.md",
      ].map((path) => [create(path, "x"), failed(missing(path)), ok(`File created successfully at: ${path}`)] as const),
      after: {},
      sdkAfter: {
        "%2e%2e/a.md": "x",
        "..%2fa.md": "x",
        "..%5ca.md": "x",
        "%252e%252e%252fa.md": "x",
        "d%2f%2e%2e%2fa.md": "x",
      },
      why: [because.encodedEscape],
    },
    {
      name: "refuses backslashes",
      calls: [
        [
          create("/memories/d\\a.md", "x"),
          failed(`${missing("/memories/d\\a.md")} A path may not contain backslashes.`),
          ok("File created successfully at: /memories/d\\a.md"),
        ],
        [
          create("/memories/..\\..\\secret", "x"),
          failed(`${missing("/memories/..\\..\\secret")} A path may not contain backslashes.`),
          ok("File created successfully at: /memories/..\\..\\secret"),
        ],
      ],
      after: {},
      sdkAfter: { "d\\a.md": "x", "..\\..\\secret": "x" },
      why: [because.plainNames],
    },
    {
      name: "refuses the character 0",
      calls: [
        [
          create("/memories/a\u{0}.md", "x"),
          failed(`${missing("/memories/a\\u{0}.md")} A path may not contain control characters.`),
          failed(
            "Error: The argument 'path' must be a string, Uint8Array, or URL without null bytes. Received '<folder>/memories/a\\x00.md'",
          ),
        ],
      ],
      why: [because.plainNames],
    },
    {
      name: "refuses control characters, encoded ones too, and line separators",
      calls: [
        [
          create("/memories/a\nb.md", "x"),
          failed(`${missing("/memories/a\\u{A}b.md")} A path may not contain control characters.`),
          ok("File created successfully at: /memories/a\nb.md"),
        ],
        [
          create("/memories/a%00b.md", "x"),
          failed(`${missing("/memories/a%00b.md")} A path may not contain control characters.`),
          ok("File created successfully at: /memories/a%00b.md"),
        ],
        [
          create("/memories/a\u{2028}b.md", "x"),
          failed(`${missing("/memories/a\\u{2028}b.md")} A path may not contain line separators.`),
          ok("File created successfully at: /memories/a\u{2028}b.md"),
        ],
      ],
      after: {},
      sdkAfter: { "a\nb.md": "x", "a%00b.md": "x", "a\u{2028}b.md": "x" },
      why: [because.plainNames],
    },
    {
      name: "refuses invisible characters and joiners that join nothing",
      calls: [
        [
          create("/memories/a\u{200b}b.md", "x"),
          failed(`${missing("/memories/a\\u{200B}b.md")} A path may not contain invisible characters.`),
          ok("File created successfully at: /memories/a\u{200b}b.md"),
        ],
        [
          create("/memories/\u{202e}dm.a", "x"),
          failed(`${missing("/memories/\\u{202E}dm.a")} A path may not contain invisible characters.`),
          ok("File created successfully at: /memories/\u{202e}dm.a"),
        ],
        [
          create("/memories/a\u{200d}", "x"),
          failed(`${missing("/memories/a\\u{200D}")} A path may contain joiners only between two visible characters.`),
          ok("File created successfully at: /memories/a\u{200d}"),
        ],
      ],
      after: {},
      sdkAfter: { "a\u{200b}b.md": "x", "\u{202e}dm.a": "x", "a\u{200d}": "x" },
      why: [because.plainNames],
    },
    {
      name: "refuses half of a surrogate pair",
      calls: [
        [
          create("/memories/a\u{d83d}.md", "x"),
          failed(`${missing("/memories/a\\u{D83D}.md")} A path must be well-formed Unicode.`),
          ok("File created successfully at: /memories/a\u{d83d}.md"),
        ],
      ],
      after: {},
      sdkAfter: { "a\u{fffd}.md": "x" },
      why: [because.plainNames],
    },
    {
      name: "refuses more than 20 parts",
      calls: [
        [
          create(`/memories${"/d".repeat(21)}`, "x"),
          failed(`${missing(`/memories${"/d".repeat(21)}`)} A path may have at most 20 parts.`),
          ok(`File created successfully at: /memories${"/d".repeat(21)}`),
        ],
      ],
      after: {},
      sdkAfter: { [`d${"/d".repeat(20)}`]: "x" },
      why: [because.boundedPaths],
    },
    {
      name: "refuses a path that no key has room for, and names the room",
      calls: [
        [
          create(`/memories${`/${"n".repeat(99)}`.repeat(11)}`, "x"),
          failed(
            `The path ${`/memories${`/${"n".repeat(99)}`.repeat(11)}`.slice(0, 1_000)}… (1,109 characters) does not exist. Please provide a valid path. A path may have at most 1010 bytes here.`,
          ),
          ok(`File created successfully at: /memories${`/${"n".repeat(99)}`.repeat(11)}`),
        ],
      ],
      after: {},
      sdkAfter: { [Array.from({ length: 11 }, () => "n".repeat(99)).join("/")]: "x" },
      why: [because.boundedPaths],
    },
    {
      name: "names the first refused path of a rename",
      files: { "a.md": "x" },
      calls: [
        [rename("/etc/a", "/etc/b"), failed(outside("/etc/a")), failed(mustStart("/etc/a"))],
        [rename("/memories/a.md", "/etc/b"), failed(outside("/etc/b")), failed(mustStart("/etc/b"))],
      ],
      why: [because.givesNothingAway],
    },
  ],
};
