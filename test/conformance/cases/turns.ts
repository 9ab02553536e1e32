import * as because from "../because.ts";
import { failed, ok, type ConformanceGroup } from "../conformance-case.ts";
import { create, insert, remove, rename, replace, view } from "../inputs.ts";
import { content, edited, listing } from "../texts.ts";

const path = "/memories/a.md";

export const turns: ConformanceGroup = {
  title: "Several calls",
  cases: [
    {
      name: "carries out a conversation's calls one after the other",
      calls: [
        [view("/memories"), ok(listing("/memories", "0B\t/memories")), ok(listing("/memories", "<inode>\t/memories"))],
        [create("/memories/todo.md", "# To do\n- milk"), ok("File created successfully at: /memories/todo.md")],
        [insert("/memories/todo.md", 2, "- bread"), ok("The file /memories/todo.md has been edited.")],
        [
          replace("/memories/todo.md", "milk", "oat milk"),
          ok(edited("     1\t# To do", "     2\t- oat milk", "     3\t- bread")),
        ],
        [view("/memories/todo.md", [2, 3]), ok(content("/memories/todo.md", "     2\t- oat milk", "     3\t- bread"))],
        [
          rename("/memories/todo.md", "/memories/lists/shopping.md"),
          ok("Successfully renamed /memories/todo.md to /memories/lists/shopping.md"),
        ],
        [create("/memories/todo.md", "empty"), ok("File created successfully at: /memories/todo.md")],
        [remove("/memories/todo.md"), ok("Successfully deleted /memories/todo.md")],
      ],
      after: { "lists/shopping.md": "# To do\n- oat milk\n- bread" },
      why: [because.directorySize],
    },
    {
      name: "loses neither of two replacements of one turn in one file",
      files: { "a.md": "one\ntwo" },
      atOnce: true,
      calls: [
        [replace(path, "one", "1"), ok(edited("     1\t1", "     2\ttwo"))],
        [replace(path, "two", "2"), ok(edited("     1\t1", "     2\t2")), ok(edited("     1\tone", "     2\t2"))],
      ],
      after: { "a.md": "1\n2" },
      sdkAfter: { "a.md": "1\ntwo" },
      sdkRaces: true,
      why: [because.inOrder],
    },
    {
      name: "inserts the lines of one turn in the order in which they were sent",
      files: { "a.md": "top" },
      atOnce: true,
      calls: [
        [insert(path, 1, "one"), ok("The file /memories/a.md has been edited.")],
        [
          insert(path, 2, "two"),
          ok("The file /memories/a.md has been edited."),
          failed(
            "Error: Invalid `insert_line` parameter: 2. It should be within the range of lines of the file: [0, 1]",
          ),
        ],
      ],
      after: { "a.md": "top\none\ntwo" },
      sdkAfter: { "a.md": "top\none" },
      sdkRaces: true,
      why: [because.inOrder],
    },
    {
      name: "replaces in a file that the same turn created",
      atOnce: true,
      calls: [
        [create(path, "one"), ok("File created successfully at: /memories/a.md")],
        [
          replace(path, "one", "two"),
          ok(edited("     1\ttwo")),
          failed("Error: The path /memories/a.md does not exist. Please provide a valid path."),
        ],
      ],
      after: { "a.md": "two" },
      sdkAfter: { "a.md": "one" },
      sdkRaces: true,
      why: [because.inOrder],
    },
    {
      name: "creates at a path that the same turn renamed away",
      files: { "a.md": "old" },
      atOnce: true,
      calls: [
        [rename(path, "/memories/b.md"), ok("Successfully renamed /memories/a.md to /memories/b.md")],
        [
          create(path, "new"),
          ok("File created successfully at: /memories/a.md"),
          failed("Error: File /memories/a.md already exists"),
        ],
      ],
      after: { "a.md": "new", "b.md": "old" },
      sdkAfter: { "b.md": "old" },
      sdkRaces: true,
      why: [because.inOrder],
    },
    {
      name: "lets the first of two creates of one path win",
      atOnce: true,
      calls: [
        [create(path, "first"), ok("File created successfully at: /memories/a.md")],
        [create(path, "second"), failed("Error: File /memories/a.md already exists")],
      ],
      after: { "a.md": "first" },
      sdkRaces: true,
    },
    {
      name: "carries out calls on different paths, whatever becomes of the others",
      files: { "a.md": "1", "b.md": "2", "c.md": "3" },
      atOnce: true,
      calls: [
        [remove("/memories/no.md"), failed("Error: The path /memories/no.md does not exist")],
        [remove("/memories/a.md"), ok("Successfully deleted /memories/a.md")],
        [replace("/memories/b.md", "2", "two"), ok(edited("     1\ttwo"))],
        [rename("/memories/c.md", "/memories/d.md"), ok("Successfully renamed /memories/c.md to /memories/d.md")],
        [create("/memories/e.md", "5"), ok("File created successfully at: /memories/e.md")],
      ],
      after: { "b.md": "two", "d.md": "3", "e.md": "5" },
    },
    {
      name: "goes on with a path after a call on it failed",
      files: { "a.md": "1" },
      atOnce: true,
      calls: [
        [create(path, "x"), failed("Error: File /memories/a.md already exists")],
        [replace(path, "1", "one"), ok(edited("     1\tone"))],
      ],
      after: { "a.md": "one" },
    },
  ],
};
