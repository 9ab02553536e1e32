import * as because from "../because.ts";
import { failed, ok, type ConformanceGroup } from "../conformance-case.ts";
import { remove, view } from "../inputs.ts";
import { listing } from "../texts.ts";

const root = "/memories";

export const viewDirectory: ConformanceGroup = {
  title: "View a directory",
  cases: [
    {
      name: "shows an empty memory, which is where every conversation starts",
      calls: [
        [
          view(root),
          ok(
            "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n0B\t/memories",
          ),
          ok(
            "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n<inode>\t/memories",
          ),
        ],
      ],
      why: [because.directorySize],
    },
    {
      name: "lists files and directories two levels deep, directories ending in /",
      files: { "a.md": "12345", "d/b.md": "123", "d/e/c.md": "1234567" },
      calls: [
        [
          view(root),
          ok(
            listing(
              root,
              "15B\t/memories",
              "5B\t/memories/a.md",
              "10B\t/memories/d/",
              "3B\t/memories/d/b.md",
              "7B\t/memories/d/e/",
            ),
          ),
          ok(
            listing(
              root,
              "<inode>\t/memories",
              "5B\t/memories/a.md",
              "<inode>\t/memories/d/",
              "3B\t/memories/d/b.md",
              "<inode>\t/memories/d/e/",
            ),
          ),
        ],
      ],
      why: [because.directorySize],
    },
    {
      name: "counts two levels from the directory that is viewed",
      files: { "d/e/f/g/h.md": "1" },
      calls: [
        [
          view("/memories/d"),
          ok(listing("/memories/d", "1B\t/memories/d", "1B\t/memories/d/e/", "1B\t/memories/d/e/f/")),
          ok(listing("/memories/d", "<inode>\t/memories/d", "<inode>\t/memories/d/e/", "<inode>\t/memories/d/e/f/")),
        ],
      ],
      why: [because.directorySize],
    },
    {
      name: "leaves out hidden files, hidden directories and what is in them, but counts their bytes",
      files: { ".env": "12", ".git/config": "123", "a.md": "1", "d/.x": "1234" },
      calls: [
        [
          view(root),
          ok(listing(root, "10B\t/memories", "1B\t/memories/a.md", "4B\t/memories/d/")),
          ok(listing(root, "<inode>\t/memories", "1B\t/memories/a.md", "<inode>\t/memories/d/")),
        ],
      ],
      why: [because.directorySize],
    },
    {
      name: "leaves out node_modules at both levels, but not names that contain it",
      files: { "node_modules/x.js": "1", "d/node_modules/y.js": "12", "node_modules.md": "123" },
      calls: [
        [
          view(root),
          ok(listing(root, "6B\t/memories", "2B\t/memories/d/", "3B\t/memories/node_modules.md")),
          ok(listing(root, "<inode>\t/memories", "<inode>\t/memories/d/", "3B\t/memories/node_modules.md")),
        ],
      ],
      why: [because.directorySize],
    },
    {
      name: "leaves out a file that is called node_modules",
      files: { node_modules: "1234" },
      calls: [[view(root), ok(listing(root, "4B\t/memories")), ok(listing(root, "<inode>\t/memories"))]],
      why: [because.directorySize],
    },
    {
      name: "shows what is in a hidden directory that is named",
      files: { ".git/config": "123", ".git/.lock": "1" },
      calls: [
        [
          view("/memories/.git"),
          ok(listing("/memories/.git", "4B\t/memories/.git", "3B\t/memories/.git/config")),
          ok(listing("/memories/.git", "<inode>\t/memories/.git", "3B\t/memories/.git/config")),
        ],
      ],
      why: [because.directorySize],
    },
    {
      name: "shows what is in node_modules where it is named",
      files: { "node_modules/x.js": "1" },
      calls: [
        [
          view("/memories/node_modules"),
          ok(listing("/memories/node_modules", "1B\t/memories/node_modules", "1B\t/memories/node_modules/x.js")),
          ok(listing("/memories/node_modules", "<inode>\t/memories/node_modules", "1B\t/memories/node_modules/x.js")),
        ],
      ],
      why: [because.directorySize],
    },
    {
      name: "sorts a directory among the files by its name with the /",
      files: { "a-b.md": "1", "a.md": "1", "a/x.md": "1", a0: "1" },
      calls: [
        [
          view(root),
          ok(
            listing(
              root,
              "4B\t/memories",
              "1B\t/memories/a-b.md",
              "1B\t/memories/a.md",
              "1B\t/memories/a/",
              "1B\t/memories/a/x.md",
              "1B\t/memories/a0",
            ),
          ),
          ok(
            listing(
              root,
              "<inode>\t/memories",
              "<inode>\t/memories/a/",
              "1B\t/memories/a/x.md",
              "1B\t/memories/a-b.md",
              "1B\t/memories/a.md",
              "1B\t/memories/a0",
            ),
          ),
        ],
      ],
      why: [because.byteOrder, because.directorySize],
    },
    {
      name: "sorts by code points, not by UTF-16 units",
      files: { "😀.md": "1", "～.md": "1" },
      calls: [
        [
          view(root),
          ok(listing(root, "2B\t/memories", "1B\t/memories/～.md", "1B\t/memories/😀.md")),
          ok(listing(root, "<inode>\t/memories", "1B\t/memories/😀.md", "1B\t/memories/～.md")),
        ],
      ],
      why: [because.byteOrder, because.directorySize],
    },
    {
      name: "sorts capital letters before small ones and 10 before 9",
      files: { "9": "1", "10": "1", Z: "1", a: "1" },
      calls: [
        [
          view(root),
          ok(
            listing(root, "4B\t/memories", "1B\t/memories/10", "1B\t/memories/9", "1B\t/memories/Z", "1B\t/memories/a"),
          ),
          ok(
            listing(
              root,
              "<inode>\t/memories",
              "1B\t/memories/10",
              "1B\t/memories/9",
              "1B\t/memories/Z",
              "1B\t/memories/a",
            ),
          ),
        ],
      ],
      why: [because.directorySize],
    },
    {
      name: "shows the path as it was sent in the first row and canonical ones below",
      files: { "d/a.md": "1" },
      calls: [
        [
          view("/memories/"),
          ok(listing("/memories/", "1B\t/memories/", "1B\t/memories/d/", "1B\t/memories/d/a.md")),
          ok(listing("/memories/", "<inode>\t/memories/", "<inode>\t/memories//d/", "1B\t/memories//d/a.md")),
        ],
        [
          view("/memories/./d"),
          ok(listing("/memories/./d", "1B\t/memories/./d", "1B\t/memories/d/a.md")),
          ok(listing("/memories/./d", "<inode>\t/memories/./d", "1B\t/memories/./d/a.md")),
        ],
      ],
      why: [because.canonicalRows, because.directorySize],
    },
    {
      name: "shows the root by way of .. where it stays below /memories",
      files: { "a.md": "1" },
      calls: [
        [
          view("/memories/d/.."),
          ok(listing("/memories/d/..", "1B\t/memories/d/..", "1B\t/memories/a.md")),
          ok(listing("/memories/d/..", "<inode>\t/memories/d/..", "1B\t/memories/d/../a.md")),
        ],
      ],
      why: [because.canonicalRows, because.directorySize],
    },
    {
      name: "says that a missing directory does not exist",
      calls: [
        [
          view("/memories/projects"),
          failed("The path /memories/projects does not exist. Please provide a valid path."),
          failed("Error: The path /memories/projects does not exist. Please provide a valid path."),
        ],
      ],
      why: [because.documentedSentence],
    },
    {
      name: "takes no directory for one whose name starts alike",
      files: { "bush/a.md": "1" },
      calls: [
        [
          view("/memories/bus"),
          failed("The path /memories/bus does not exist. Please provide a valid path."),
          failed("Error: The path /memories/bus does not exist. Please provide a valid path."),
        ],
      ],
      why: [because.documentedSentence],
    },
    {
      name: "has no directory any more once its last file is deleted",
      files: { "d/a.md": "1" },
      calls: [
        [remove("/memories/d/a.md"), ok("Successfully deleted /memories/d/a.md")],
        [
          view("/memories/d"),
          failed("The path /memories/d does not exist. Please provide a valid path."),
          ok(listing("/memories/d", "<inode>\t/memories/d")),
        ],
      ],
      after: {},
      sdkAfter: { "d/": "" },
      why: [because.noEmptyDirectory],
    },
  ],
};
