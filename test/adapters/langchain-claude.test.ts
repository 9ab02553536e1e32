import { ChatAnthropic, tools as anthropicTools } from "@langchain/anthropic";
import { AIMessage, HumanMessage, ToolMessage, type BaseMessage } from "@langchain/core/messages";
import { createAgent, createMiddleware, tool } from "langchain";
import { describe, expect, it, vi } from "vitest";
import {
  memoryCall,
  startScriptedMessagesApi,
  type Block,
  type MessagesRequest,
  type Reply,
} from "../../examples/support/scripted-messages-api.ts";
import { anthropicMemoryTool, markToolErrors, memoryTool } from "../../src/adapters/langchain.ts";
import { createMemory, type UserMemory } from "../../src/index.ts";
import { inMemoryStore } from "../../src/stores/in-memory-store.ts";

const path = "/memories/notes.md";
const opening = "Hello";
const start = { messages: [{ role: "user" as const, content: opening }] };
const memoryOf = (): UserMemory => createMemory({ store: inMemoryStore() }).forUser("dana");
const errorMarks = createMiddleware({
  name: "errorMarks",
  wrapModelCall: (request, handler) => handler({ ...request, messages: markToolErrors(request.messages) }),
});
const success = (id: string): ToolMessage => new ToolMessage({ content: "Yes.", tool_call_id: id });
const missing = "The path /memories/none does not exist. Please provide a valid path.";
const created = "File created successfully at: /memories/notes.md";
const createAndMiss = [
  memoryCall({ command: "create", path, file_text: "x" }, "toolu_1"),
  memoryCall({ command: "view", path: "/memories/none" }, "toolu_2"),
];

interface Sent {
  readonly requests: readonly MessagesRequest[];
  readonly results: readonly Block[];
}

async function withClaude(replies: readonly Reply[], talk: (model: ChatAnthropic) => Promise<unknown>): Promise<Sent> {
  const api = await startScriptedMessagesApi({ [opening]: replies });
  try {
    const connection = { apiKey: "scripted", anthropicApiUrl: api.url, maxRetries: 0 };
    await talk(new ChatAnthropic({ model: "claude-opus-5-5", ...connection }));
    return { requests: api.requests, results: api.results };
  } finally {
    await api.close();
  }
}

describe("anthropicMemoryTool with ChatAnthropic", () => {
  it("sends what the memory tool of @langchain/anthropic sends", async () => {
    const theirs = anthropicTools.memory_20250818({ execute: async () => created });
    const ours = anthropicMemoryTool(memoryOf());
    const call = [memoryCall({ command: "create", path, file_text: "x" }, "toolu_1")];
    const [expected, sent] = await Promise.all(
      [theirs, ours].map((memory) =>
        withClaude([call, ["Done."]], (model) => createAgent({ model, tools: [memory] }).invoke(start)),
      ),
    );
    expect(sent?.requests[0]?.tools).toEqual([{ type: "memory_20250818", name: "memory" }]);
    expect(sent?.requests).toEqual(expected?.requests);
  });

  it("hands on what the memory tool of @langchain/anthropic drops or refuses", async () => {
    const execute = vi.fn<(input: unknown) => Promise<string>>(async () => created);
    const theirs = anthropicTools.memory_20250818({ execute });
    const range = { command: "view", path, view_range: [1, 2] } as const;
    const deletion = { command: "str_replace", path, old_str: "x" } as const;
    await theirs.invoke(range);
    expect(execute).toHaveBeenLastCalledWith({ command: "view", path }, expect.anything());
    await expect(theirs.invoke(deletion as never)).rejects.toThrow(/did not match expected schema/u);

    const memory = memoryOf();
    const ours = anthropicMemoryTool(memory);
    await memory.files.write(path, "one\nxtwo\nthree\n", { ifAbsent: true });
    await ours.invoke(deletion);
    expect(await ours.invoke(range)).toMatch(/1\tone\n +2\ttwo$/u);
  });

  it("answers the parallel calls of an agent, errors marked", async () => {
    const { results, requests } = await withClaude([createAndMiss, ["Done."]], (model) =>
      createAgent({ model, tools: [anthropicMemoryTool(memoryOf())], middleware: [errorMarks] }).invoke(start),
    );
    expect(requests).toHaveLength(2);
    expect(results).toEqual([
      { type: "tool_result", tool_use_id: "toolu_1", content: created },
      { type: "tool_result", tool_use_id: "toolu_2", content: missing, is_error: true },
    ]);
  });

  it("answers a streamed reply, of which other tools are part", async () => {
    const clock = tool(() => "09:30", { name: "clock", description: "The time of day", schema: { type: "object" } });
    const replies = [[...createAndMiss, { name: "clock", input: {}, id: "toolu_3" }], ["Done."]];
    const { results, requests } = await withClaude(replies, async (model) => {
      const tools = [anthropicMemoryTool(memoryOf()), clock];
      const agent = createAgent({ model, tools, middleware: [errorMarks] });
      for await (const [message] of await agent.stream(start, { streamMode: "messages" }))
        expect(message).toBeDefined();
    });
    expect(requests.map(({ stream }) => stream)).toEqual([true, true]);
    expect(results).toEqual([
      { type: "tool_result", tool_use_id: "toolu_1", content: created },
      { type: "tool_result", tool_use_id: "toolu_2", content: missing, is_error: true },
      { type: "tool_result", tool_use_id: "toolu_3", content: "09:30" },
    ]);
  });

  it("answers the exact text without the middleware too, which ChatAnthropic does not mark as an error", async () => {
    const { results } = await withClaude([createAndMiss, ["Done."]], (model) =>
      createAgent({ model, tools: [anthropicMemoryTool(memoryOf())] }).invoke(start),
    );
    expect(results[1]).toEqual({ type: "tool_result", tool_use_id: "toolu_2", content: missing });
  });

  it("works in a loop of one's own", async () => {
    const { results } = await withClaude([createAndMiss, ["Done."]], async (model) => {
      const memory = anthropicMemoryTool(memoryOf());
      const bound = model.bindTools([memory]);
      const messages: BaseMessage[] = [new HumanMessage(opening)];
      for (;;) {
        const reply = await bound.invoke(markToolErrors(messages));
        if (!reply.tool_calls?.length) return;
        const calls = reply.tool_calls.map((call) => memory.invoke({ ...call, type: "tool_call" as const }));
        messages.push(reply, ...(await Promise.all(calls)));
      }
    });
    expect(results).toMatchObject([{ content: created }, { content: missing, is_error: true }]);
  });

  it("shows Claude an image in the shape of the Messages API", async () => {
    const store = inMemoryStore();
    const bytes = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1);
    const put = { contentType: "image/png", metadata: {}, condition: { kind: "absent" } } as const;
    await store.put("users/dana/memories/plan.png", bytes, put);
    const memory = createMemory({ store }).forUser("dana");
    const view = [memoryCall({ command: "view", path: "/memories/plan.png" }, "toolu_1"), ...createAndMiss.slice(1)];
    const { results } = await withClaude([view, ["Done."]], (model) =>
      createAgent({ model, tools: [anthropicMemoryTool(memory)], middleware: [errorMarks] }).invoke(start),
    );
    const source = { type: "base64", media_type: "image/png", data: Buffer.from(bytes).toString("base64") };
    expect(results).toEqual([
      { type: "tool_result", tool_use_id: "toolu_1", content: [{ type: "image", source }] },
      { type: "tool_result", tool_use_id: "toolu_2", content: missing, is_error: true },
    ]);
  });
});

