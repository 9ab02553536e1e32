import * as because from "../because.ts";
import { failed, ok, type ConformanceGroup } from "../conformance-case.ts";
import { create, insert, replace } from "../inputs.ts";

const commands = "one of view, create, str_replace, insert, delete, rename";
const aPath = "a string, the path of a file or directory such as /memories/notes.md";
const noObject = (came: string): string =>
  `Error: The input should be an object such as {"command": "view", "path": "/memories"}, not ${came}.`;

export const wrongInput: ConformanceGroup = {
  title: "Wrong input",
  cases: [
    {
      name: "refuses an unknown command and names the known ones",
      calls: [
        [
          { command: "append", path: "/memories/a.md" },
          failed(`Error: \`command\` should be ${commands}, not \`append\`.`),
          failed("Error: append not implemented"),
        ],
      ],
      why: [because.validInput],
    },
    {
      name: "refuses a missing command",
      calls: [
        [
          { path: "/memories/a.md" },
          failed(`Error: \`command\` is missing; it should be ${commands}.`),
          failed("Error: undefined not implemented"),
        ],
      ],
      why: [because.validInput],
    },
    {
      name: "refuses names that every object of the language has",
      calls: [
        [
          { command: "toString", path: "/memories" },
          failed(`Error: \`command\` should be ${commands}, not \`toString\`.`),
          ok("[object Object]"),
        ],
        [
          { command: "constructor", path: "/memories" },
          failed(`Error: \`command\` should be ${commands}, not \`constructor\`.`),
          failed("Error: Class constructor BetaLocalFilesystemMemoryTool cannot be invoked without 'new'"),
        ],
      ],
      why: [because.validInput],
    },
    {
      name: "refuses what is no object",
      calls: [
        [null, failed(noObject("null")), failed("Error: Cannot read properties of null (reading 'command')")],
        ["view", failed(noObject("a string")), failed("Error: undefined not implemented")],
        [[], failed(noObject("an array of 0")), failed("Error: undefined not implemented")],
      ],
      why: [because.validInput],
    },
    {
      name: "refuses a missing path",
      calls: [
        [
          { command: "view" },
          failed(`Error: \`path\` is missing; it should be ${aPath}.`),
          failed("Error: Cannot read properties of undefined (reading 'startsWith')"),
        ],
      ],
      why: [because.validInput],
    },
    {
      name: "refuses a path that is no string",
      calls: [
        [
          { command: "delete", path: 7 },
          failed(`Error: \`path\` should be ${aPath}, not 7.`),
          failed("Error: memoryPath.startsWith is not a function"),
        ],
      ],
      why: [because.validInput],
    },
    {
      name: "refuses the field path for a rename, which takes two others",
      files: { "a.md": "x" },
      calls: [
        [
          { command: "rename", path: "/memories/a.md", new_path: "/memories/b.md" },
          failed(
            "Error: `old_path` is missing; it should be a string, the path of the file or directory to be renamed.",
          ),
          failed("Error: Cannot read properties of undefined (reading 'startsWith')"),
        ],
      ],
      why: [because.validInput],
    },
    {
      name: "writes nothing where file_text is missing",
      calls: [
        [
          { command: "create", path: "/memories/a.md" },
          failed(
            "Error: `file_text` is missing; it should be a string, the whole text of the file, empty for an empty file.",
          ),
          failed(
            `Error: The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView. Received undefined`,
          ),
        ],
      ],
      after: {},
      sdkAfter: { "a.md": "" },
      why: [because.validInput],
    },
    {
      name: "writes nothing where file_text is a number",
      calls: [
        [
          create("/memories/a.md", 7),
          failed("Error: `file_text` should be a string, the whole text of the file, empty for an empty file, not 7."),
          failed(
            `Error: The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView. Received type number (7)`,
          ),
        ],
      ],
      after: {},
      sdkAfter: { "a.md": "" },
      why: [because.validInput],
    },
    {
      name: "refuses a missing old_str",
      files: { "a.md": "undefined" },
      calls: [
        [
          { command: "str_replace", path: "/memories/a.md", new_str: "x" },
          failed("Error: `old_str` is missing; it should be a string, the exact text to be replaced."),
          ok("The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\tx"),
        ],
      ],
      sdkAfter: { "a.md": "x" },
      why: [because.validInput],
    },
    {
      name: "refuses a missing insert_line, which would be the top",
      files: { "a.md": "1" },
      calls: [
        [
          { command: "insert", path: "/memories/a.md", insert_text: "x" },
          failed(
            "Error: `insert_line` is missing; it should be an integer, the line after which the text goes, 0 for the top of the file.",
          ),
          ok("The file /memories/a.md has been edited."),
        ],
      ],
      sdkAfter: { "a.md": "x\n1" },
      why: [because.validInput],
    },
    {
      name: "refuses a missing insert_text",
      files: { "a.md": "1" },
      calls: [
        [
          { command: "insert", path: "/memories/a.md", insert_line: 0 },
          failed("Error: `insert_text` is missing; it should be a string, the text to be inserted."),
          failed("Error: Cannot read properties of undefined (reading 'replace')"),
        ],
      ],
      why: [because.validInput],
    },
    {
      name: "names every wrong field at once",
      calls: [
        [
          { command: "create" },
          failed(
            `Error: \`path\` is missing; it should be ${aPath}. \`file_text\` is missing; it should be a string, the whole text of the file, empty for an empty file.`,
          ),
          failed("Error: Cannot read properties of undefined (reading 'startsWith')"),
        ],
      ],
      why: [because.validInput],
    },
    {
      name: "refuses half of a surrogate pair in any text",
      files: { "a.md": "x" },
      calls: [
        [
          replace("/memories/a.md", "x", "\u{d83d}"),
          failed(
            "Error: `new_str` holds half of a surrogate pair, which is not a character; it should be well-formed Unicode text.",
          ),
          ok(
            "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\t\u{d83d}",
          ),
        ],
        [
          insert("/memories/a.md", 0, "\u{dc00}"),
          failed(
            "Error: `insert_text` holds half of a surrogate pair, which is not a character; it should be well-formed Unicode text.",
          ),
          ok("The file /memories/a.md has been edited."),
        ],
      ],
      sdkAfter: { "a.md": "\u{fffd}\n\u{fffd}" },
      why: [because.validInput],
    },
    {
      name: "ignores fields that a command does not have",
      calls: [
        [
          { command: "create", path: "/memories/a.md", file_text: "x", old_str: 7, mode: "w" },
          ok("File created successfully at: /memories/a.md"),
        ],
      ],
      after: { "a.md": "x" },
    },
  ],
};
