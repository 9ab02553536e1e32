import * as because from "../because.ts";
import { failed, ok, type ConformanceGroup } from "../conformance-case.ts";
import { rename } from "../inputs.ts";

const renamed = (from: string, to: string): string => `Successfully renamed ${from} to ${to}`;
const rootRefused = failed("Error: Cannot rename the /memories directory itself");

export const renamePath: ConformanceGroup = {
  title: "Rename",
  cases: [
    {
      name: "renames a file",
      files: { "a.md": "1", "c.md": "3" },
      calls: [
        [rename("/memories/a.md", "/memories/b.md"), ok("Successfully renamed /memories/a.md to /memories/b.md")],
      ],
      after: { "b.md": "1", "c.md": "3" },
    },
    {
      name: "renames an empty file and keeps every byte of another",
      files: { a: "", b: "\u{feff}x\r\n\u{2028}" },
      calls: [
        [rename("/memories/a", "/memories/c"), ok(renamed("/memories/a", "/memories/c"))],
        [rename("/memories/b", "/memories/d"), ok(renamed("/memories/b", "/memories/d"))],
      ],
      after: { c: "", d: "\u{feff}x\r\n\u{2028}" },
    },
    {
      name: "renames a file that is no text",
      files: { "a.bin": new Uint8Array([0, 255, 254, 10]) },
      calls: [[rename("/memories/a.bin", "/memories/b.bin"), ok(renamed("/memories/a.bin", "/memories/b.bin"))]],
      after: { "b.bin": new Uint8Array([0, 255, 254, 10]) },
    },
    {
      name: "moves a file into directories that are not there yet",
      files: { "a.md": "1" },
      calls: [[rename("/memories/a.md", "/memories/d/e/a.md"), ok(renamed("/memories/a.md", "/memories/d/e/a.md"))]],
      after: { "d/e/a.md": "1" },
    },
    {
      name: "moves a file out of a directory that holds more",
      files: { "d/a.md": "1", "d/b.md": "2" },
      calls: [[rename("/memories/d/a.md", "/memories/a.md"), ok(renamed("/memories/d/a.md", "/memories/a.md"))]],
      after: { "a.md": "1", "d/b.md": "2" },
    },
    {
      name: "leaves no directory behind where its last file is moved",
      files: { "d/a.md": "1" },
      calls: [[rename("/memories/d/a.md", "/memories/a.md"), ok(renamed("/memories/d/a.md", "/memories/a.md"))]],
      after: { "a.md": "1" },
      sdkAfter: { "a.md": "1", "d/": "" },
      why: [because.noEmptyDirectory],
    },
    {
      name: "renames a directory with everything in it, hidden things too",
      files: { "d/a.md": "1", "d/e/b.md": "2", "d/.c": "3", "dd/a.md": "4", "d.md": "5" },
      calls: [[rename("/memories/d", "/memories/x"), ok(renamed("/memories/d", "/memories/x"))]],
      after: { "x/.c": "3", "x/a.md": "1", "x/e/b.md": "2", "dd/a.md": "4", "d.md": "5" },
    },
    {
      name: "moves a directory into another one",
      files: { "d/a.md": "1", "e/b.md": "2" },
      calls: [[rename("/memories/d", "/memories/e/d"), ok(renamed("/memories/d", "/memories/e/d"))]],
      after: { "e/b.md": "2", "e/d/a.md": "1" },
    },
    {
      name: "takes a final / at either end",
      files: { "d/a.md": "1" },
      calls: [[rename("/memories/d/", "/memories/e/"), ok(renamed("/memories/d/", "/memories/e/"))]],
      after: { "e/a.md": "1" },
    },
    {
      name: "changes the case of a name",
      files: { "notes.md": "1" },
      calls: [
        [rename("/memories/notes.md", "/memories/Notes.md"), ok(renamed("/memories/notes.md", "/memories/Notes.md"))],
      ],
      after: { "Notes.md": "1" },
    },
    {
      name: "renames there and back again",
      files: { "a.md": "1" },
      calls: [
        [rename("/memories/a.md", "/memories/b.md"), ok(renamed("/memories/a.md", "/memories/b.md"))],
        [rename("/memories/b.md", "/memories/a.md"), ok(renamed("/memories/b.md", "/memories/a.md"))],
      ],
      after: { "a.md": "1" },
    },
    {
      name: "says that a missing source does not exist",
      calls: [[rename("/memories/no.md", "/memories/b.md"), failed("Error: The path /memories/no.md does not exist")]],
    },
    {
      name: "makes no directory where the source is missing",
      calls: [
        [rename("/memories/no.md", "/memories/d/e/b.md"), failed("Error: The path /memories/no.md does not exist")],
      ],
      after: {},
      sdkAfter: { "d/e/": "" },
      why: [because.sourceFirst],
    },
    {
      name: "says that the source is missing before it says that the destination exists",
      files: { "b.md": "2" },
      calls: [
        [
          rename("/memories/no.md", "/memories/b.md"),
          failed("Error: The path /memories/no.md does not exist"),
          failed("Error: The destination /memories/b.md already exists"),
        ],
      ],
      why: [because.sourceFirst],
    },
    {
      name: "says of a second rename that the source does not exist",
      files: { "a.md": "1" },
      calls: [
        [rename("/memories/a.md", "/memories/b.md"), ok(renamed("/memories/a.md", "/memories/b.md"))],
        [
          rename("/memories/a.md", "/memories/b.md"),
          failed("Error: The path /memories/a.md does not exist"),
          failed("Error: The destination /memories/b.md already exists"),
        ],
      ],
      after: { "b.md": "1" },
      why: [because.sourceFirst],
    },
    {
      name: "refuses a file as destination and keeps both",
      files: { "a.md": "1", "b.md": "2" },
      calls: [
        [rename("/memories/a.md", "/memories/b.md"), failed("Error: The destination /memories/b.md already exists")],
      ],
    },
    {
      name: "refuses a file with the same text as destination",
      files: { "a.md": "same", "b.md": "same" },
      calls: [
        [rename("/memories/a.md", "/memories/b.md"), failed("Error: The destination /memories/b.md already exists")],
      ],
    },
    {
      name: "refuses a directory as destination of a file, and the other way round",
      files: { "a.md": "1", "d/b.md": "2" },
      calls: [
        [rename("/memories/a.md", "/memories/d"), failed("Error: The destination /memories/d already exists")],
        [rename("/memories/d", "/memories/a.md"), failed("Error: The destination /memories/a.md already exists")],
      ],
    },
    {
      name: "refuses a directory as destination of a directory",
      files: { "d/a.md": "1", "e/b.md": "2" },
      calls: [[rename("/memories/d", "/memories/e"), failed("Error: The destination /memories/e already exists")]],
    },
    {
      name: "says of a rename onto itself that the destination exists",
      files: { "a.md": "1", "d/b.md": "2" },
      calls: [
        [rename("/memories/a.md", "/memories/a.md"), failed("Error: The destination /memories/a.md already exists")],
        [
          rename("/memories/a.md", "/memories/./a.md"),
          failed("Error: The destination /memories/./a.md already exists"),
        ],
        [rename("/memories/d", "/memories/d/"), failed("Error: The destination /memories/d/ already exists")],
      ],
    },
    {
      name: "refuses to move a directory into itself",
      files: { "d/a.md": "1" },
      calls: [
        [
          rename("/memories/d", "/memories/d/e"),
          failed("Error: Cannot rename /memories/d into itself"),
          failed("Error: EINVAL: invalid argument, rename '<folder>/memories/d' -> '<folder>/memories/d/e'"),
        ],
        [
          rename("/memories/d", "/memories/d/e/f"),
          failed("Error: Cannot rename /memories/d into itself"),
          failed("Error: EINVAL: invalid argument, rename '<folder>/memories/d' -> '<folder>/memories/d/e/f'"),
        ],
      ],
      sdkAfter: { "d/a.md": "1", "d/e/": "" },
      why: [because.intoItself],
    },
    {
      name: "refuses to move a file into itself",
      files: { "a.md": "1" },
      calls: [
        [
          rename("/memories/a.md", "/memories/a.md/b.md"),
          failed("Error: Cannot rename /memories/a.md into itself"),
          failed("Error: ENOTDIR: not a directory, realpath '<folder>/memories/a.md/b.md'"),
        ],
      ],
      why: [because.intoItself],
    },
    {
      name: "refuses a destination below another file and names that file",
      files: { "a.md": "1", "b.md": "2" },
      calls: [
        [
          rename("/memories/a.md", "/memories/b.md/c.md"),
          failed("Error: /memories/b.md is a file, not a directory"),
          failed("Error: ENOTDIR: not a directory, realpath '<folder>/memories/b.md/c.md'"),
        ],
      ],
      why: [because.virtualPaths],
    },
    {
      name: "says of a source below a file that it does not exist",
      files: { "a.md": "1" },
      calls: [
        [
          rename("/memories/a.md/b.md", "/memories/c.md"),
          failed("Error: The path /memories/a.md/b.md does not exist"),
          failed("Error: ENOTDIR: not a directory, realpath '<folder>/memories/a.md/b.md'"),
        ],
      ],
      why: [because.belowAFile],
    },
    {
      name: "refuses the root as source in every spelling",
      files: { "a.md": "1" },
      calls: ["/memories", "/memories/", "/memories/.", "/memories/d/.."].map(
        (path) => [rename(path, "/memories/x"), rootRefused] as const,
      ),
    },
    {
      name: "refuses the root as destination in every spelling",
      files: { "a.md": "1" },
      calls: ["/memories", "/memories/", "/memories/.", "/memories/d/.."].map(
        (path) =>
          [
            rename("/memories/a.md", path),
            rootRefused,
            failed(`Error: The destination ${path} already exists`),
          ] as const,
      ),
      why: [because.rootStays],
    },
  ],
};
