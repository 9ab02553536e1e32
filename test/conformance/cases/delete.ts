import * as because from "../because.ts";
import { failed, ok, type ConformanceGroup } from "../conformance-case.ts";
import { remove, view } from "../inputs.ts";

const rootSpellings = ["/memories", "/memories/", "/memories//", "/memories/.", "/memories/./", "/memories/d/.."];
const refused = failed("Error: Cannot delete the /memories directory itself");

export const deletePath: ConformanceGroup = {
  title: "Delete",
  cases: [
    {
      name: "deletes a file",
      files: { "a.md": "1", "b.md": "2" },
      calls: [[remove("/memories/a.md"), ok("Successfully deleted /memories/a.md")]],
      after: { "b.md": "2" },
    },
    {
      name: "deletes an empty file and a hidden one",
      files: { "a.md": "", ".b": "x" },
      calls: [
        [remove("/memories/a.md"), ok("Successfully deleted /memories/a.md")],
        [remove("/memories/.b"), ok("Successfully deleted /memories/.b")],
      ],
      after: {},
    },
    {
      name: "deletes a directory with everything in it, hidden things too",
      files: { "d/a.md": "1", "d/e/f/b.md": "2", "d/.c": "3", "d/node_modules/x": "4", "dd/a.md": "5", "d.md": "6" },
      calls: [[remove("/memories/d"), ok("Successfully deleted /memories/d")]],
      after: { "d.md": "6", "dd/a.md": "5" },
    },
    {
      name: "deletes a directory that is spelled with a final /",
      files: { "d/a.md": "1", "e/a.md": "2" },
      calls: [[remove("/memories/d/"), ok("Successfully deleted /memories/d/")]],
      after: { "e/a.md": "2" },
    },
    {
      name: "deletes the exact file, not those whose names start alike",
      files: { "note.md": "1", "note.md.bak": "2", "notes.md": "3" },
      calls: [[remove("/memories/note.md"), ok("Successfully deleted /memories/note.md")]],
      after: { "note.md.bak": "2", "notes.md": "3" },
    },
    {
      name: "says that a missing path does not exist",
      files: { "notes.md": "1" },
      calls: [[remove("/memories/note"), failed("Error: The path /memories/note does not exist")]],
    },
    {
      name: "says of a second delete that the path does not exist",
      files: { "a.md": "1", "b.md": "2" },
      calls: [
        [remove("/memories/a.md"), ok("Successfully deleted /memories/a.md")],
        [remove("/memories/a.md"), failed("Error: The path /memories/a.md does not exist")],
      ],
      after: { "b.md": "2" },
    },
    {
      name: "says of what lies below a file that it does not exist, and keeps the file",
      files: { "a.md": "1" },
      calls: [
        [
          remove("/memories/a.md/b"),
          failed("Error: The path /memories/a.md/b does not exist"),
          failed("Error: ENOTDIR: not a directory, realpath '<folder>/memories/a.md/b'"),
        ],
      ],
      why: [because.belowAFile],
    },
    {
      name: "refuses the root in every spelling",
      files: { "a.md": "1", "d/b.md": "2" },
      calls: rootSpellings.map((path) => [remove(path), refused] as const),
    },
    {
      name: "refuses the root of an empty memory",
      calls: [[remove("/memories"), refused]],
    },
    {
      name: "leaves no directory behind a last file",
      files: { "d/e/a.md": "1" },
      calls: [
        [remove("/memories/d/e/a.md"), ok("Successfully deleted /memories/d/e/a.md")],
        [
          remove("/memories/d"),
          failed("Error: The path /memories/d does not exist"),
          ok("Successfully deleted /memories/d"),
        ],
      ],
      after: {},
      why: [because.noEmptyDirectory],
    },
    {
      name: "shows nothing any more of what was deleted",
      files: { "a.md": "1" },
      calls: [
        [remove("/memories/a.md"), ok("Successfully deleted /memories/a.md")],
        [
          view("/memories/a.md"),
          failed("The path /memories/a.md does not exist. Please provide a valid path."),
          failed("Error: The path /memories/a.md does not exist. Please provide a valid path."),
        ],
      ],
      after: {},
      why: [because.documentedSentence],
    },
  ],
};
