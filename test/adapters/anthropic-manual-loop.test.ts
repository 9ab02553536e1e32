import type Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { memoryCall } from "../../examples/support/scripted-messages-api.ts";
import { toolResults } from "../../src/adapters/anthropic.ts";
import { createMemory, type UserMemory } from "../../src/index.ts";
import { inMemoryStore } from "../../src/stores/in-memory-store.ts";
import { withScriptedApi } from "./conversation.ts";

const path = "/memories/notes.md";
const memoryOf = (): UserMemory => createMemory({ store: inMemoryStore() }).forUser("dana");
const weather = { name: "weather", input: { city: "Lima" }, id: "toolu_weather" };
const use = (id: string, input: unknown): { type: "tool_use"; id: string; name: string; input: unknown } => ({
  type: "tool_use",
  id,
  name: "memory",
  input,
});

describe("toolResults in a loop of one's own", () => {
  it("answers the memory calls of client.messages and leaves other tools alone", async () => {
    const memory = memoryOf();
    const { results } = await withScriptedApi(
      [
        [
          memoryCall({ command: "create", path, file_text: "x" }, "toolu_1"),
          weather,
          memoryCall({ command: "view", path: "/memories/none" }, "toolu_2"),
        ],
        ["Done."],
      ],
      async (client, { messages: [opening], ...start }) => {
        const tools: Anthropic.ToolUnion[] = [
          { type: "memory_20250818", name: "memory" },
          { name: "weather", input_schema: { type: "object" } },
        ];
        const messages: Anthropic.MessageParam[] = [opening];
        for (;;) {
          const message = await client.messages.create({ ...start, tools, messages });
          if (message.stop_reason !== "tool_use") break;
          const content = await toolResults(memory, message);
          const others = [{ type: "tool_result", tool_use_id: weather.id, content: "sunny" } as const];
          messages.push(
            { role: "assistant", content: message.content },
            { role: "user", content: [...content, ...others] },
          );
        }
      },
    );
    expect(results).toEqual([
      { type: "tool_result", tool_use_id: "toolu_1", content: "File created successfully at: /memories/notes.md" },
      {
        type: "tool_result",
        tool_use_id: "toolu_2",
        content: "The path /memories/none does not exist. Please provide a valid path.",
        is_error: true,
      },
      { type: "tool_result", tool_use_id: weather.id, content: "sunny" },
    ]);
  });

  it("answers the memory calls of client.beta.messages, streamed too", async () => {
    const memory = memoryOf();
    const { texts } = await withScriptedApi(
      [[memoryCall({ command: "create", path, file_text: "x" })], ["Done."]],
      async (client, { messages: [opening], ...start }) => {
        const tools: Anthropic.Beta.BetaToolUnion[] = [{ type: "memory_20250818", name: "memory" }];
        const message = await client.beta.messages.stream({ ...start, tools, messages: [opening] }).finalMessage();
        const answers: Anthropic.Beta.BetaMessageParam[] = [
          opening,
          { role: "assistant", content: message.content },
          { role: "user", content: await toolResults(memory, message) },
        ];
        await client.beta.messages.create({ ...start, tools, messages: answers });
      },
    );
    expect(texts).toEqual(["File created successfully at: /memories/notes.md"]);
  });

  it("answers in the order of the calls, whichever is done first", async () => {
    const store = inMemoryStore();
    const quick = Promise.withResolvers<void>();
    const slowFirst = createMemory({
      store: {
        ...store,
        get: async (key, options) => {
          if (key.endsWith("slow.md")) await quick.promise;
          else quick.resolve();
          return store.get(key, options);
        },
      },
    }).forUser("dana");
    const results = await toolResults(slowFirst, {
      content: [
        use("toolu_slow", { command: "view", path: "/memories/slow.md" }),
        use("toolu_quick", { command: "view", path: "/memories/quick.md" }),
      ],
    });
    expect(results.map((result) => result.tool_use_id)).toEqual(["toolu_slow", "toolu_quick"]);
  });

  it("does nothing twice when a message is delivered again", async () => {
    const memory = memoryOf();
    await memory.files.write(path, "one\n", { ifAbsent: true });
    const message = { content: [use("toolu_1", { command: "insert", path, insert_line: 1, insert_text: "two\n" })] };
    await toolResults(memory, message);
    await toolResults(memory, message);
    expect((await memory.files.read(path))?.text).toBe("one\ntwo\n");
  });

  it("answers that it was aborted, instead of rejecting", async () => {
    const message = { content: [use("toolu_1", { command: "view", path: "/memories" })] };
    const [result] = await toolResults(memoryOf(), message, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ tool_use_id: "toolu_1", is_error: true });
  });

  it("answers nothing to a message without memory calls", async () => {
    const content = [
      { type: "text", text: "Hello", citations: null },
      { type: "tool_use", ...weather, caller: { type: "direct" } },
    ] satisfies Anthropic.ContentBlock[];
    expect(await toolResults(memoryOf(), { content })).toEqual([]);
  });
});
