import { createAnthropic } from "@ai-sdk/anthropic";
import { describe, expect, it } from "vitest";
import {
  memoryCall,
  resultText,
  startScriptedMessagesApi,
  type Reply,
  type ScriptedMessagesApi,
} from "../../examples/support/scripted-messages-api.ts";
import { anthropicMemoryTool } from "../../src/adapters/ai-sdk.ts";
import { createMemory, isMemoryError, MemoryError, type UserMemory } from "../../src/index.ts";
import { inMemoryStore } from "../../src/stores/in-memory-store.ts";
import { meetingReads } from "../support/meeting-reads.ts";
import { byAgent, byGenerateText, byStreamText, type Run, type Way } from "./ai-sdk-ways.ts";

const path = "/memories/notes.md";
const prompt = "Hello";
const memoryOf = (store = inMemoryStore()): UserMemory => createMemory({ store }).forUser("dana");
const withNotes = async (text = "a\nb\na\n"): Promise<UserMemory> => {
  const memory = memoryOf();
  await memory.files.write(path, text, { ifAbsent: true });
  return memory;
};

type Talk = Pick<ScriptedMessagesApi, "requests" | "headers" | "results"> & {
  readonly texts: readonly string[];
  readonly parts: Awaited<ReturnType<Way["run"]>>;
};

/** Lets Claude say these replies to the SDK's own loop; what it was sent. */
async function converse(
  memory: UserMemory,
  replies: readonly Reply[],
  { run = byGenerateText.run, way: _way, ...rest }: Partial<Way> & Pick<Run, "abortSignal"> = {},
): Promise<Talk> {
  const api = await startScriptedMessagesApi({ [prompt]: [...replies, ["Done."]] });
  try {
    const anthropic = createAnthropic({ apiKey: "scripted", baseURL: `${api.url}/v1` });
    const tools = { memory: anthropicMemoryTool(anthropic, memory) };
    const parts = await run({ model: anthropic("claude-opus-5-5"), tools, prompt, ...rest });
    const { requests, headers, results } = api;
    return { requests, headers, results, texts: results.map(resultText), parts };
  } finally {
    await api.close();
  }
}

