import type { Turn } from "./driver.ts";

/** What a model says over one or more runs, and what is in the bucket when it is done. */
export interface Conversation {
  readonly name: string;
  /** Files of other tools that are there before, by path below `/memories/`. */
  readonly before?: Readonly<Record<string, string | Uint8Array>>;
  /** Each run has a `UserMemory` of its own, as where each event is worked on by another worker. */
  readonly runs: readonly (readonly Turn[])[];
  /** Every file at the end, by path below `/memories/`. */
  readonly after: Readonly<Record<string, string | Uint8Array>>;
  /** The same where the ids of the calls do not reach the memory. */
  readonly afterWithoutIds?: Readonly<Record<string, string | Uint8Array>>;
}

let calls = 0;

/** One reply of the model: an input for each call, ids counted on. */
function turn(...inputs: readonly unknown[]): Turn {
  return inputs.map((input) => ({ id: `toolu_${String((calls += 1)).padStart(8, "0")}`, input }));
}

const notes = "/memories/notes.md";
const view = (path: string, range?: unknown): unknown => ({
  command: "view",
  path,
  ...(range !== undefined && { view_range: range }),
});
const create = (path: string, text: string): unknown => ({ command: "create", path, file_text: text });
const replace = (path: string, old: string, text: string): unknown => ({
  command: "str_replace",
  path,
  old_str: old,
  new_str: text,
});
const insert = (path: string, line: number, text: string): unknown => ({
  command: "insert",
  path,
  insert_line: line,
  insert_text: text,
});
const remove = (path: string): unknown => ({ command: "delete", path });
const rename = (from: string, to: string): unknown => ({ command: "rename", old_path: from, new_path: to });

/** What several of them start from. */
const three = { "notes.md": "one\ntwo\nthree\n" };
const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 1, 2, 255);
const long = Array.from({ length: 1_200 }, (_, index) => `line ${index + 1} of a long file`).join("\n");
const redelivered = turn(
  create("/memories/log.md", "start\n"),
  insert(notes, 3, "four"),
  replace(notes, "one", "one one"),
);

