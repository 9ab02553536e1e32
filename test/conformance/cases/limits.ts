import * as because from "../because.ts";
import { failed, ok, type ConformanceGroup } from "../conformance-case.ts";
import { create, insert, rename, view } from "../inputs.ts";
import { content, listing } from "../texts.ts";

const root = "/memories";
const megabyte = 1_048_576;
const hundred = "x".repeat(100);
const lines = (count: number): string => Array.from({ length: count }, () => hundred).join("\n");
const rows = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => `${String(first + index).padStart(6)}\t${hundred}`);
/** 16 characters each; a row of them has 30 with its newline. */
const listedNames = (first: number, last: number): string[] =>
  Array.from({ length: last - first + 1 }, (_, index) => `${String(first + index).padStart(4, "0")}-memory-note`);

export const sizes: ConformanceGroup = {
  title: "Sizes",
  cases: [
    {
      name: "writes sizes as bytes below 1024, else with one decimal",
      files: {
        "0": "",
        "1": "é",
        "1023": "x".repeat(1_023),
        "1024": "x".repeat(1_024),
        "1536": "x".repeat(1_536),
        "20480": "x".repeat(20_480),
      },
      calls: [
        [
          view(root),
          ok(
            listing(
              root,
              "23.5K\t/memories",
              "0B\t/memories/0",
              "2B\t/memories/1",
              "1023B\t/memories/1023",
              "1.0K\t/memories/1024",
              "1.5K\t/memories/1536",
              "20.0K\t/memories/20480",
            ),
          ),
          ok(
            listing(
              root,
              "<inode>\t/memories",
              "0B\t/memories/0",
              "2B\t/memories/1",
              "1023B\t/memories/1023",
              "1K\t/memories/1024",
              "1.5K\t/memories/1536",
              "20K\t/memories/20480",
            ),
          ),
        ],
      ],
      why: [because.sizeForm, because.directorySize],
    },
    {
      name: "chooses the unit by what is printed",
      files: { a: "x".repeat(megabyte - 1), b: "x".repeat(megabyte) },
      calls: [
        [
          view(root),
          ok(listing(root, "2.0M\t/memories", "1.0M\t/memories/a", "1.0M\t/memories/b")),
          ok(listing(root, "<inode>\t/memories", "1024.0K\t/memories/a", "1M\t/memories/b")),
        ],
      ],
      why: [because.sizeForm, because.directorySize],
    },
  ],
};

export const limits: ConformanceGroup = {
  title: "Limits",
  cases: [
    {
      name: "shows a file whole whose view has just 16,000 characters",
      files: { "a.md": "x".repeat(15_937) },
      calls: [[view("/memories/a.md"), ok(content("/memories/a.md", `     1\t${"x".repeat(15_937)}`))]],
    },
    {
      name: "cuts a longer view after a whole line and says how to go on",
      files: { "a.md": lines(200) },
      calls: [
        [
          view("/memories/a.md"),
          ok(
            content(
              "/memories/a.md",
              ...rows(1, 146),
              "(Cut: lines 1 to 146 of 200 are shown. Continue with view_range [147, -1].)",
            ),
          ),
          ok(content("/memories/a.md", ...rows(1, 200))),
        ],
        [view("/memories/a.md", [147, -1]), ok(content("/memories/a.md", ...rows(147, 200)))],
      ],
      why: [because.viewLimit],
    },
    {
      name: "cuts inside a line that is longer than a view",
      files: { "a.md": "x".repeat(20_000) },
      calls: [
        [
          view("/memories/a.md"),
          ok(
            content(
              "/memories/a.md",
              `     1\t${"x".repeat(15_869)}`,
              "(Cut: line 1 of 1 has 20000 characters, the first 15869 are shown.)",
            ),
          ),
          ok(content("/memories/a.md", `     1\t${"x".repeat(20_000)}`)),
        ],
      ],
      why: [because.viewLimit],
    },
    {
      name: "cuts a longer listing after a whole row and says how much it shows",
      files: Object.fromEntries(listedNames(1, 600).map((name) => [name, "x"])),
      calls: [
        [
          view(root),
          ok(
            listing(
              root,
              "600B\t/memories",
              ...listedNames(1, 526).map((name) => `1B\t/memories/${name}`),
              "[Entries shown: 526 of 600. A file that is not listed can still be viewed by its path.]",
            ),
          ),
          ok(listing(root, "<inode>\t/memories", ...listedNames(1, 600).map((name) => `1B\t/memories/${name}`))),
        ],
      ],
      why: [because.viewLimit, because.directorySize],
    },
    {
      name: "refuses to create a file over 256 KiB",
      calls: [
        [
          create("/memories/a.md", "x".repeat(262_145)),
          failed("Error: File /memories/a.md would be 256.0K, over the limit of 256.0K per file."),
          ok("File created successfully at: /memories/a.md"),
        ],
      ],
      after: {},
      sdkAfter: { "a.md": "x".repeat(262_145) },
      why: [because.limited],
    },
    {
      name: "creates a file of just 256 KiB",
      calls: [[create("/memories/a.md", "x".repeat(262_144)), ok("File created successfully at: /memories/a.md")]],
      after: { "a.md": "x".repeat(262_144) },
    },
    {
      name: "refuses an edit that makes a file too large",
      files: { "a.md": `${"x".repeat(262_142)}\ny` },
      calls: [
        [
          insert("/memories/a.md", 2, "new"),
          failed("Error: File /memories/a.md would be 256.0K, over the limit of 256.0K per file."),
          ok("The file /memories/a.md has been edited."),
        ],
      ],
      sdkAfter: { "a.md": `${"x".repeat(262_142)}\ny\nnew` },
      why: [because.limited],
    },
    {
      name: "refuses a file with too many lines",
      files: { "a.md": "\n".repeat(1_000_000) },
      calls: [
        [
          view("/memories/a.md"),
          failed("File /memories/a.md exceeds maximum line limit of 999,999 lines."),
          failed("Error: File /memories/a.md has too many lines (1000001). Maximum is 999,999 lines."),
        ],
      ],
      why: [because.lineLimit],
    },
    {
      name: "refuses to view, edit or rename a file over 5 MB",
      files: { "a.md": "x".repeat(5 * megabyte + 1) },
      calls: [
        [
          view("/memories/a.md"),
          failed("Error: /memories/a.md is too large to view (5.0M)"),
          ok(content("/memories/a.md", `     1\t${"x".repeat(5 * megabyte + 1)}`)),
        ],
        [
          insert("/memories/a.md", 0, "y"),
          failed("Error: /memories/a.md is too large to edit (5.0M)"),
          ok("The file /memories/a.md has been edited."),
        ],
        [
          rename("/memories/a.md", "/memories/b.md"),
          failed("Error: /memories/a.md is too large to rename (5.0M)"),
          ok("Successfully renamed /memories/a.md to /memories/b.md"),
        ],
      ],
      sdkAfter: { "b.md": `y\n${"x".repeat(5 * megabyte + 1)}` },
      why: [because.limited],
    },
    {
      name: "refuses a new file once there are 1,000",
      files: Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`d/${index}`, "x"])),
      calls: [
        [
          create("/memories/a.md", "x"),
          failed("Error: The memory holds 1000 files, the limit is 1000. Delete or merge files first."),
          ok("File created successfully at: /memories/a.md"),
        ],
        [{ command: "delete", path: "/memories/d" }, ok("Successfully deleted /memories/d")],
      ],
      after: {},
      sdkAfter: { "a.md": "x" },
      why: [because.limited],
    },
  ],
};
