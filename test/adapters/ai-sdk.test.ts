import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { describe, expect, it } from "vitest";
import {
  startScriptedChatCompletions,
  type ChatReply,
  type ScriptedChatCompletions,
} from "../../examples/support/scripted-chat-completions.ts";
import { memoryCall } from "../../examples/support/scripted-reply.ts";
import { memoryTool, type MemoryToolOptions } from "../../src/adapters/ai-sdk.ts";
import { memoryTool as definition } from "../../src/adapters/tool/definition.ts";
import { createMemory, type UserMemory } from "../../src/index.ts";
import { inMemoryStore } from "../../src/stores/in-memory-store.ts";
import { byGenerateText, byStreamText, type Way } from "./ai-sdk-ways.ts";

const path = "/memories/notes.md";
const prompt = "Hello";
const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0);
const memoryOf = (store = inMemoryStore()): UserMemory => createMemory({ store }).forUser("dana");

interface Settings extends MemoryToolOptions, Partial<Way> {
  /** Whether the provider takes images in the results of tools. */
  readonly takesImages?: boolean;
}

/** Lets another vendor's model say these replies to the SDK's own loop; what it was sent. */
async function converse(
  memory: UserMemory,
  replies: readonly ChatReply[],
  { run = byGenerateText.run, way: _way, takesImages = false, ...options }: Settings = {},
): Promise<Pick<ScriptedChatCompletions, "requests"> & { readonly contents: readonly unknown[] }> {
  const api = await startScriptedChatCompletions({ [prompt]: [...replies, ["Done."]] });
  try {
    const vendor = createOpenAICompatible({
      name: "vendor",
      baseURL: api.url,
      supportsMultiPartToolContent: takesImages,
    });
    await run({ model: vendor("vendor-1"), tools: { memory: memoryTool(memory, options) }, prompt });
    return { requests: api.requests, contents: api.results.map(({ content }) => content) };
  } finally {
    await api.close();
  }
}

describe.each([byGenerateText, byStreamText])("the memory tool for any model by $way", ({ way, run }) => {
  it("gives the model the exact texts of all six commands", async () => {
    const { contents } = await converse(
      memoryOf(),
      [
        [memoryCall({ command: "create", path, file_text: "one\ntwo\n" })],
        [memoryCall({ command: "str_replace", path, old_str: "two", new_str: "three" })],
        [memoryCall({ command: "insert", path, insert_line: 1, insert_text: "two\n" })],
        [memoryCall({ command: "view", path })],
        [memoryCall({ command: "rename", old_path: path, new_path: "/memories/numbers.md" })],
        [memoryCall({ command: "delete", path: "/memories/numbers.md" })],
      ],
      { way, run },
    );
    expect(contents).toEqual([
      "File created successfully at: /memories/notes.md",
      "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\tone\n     2\tthree",
      "The file /memories/notes.md has been edited.",
      "Here's the content of /memories/notes.md with line numbers:\n     1\tone\n     2\ttwo\n     3\tthree",
      "Successfully renamed /memories/notes.md to /memories/numbers.md",
      "Successfully deleted /memories/numbers.md",
    ]);
  });

  it("lets the memory, and no schema, answer an input that is wrong", async () => {
    const inputs = [
      { command: "View", path },
      { command: "create", path },
      { path, insert_line: "1" },
      null,
      "view",
      [],
    ];
    const answers = await Promise.all(inputs.map((input) => memoryOf().execute(input)));
    const { contents } = await converse(memoryOf(), [inputs.map((input) => memoryCall(input))], { way, run });
    expect(contents).toEqual(answers.map(({ content }) => content));
  });
});

describe("the memory tool for any model", () => {
  it("describes itself, and asks for no strict mode", async () => {
    const memory = memoryOf();
    const { requests } = await converse(memory, []);
    const { name, description, inputSchema: parameters } = definition(memory.settings);
    expect(requests[0]?.tools).toEqual([{ type: "function", function: { name, description, parameters } }]);
  });

  it("offers a memory that may only be read to be viewed", async () => {
    const memory = createMemory({ store: inMemoryStore() }).forUser("dana", { readOnly: true });
    const { requests } = await converse(memory, []);
    expect(requests[0]?.tools?.[0]?.function["parameters"]).toMatchObject({
      properties: { command: { enum: ["view"] } },
    });
  });

  it("loses no edit of a model whose ids are counted anew in each reply", async () => {
    const memory = memoryOf();
    await converse(memory, [
      [memoryCall({ command: "create", path, file_text: "one\ntwo\n" }, "memory:0")],
      [memoryCall({ command: "str_replace", path, old_str: "one", new_str: "1" }, "memory:0")],
      [memoryCall({ command: "insert", path, insert_line: 0, insert_text: "0" }, "memory:0")],
    ]);
    expect((await memory.files.read(path))?.text).toBe("0\n1\ntwo\n");
  });

  it("does nothing twice where the ids are unique and a call is delivered again", async () => {
    const memory = memoryOf();
    await memory.files.write(path, "one\n", { ifAbsent: true });
    const replies = [[memoryCall({ command: "insert", path, insert_line: 1, insert_text: "two\n" }, "call_same")]];
    const first = await converse(memory, replies, { uniqueCallIds: true });
    const again = await converse(memory, replies, { uniqueCallIds: true });
    expect(again.contents).toEqual(first.contents);
    expect((await memory.files.read(path))?.text).toBe("one\ntwo\n");
  });

  it.each([
    {
      what: "a word instead of the image",
      settings: {},
      content: "This file is an image (image/png), and images cannot be shown here.",
    },
    {
      what: "the image, where that is asked for and the provider takes it",
      settings: { images: true, takesImages: true },
      content: [
        { type: "image_url", image_url: { url: `data:image/png;base64,${Buffer.from(png).toString("base64")}` } },
      ],
    },
    {
      what: "the image's bytes as text, where that is asked for and the provider does not take it",
      settings: { images: true, takesImages: false },
      content: expect.stringContaining(Buffer.from(png).toString("base64")) as unknown,
    },
  ])("gives the model $what", async ({ settings, content }) => {
    const store = inMemoryStore();
    store.plant("users/dana/memories/map.png", png);
    const replies = [[memoryCall({ command: "view", path: "/memories/map.png" })]];
    const { contents } = await converse(memoryOf(store), replies, settings);
    expect(contents).toEqual([content]);
  });

  it("refuses options that make no sense", () => {
    const memory = memoryOf();
    const wrong = (options: unknown) => () => memoryTool(memory, options as MemoryToolOptions);
    expect(wrong({ images: "yes" })).toThrow(
      new TypeError('memoryTool: option images is "yes". Expected true or false.'),
    );
    expect(wrong({ uniqueCallIds: 1 })).toThrow(
      new TypeError("memoryTool: option uniqueCallIds is 1. Expected true or false."),
    );
    expect(wrong({ image: true })).toThrow(
      new TypeError("memoryTool: there is no option image. Expected one of: images, uniqueCallIds."),
    );
  });
});
