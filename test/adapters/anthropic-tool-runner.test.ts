import { describe, expect, it } from "vitest";
import { memoryCall } from "../../examples/support/scripted-messages-api.ts";
import { createMemory, type ObjectStore, type UserMemory } from "../../src/index.ts";
import { inMemoryStore } from "../../src/stores/in-memory-store.ts";
import { meetingReads } from "../support/meeting-reads.ts";
import { converse } from "./conversation.ts";

const path = "/memories/notes.md";
const memoryOn = (store: ObjectStore): UserMemory => createMemory({ store }).forUser("dana");
const textOf = async (memory: UserMemory, file = path): Promise<string | undefined> =>
  (await memory.files.read(file))?.text;

describe("memoryTool in the SDK's tool runner", () => {
  it("gives Claude the documented texts of all six commands, and marks none as an error", async () => {
    const { results, texts } = await converse(memoryOn(inMemoryStore()), [
      [memoryCall({ command: "view", path: "/memories" })],
      [memoryCall({ command: "create", path, file_text: "one\ntwo\n" })],
      [memoryCall({ command: "str_replace", path, old_str: "two", new_str: "three" })],
      [memoryCall({ command: "insert", path, insert_line: 1, insert_text: "two\n" })],
      [memoryCall({ command: "view", path })],
      [memoryCall({ command: "rename", old_path: path, new_path: "/memories/numbers.md" })],
      [memoryCall({ command: "delete", path: "/memories/numbers.md" })],
      ["Done."],
    ]);
    expect(texts).toEqual([
      "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n0B\t/memories",
      "File created successfully at: /memories/notes.md",
      "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\tone\n     2\tthree",
      "The file /memories/notes.md has been edited.",
      "Here's the content of /memories/notes.md with line numbers:\n     1\tone\n     2\ttwo\n     3\tthree",
      "Successfully renamed /memories/notes.md to /memories/numbers.md",
      "Successfully deleted /memories/numbers.md",
    ]);
    expect(results.filter((result) => "is_error" in result)).toEqual([]);
  });

  it("sends the exact text of a failure back as an error, without a prefix of the SDK's", async () => {
    const memory = memoryOn(inMemoryStore());
    await memory.files.write(path, "a\nb\na\n", { ifAbsent: true });
    const { results, texts } = await converse(memory, [
      [
        memoryCall({ command: "view", path: "/memories/none.md" }),
        memoryCall({ command: "str_replace", path, old_str: "zebra", new_str: "" }),
        memoryCall({ command: "str_replace", path, old_str: "a", new_str: "" }),
        memoryCall({ command: "create", path, file_text: "" }),
        memoryCall({ command: "constructor", path }),
        memoryCall(null),
      ],
      ["Done."],
    ]);
    expect(texts.slice(0, 4)).toEqual([
      "The path /memories/none.md does not exist. Please provide a valid path.",
      "No replacement was performed, old_str `zebra` did not appear verbatim in /memories/notes.md.",
      "No replacement was performed. Multiple occurrences of old_str `a` in lines: 1, 3. Please ensure it is unique",
      "Error: File /memories/notes.md already exists",
    ]);
    expect(texts.slice(4)).toEqual([
      expect.stringMatching(/^Error: (?!Error)/),
      expect.stringMatching(/^Error: (?!Error)/),
    ]);
    expect(results.map((result) => result.is_error)).toEqual(results.map(() => true));
  });

  it("case 12: takes old_path and new_path for a rename", async () => {
    const memory = memoryOn(inMemoryStore());
    await memory.files.write(path, "kept", { ifAbsent: true });
    const { texts } = await converse(memory, [
      [memoryCall({ command: "rename", old_path: path, new_path: "/memories/archive/notes.md" })],
      ["Done."],
    ]);
    expect(texts).toEqual(["Successfully renamed /memories/notes.md to /memories/archive/notes.md"]);
    expect(await textOf(memory, "/memories/archive/notes.md")).toBe("kept");
    expect(await textOf(memory)).toBeUndefined();
  });

  it("shows Claude an image as an image", async () => {
    const store = inMemoryStore();
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0);
    store.plant("users/dana/memories/map.png", png);
    const { results } = await converse(memoryOn(store), [
      [memoryCall({ command: "view", path: "/memories/map.png" })],
      ["Done."],
    ]);
    const source = { type: "base64", media_type: "image/png", data: Buffer.from(png).toString("base64") };
    expect(results[0]?.content).toContainEqual({ type: "image", source });
    expect(results[0]).not.toHaveProperty("is_error");
  });

  it.each([
    { how: "as a whole", settings: {} },
    { how: "as a stream", settings: { stream: true } },
    { how: "as a stream whose calls start early", settings: { stream: true, runToolsEagerly: true } },
    { how: "without a message thread", settings: { thread: false } },
  ] as const)("lands two edits of one file in one reply, in order, when it comes $how", async ({ settings }) => {
    const memory = memoryOn(inMemoryStore());
    const { results, texts } = await converse(
      memory,
      [
        [
          "I note it.",
          memoryCall({ command: "create", path, file_text: "count: 1\n" }),
          memoryCall({ command: "str_replace", path, old_str: "count: 1", new_str: "count: 2" }),
          memoryCall({ command: "str_replace", path, old_str: "count: 2", new_str: "count: 3" }),
        ],
        ["Done."],
      ],
      settings,
    );
    expect(texts).toEqual([
      "File created successfully at: /memories/notes.md",
      expect.stringContaining("count: 2"),
      expect.stringContaining("count: 3"),
    ]);
    expect(results.every((result) => result.is_error === undefined)).toBe(true);
    expect(await textOf(memory)).toBe("count: 3\n");
  });

  it("carries out the commands behind one that failed", async () => {
    const memory = memoryOn(inMemoryStore());
    const { results } = await converse(memory, [
      [
        memoryCall({ command: "str_replace", path, old_str: "a", new_str: "b" }),
        memoryCall({ command: "create", path, file_text: "a" }),
        memoryCall({ command: "str_replace", path, old_str: "a", new_str: "b" }),
      ],
      ["Done."],
    ]);
    expect(results.map((result) => result.is_error ?? false)).toEqual([true, false, false]);
    expect(await textOf(memory)).toBe("b");
  });

  it("starts the calls of one reply together", async () => {
    const memory = memoryOn(meetingReads(inMemoryStore()));
    const { results } = await converse(memory, [
      [
        memoryCall({ command: "view", path: "/memories/a.md" }),
        memoryCall({ command: "view", path: "/memories/b.md" }),
      ],
      ["Done."],
    ]);
    expect(results).toHaveLength(2);
  });

  it("carries a command out while the reply still streams, where the runner starts calls early", async () => {
    const store = inMemoryStore();
    const written = Promise.withResolvers<void>();
    const memory = memoryOn({
      ...store,
      put: async (...call) => {
        const answer = await store.put(...call);
        written.resolve();
        return answer;
      },
    });
    const { texts } = await converse(
      memory,
      [
        [memoryCall({ command: "create", path, file_text: "early" }), "I go on", () => written.promise, "talking."],
        ["Done."],
      ],
      { stream: true, runToolsEagerly: true },
    );
    expect(texts).toEqual(["File created successfully at: /memories/notes.md"]);
  });

  it("does nothing twice when the same call is delivered again", async () => {
    const memory = memoryOn(inMemoryStore());
    await memory.files.write(path, "one\n", { ifAbsent: true });
    const replies = [
      [memoryCall({ command: "insert", path, insert_line: 1, insert_text: "two\n" }, "toolu_same")],
      ["Done."],
    ];
    const first = await converse(memory, replies);
    const again = await converse(memory, replies);
    expect(again.texts).toEqual(first.texts);
    expect(await textOf(memory)).toBe("one\ntwo\n");
  });

  it("hands the runner's signal on to the store", async () => {
    const store = inMemoryStore();
    const controller = new AbortController();
    let seen: AbortSignal | undefined;
    const memory = memoryOn({
      ...store,
      list: async (options) => {
        seen = options.signal;
        controller.abort();
        return store.list(options);
      },
    });
    const talk = converse(memory, [[memoryCall({ command: "view", path: "/memories" })], ["Done."]], {
      signal: controller.signal,
    });
    await expect(talk).rejects.toThrow(/abort/i);
    expect(seen?.aborted).toBe(true);
  });

  it("puts cache_control and other properties into the tool's definition, and nothing of its own", async () => {
    const { requests } = await converse(memoryOn(inMemoryStore()), [["Done."]], {
      extraProperties: { cache_control: { type: "ephemeral" }, defer_loading: false },
    });
    expect(requests[0]?.tools).toEqual([
      { type: "memory_20250818", name: "memory", cache_control: { type: "ephemeral" }, defer_loading: false },
    ]);
  });
});