describe.each([byGenerateText, byStreamText, byAgent])("Claude's memory tool by $way", ({ way, run }) => {
  it("gives Claude the exact text of a failure, marked as an error", async () => {
    const { results } = await converse(
      await withNotes(),
      [
        [
          memoryCall({ command: "view", path: "/memories/none.md" }),
          memoryCall({ command: "str_replace", path, old_str: "zebra", new_str: "" }),
          memoryCall({ command: "str_replace", path, old_str: "a", new_str: "" }),
          memoryCall({ command: "create", path, file_text: "" }),
        ],
      ],
      { way, run },
    );
    expect(results.map(resultText)).toEqual([
      "The path /memories/none.md does not exist. Please provide a valid path.",
      "No replacement was performed, old_str `zebra` did not appear verbatim in /memories/notes.md.",
      "No replacement was performed. Multiple occurrences of old_str `a` in lines: 1, 3. Please ensure it is unique",
      "Error: File /memories/notes.md already exists",
    ]);
    expect(results.map((result) => result.is_error)).toEqual([true, true, true, true]);
  });

  it("lets the memory, and no schema, answer an input that is wrong", async () => {
    const inputs = [
      { command: "View", path },
      { command: "create", path, file_text: null },
      { command: "insert", path, insert_line: "1", insert_text: "x" },
      { command: "view", path, view_range: [1] },
      { path },
      null,
      "view",
      [],
    ];
    const twin = await withNotes();
    const answers = await Promise.all(inputs.map((input) => twin.execute(input)));
    const { results } = await converse(await withNotes(), [inputs.map((input) => memoryCall(input))], { way, run });
    expect(results.map(resultText)).toEqual(answers.map(({ content }) => content));
    expect(results.map((result) => result.is_error)).toEqual(inputs.map(() => true));
  });

  it("takes a missing new_str, null and fields that no command has", async () => {
    const memory = await withNotes("one\ntwo\n");
    const { results } = await converse(
      memory,
      [
        [memoryCall({ command: "str_replace", path, old_str: "one\n", reason: "done" })],
        [memoryCall({ command: "view", path, view_range: null })],
      ],
      { way, run },
    );
    expect(results.map((result) => result.is_error)).toEqual([undefined, undefined]);
    expect((await memory.files.read(path))?.text).toBe("two\n");
  });

  it("lands two edits of one file in one reply, in order", async () => {
    const memory = await withNotes("count: 1\n");
    const { texts } = await converse(
      memory,
      [
        [
          memoryCall({ command: "str_replace", path, old_str: "count: 1", new_str: "count: 2" }),
          memoryCall({ command: "str_replace", path, old_str: "count: 2", new_str: "count: 3" }),
        ],
      ],
      { way, run },
    );
    expect(texts).toEqual([expect.stringContaining("count: 2"), expect.stringContaining("count: 3")]);
    expect((await memory.files.read(path))?.text).toBe("count: 3\n");
  });

  it("starts the calls of one reply together", async () => {
    const memory = createMemory({ store: meetingReads(inMemoryStore()) }).forUser("dana");
    const calls = ["a", "b"].map((name) => memoryCall({ command: "view", path: `/memories/${name}.md` }));
    const { results } = await converse(memory, [calls], { way, run });
    expect(results).toHaveLength(2);
  });

  it("does nothing twice when the same call is delivered again", async () => {
    const memory = await withNotes("one\n");
    const replies = [[memoryCall({ command: "insert", path, insert_line: 1, insert_text: "two\n" }, "toolu_same")]];
    const first = await converse(memory, replies, { way, run });
    const again = await converse(memory, replies, { way, run });
    expect(again.texts).toEqual(first.texts);
    expect((await memory.files.read(path))?.text).toBe("one\ntwo\n");
  });

  it("shows Claude an image as an image", async () => {
    const store = inMemoryStore();
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0);
    store.plant("users/dana/memories/map.png", png);
    const { results } = await converse(
      memoryOf(store),
      [[memoryCall({ command: "view", path: "/memories/map.png" })]],
      { way, run },
    );
    const source = { type: "base64", media_type: "image/png", data: Buffer.from(png).toString("base64") };
    expect(results[0]?.content).toEqual([{ type: "image", source }]);
  });

  it("hands the abort signal on to the store", async () => {
    const store = inMemoryStore();
    const controller = new AbortController();
    let seen: AbortSignal | undefined;
    const memory = createMemory({
      store: {
        ...store,
        list: async (options) => {
          seen = options.signal;
          controller.abort();
          return store.list(options);
        },
      },
    }).forUser("dana");
    const talk = converse(memory, [[memoryCall({ command: "view", path: "/memories" })]], {
      way,
      run,
      abortSignal: controller.signal,
    });
    await talk.catch(() => undefined); // a stream ends, the others reject
    expect(seen?.aborted).toBe(true);
  });

  it("leaves a failure in the steps as a tool-error with the memory's code, and nothing of the operator's", async () => {
    const fault = new MemoryError("storage", "The memory is not available.", { key: "secret-key", reason: "Denied" });
    const store = {
      ...inMemoryStore(),
      list: async () => {
        throw fault;
      },
    };
    const memory = createMemory({ store, onError: () => undefined }).forUser("dana");
    const { parts, requests } = await converse(memory, [[memoryCall({ command: "view", path: "/memories" })]], {
      way,
      run,
    });
    const [error] = parts.filter(({ type }) => type === "tool-error").map((part) => part.error);
    expect(isMemoryError(error) && error.code).toBe("storage");
    expect(error).toHaveProperty("details", {});
    expect(error).not.toHaveProperty("cause");
    expect(JSON.stringify([parts, requests])).not.toMatch(/secret-key|Denied/u);
  });
});

describe("Claude's memory tool", () => {
  it("goes out as the provider's own, without schema or description, with the beta that the provider adds", async () => {
    const { requests, headers } = await converse(memoryOf(), []);
    expect(requests[0]?.tools).toEqual([{ type: "memory_20250818", name: "memory" }]);
    expect(headers[0]?.["anthropic-beta"]).toBe("context-management-2025-06-27");
  });
});