describe("memoryTool with ChatAnthropic", () => {
  it("is a tool with a description and a schema, as every other model gets it", async () => {
    const memory = memoryTool(memoryOf());
    const { requests } = await withClaude([["Done."]], (model) => model.bindTools([memory]).invoke(opening));
    const { name, description, schema } = memory;
    expect(requests[0]?.tools).toEqual([{ name, description, input_schema: schema }]);
  });
});

describe("markToolErrors", () => {
  const error = new ToolMessage({ content: "No.", tool_call_id: "toolu_1", status: "error" });

  it("makes a failure a tool_result with is_error, and leaves the messages that were given as they are", () => {
    const messages = [error];
    expect(markToolErrors(messages)[0]).toMatchObject({
      type: "human",
      content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "No.", is_error: true }],
    });
    expect(messages).toEqual([error]);
  });

  it.each([
    ["a success", new ToolMessage({ content: "Yes.", tool_call_id: "toolu_1", status: "success" })],
    ["a result without a status", success("toolu_1")],
    ["an empty failure", new ToolMessage({ content: "", tool_call_id: "toolu_1", status: "error" })],
    [
      "a failure in blocks",
      new ToolMessage({ content: [{ type: "text", text: "No." }], tool_call_id: "toolu_1", status: "error" }),
    ],
    ["what the user says", new HumanMessage("No.")],
    ["what the model says", new AIMessage("No.")],
  ])("leaves %s alone", (_, message) => {
    expect(markToolErrors([message])[0]).toBe(message);
  });

  it("keeps the order and stays repeatable while ChatAnthropic puts results together", async () => {
    const calls = ["toolu_1", "toolu_2", "toolu_3"].map((id) => ({ name: "memory", args: {}, id }));
    const history = [
      new HumanMessage(opening),
      new AIMessage({ content: "", tool_calls: calls }),
      error,
      success("toolu_2"),
      success("toolu_3"),
    ];
    const { results } = await withClaude([[], ["Done."]], async (model) => {
      await model.invoke(markToolErrors(history));
      await model.invoke(markToolErrors(history));
    });
    const once = [
      { type: "tool_result", tool_use_id: "toolu_1", content: "No.", is_error: true },
      { type: "tool_result", tool_use_id: "toolu_2", content: "Yes." },
      { type: "tool_result", tool_use_id: "toolu_3", content: "Yes." },
    ];
    expect(results).toEqual([...once, ...once]);
  });
});