/** Twenty conversations that between them use every command, every kind of refusal, and names, texts and orders that go wrong elsewhere. */
export const conversations: readonly Conversation[] = [
  {
    name: "the first of a user",
    runs: [
      [
        turn(view("/memories")),
        turn(create(notes, "Dana likes short answers.\n")),
        turn(view("/memories"), view(notes)),
      ],
    ],
    after: { "notes.md": "Dana likes short answers.\n" },
  },
  {
    name: "an edit over several lines",
    before: three,
    runs: [[turn(view(notes)), turn(replace(notes, "two\nthree\n", "2\n3\n"))]],
    after: { "notes.md": "one\n2\n3\n" },
  },
  {
    name: "text deleted by leaving new_str out, and by null",
    before: three,
    runs: [
      [
        turn({ command: "str_replace", path: notes, old_str: "two\n" }),
        turn({ command: "str_replace", path: notes, old_str: "one\n", new_str: null }),
        turn({ command: "view", path: notes, view_range: null }),
      ],
    ],
    after: { "notes.md": "three\n" },
  },
  {
    name: "insertions at the top, in the middle and at the end",
    before: three,
    runs: [
      [turn(insert(notes, 0, "zero")), turn(insert(notes, 2, "one and a half\n")), turn(insert(notes, 5, "four"))],
    ],
    after: { "notes.md": "zero\none\none and a half\ntwo\nthree\nfour\n" },
  },
  {
    name: "bytes that an edit does not name, up to the blanks at the end",
    before: { "notes.md": "\uFEFFone \r\ntwo\u2028\u0085\tthree\r\nlast" },
    runs: [[turn(replace(notes, "two", "2")), turn(insert(notes, 3, "after the last \t")), turn(view(notes))]],
    after: { "notes.md": "\uFEFFone \r\n2\u2028\u0085\tthree\r\nlast\nafter the last \t" },
  },
  {
    name: "texts that look like patterns, escapes or markup",
    before: three,
    runs: [
      [
        turn(replace(notes, "two", "$& $1 $$ $` \\n {{x}} ${y} %s")),
        turn(create("/memories/markup.md", `<result is_error="true">"quoted" & 'single' \\ </result>\u0000\u0007`)),
        turn(view("/memories/markup.md")),
      ],
    ],
    after: {
      "notes.md": "one\n$& $1 $$ $` \\n {{x}} ${y} %s\nthree\n",
      "markup.md": `<result is_error="true">"quoted" & 'single' \\ </result>\u0000\u0007`,
    },
  },
  {
    name: "two edits of one file in one turn",
    before: three,
    runs: [[turn(replace(notes, "one", "1"), replace(notes, "three", "3"))]],
    after: { "notes.md": "1\ntwo\n3\n" },
  },
  {
    name: "calls of one turn in their order",
    runs: [
      [
        turn(
          create(notes, "a\n"),
          insert(notes, 1, "b"),
          replace(notes, "a\nb", "c"),
          rename(notes, "/memories/moved.md"),
          view("/memories/moved.md"),
        ),
      ],
    ],
    after: { "moved.md": "c\n" },
  },
  {
    name: "a failed call before others of its turn",
    before: three,
    runs: [
      [
        turn(
          remove("/memories/missing.md"),
          create("/memories/a.md", "a"),
          replace(notes, "missing", "x"),
          view(notes),
        ),
      ],
    ],
    after: { ...three, "a.md": "a" },
  },
  {
    name: "text that is not there, and text that is there twice",
    before: { "notes.md": "same\nother\nsame\n" },
    runs: [[turn(replace(notes, "same", "x")), turn(replace(notes, "Other", "x")), turn(replace(notes, "", "x"))]],
    after: { "notes.md": "same\nother\nsame\n" },
  },
  {
    name: "directories renamed and deleted",
    before: { "a/one.md": "1", "a/b/two.md": "2", "ab/three.md": "3", "old/four.md": "4" },
    runs: [
      [
        turn(view("/memories/a")),
        turn(rename("/memories/a", "/memories/c/d")),
        turn(remove("/memories/old")),
        turn(view("/memories")),
      ],
    ],
    after: { "c/d/one.md": "1", "c/d/b/two.md": "2", "ab/three.md": "3" },
  },
  {
    name: "names of every kind",
    runs: [
      [
        turn(
          create("/memories/Grüße/e\u0301té 👩‍👩‍👧.md", "é\n"),
          create("/memories/100%20+&'()=#[...slug].md", "x"),
          create("/memories/کتاب‌ها.md", "y"),
        ),
        turn(view("/memories"), view("/memories/Grüße/\u00e9té 👩‍👩‍👧.md"), view("/memories//100%20+&'()=#[...slug].md")),
      ],
    ],
    after: { "Grüße/\u00e9té 👩‍👩‍👧.md": "é\n", "100%20+&'()=#[...slug].md": "x", "کتاب‌ها.md": "y" },
  },
  {
    name: "paths that lead elsewhere",
    before: three,
    runs: [
      [
        turn(view("/etc/passwd"), view("/memories/../../users/other/memories/a.md"), view("/memories/%2e%2e/secret")),
        turn(create("/memories_backup/a.md", "x"), create("notes.md", "x"), create("/memories/a\\..\\..\\b", "x")),
        turn(rename(notes, "/tmp/notes.md"), remove("/memories/a/../.."), insert("/memories/\u202enotes.md", 0, "x")),
      ],
    ],
    after: three,
  },
  {
    name: "the root in every spelling",
    before: three,
    runs: [
      [
        turn(remove("/memories"), remove("/memories/"), remove("/memories/a/..")),
        turn(rename("/memories/.", "/memories/x"), rename(notes, "/memories//"), view("/memories/")),
      ],
    ],
    after: three,
  },
  {
    name: "an image, and a file that nobody can show",
    before: { "plan.png": png, "data.bin": Uint8Array.of(0xff, 0xfe, 0x00, 0xd8) },
    runs: [
      [
        turn(view("/memories/plan.png")),
        turn(view("/memories/data.bin")),
        turn(rename("/memories/plan.png", "/memories/plan.PNG")),
      ],
    ],
    after: { "plan.PNG": png, "data.bin": Uint8Array.of(0xff, 0xfe, 0x00, 0xd8) },
  },
  {
    name: "a long file, whole and in parts",
    before: { "long.md": long },
    runs: [
      [
        turn(view("/memories/long.md")),
        turn(view("/memories/long.md", [600, 602])),
        turn(view("/memories/long.md", [1199, -1])),
        turn(view("/memories/long.md", [1201, 1300])),
      ],
    ],
    after: { "long.md": long },
  },
  {
    name: "what is in the way",
    before: { ...three, "dir/a.md": "a" },
    runs: [
      [
        turn(create(notes, "x"), create("/memories/dir", "x"), create("/memories/notes.md/below", "x")),
        turn(
          rename(notes, "/memories/dir/a.md"),
          rename("/memories/dir", "/memories/dir/sub"),
          rename("/memories/no.md", notes),
        ),
        turn(
          replace("/memories/dir", "a", "b"),
          insert("/memories/dir", 0, "b"),
          insert(notes, 4, "x"),
          insert(notes, -1, "x"),
        ),
      ],
    ],
    after: { ...three, "dir/a.md": "a" },
  },
  {
    name: "inputs that are wrong",
    before: three,
    runs: [
      [
        turn(
          { command: "create", path: notes },
          { command: "create", path: notes, file_text: null },
          { command: "create", path: 5, file_text: "x" },
        ),
        turn(
          { command: "insert", path: notes, insert_line: "1", insert_text: "x" },
          { command: "insert", path: notes, insert_line: 1.5, insert_text: "x" },
        ),
        turn(
          { command: "View", path: notes },
          { command: "CREATE", path: notes, file_text: "x" },
          { command: "constructor", path: notes },
        ),
        turn(
          { command: "view", path: notes, view_range: "1-2" },
          { command: "view", path: notes, view_range: ["1", 2] },
          { command: "view", path: notes, view_range: [1] },
        ),
        turn(
          { command: "rename", path: notes, new_path: "/memories/b.md" },
          { command: "str_replace", path: notes, new_str: "x" },
          { command: "delete" },
        ),
        turn({ command: "create", path: "/memories/lone.md", file_text: "\ud800" }, { command: "view", path: null }),
      ],
    ],
    after: three,
  },
  {
    name: "fields that no command has",
    before: three,
    runs: [
      [
        turn({ command: "view", path: notes, file_text: "x", reason: "to see", nested: { deep: [1, null] } }),
        turn({
          command: "create",
          path: "/memories/a.md",
          file_text: "a\n",
          user: "somebody-else",
          project: "theirs",
          overwrite: true,
        }),
        turn({
          command: "insert",
          path: "/memories/a.md",
          insert_line: 1,
          insert_text: "b",
          old_str: null,
          view_range: [9, 1],
        }),
      ],
    ],
    after: { ...three, "a.md": "a\nb\n" },
  },
  {
    name: "an event that is delivered twice",
    before: three,
    runs: [[redelivered], [redelivered]],
    after: { "log.md": "start\n", "notes.md": "one one\ntwo\nthree\nfour\n" },
    afterWithoutIds: { "log.md": "start\n", "notes.md": "one one\ntwo\nthree\nfour\nfour\n" },
  },
];
