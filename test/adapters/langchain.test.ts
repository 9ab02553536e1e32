import { AIMessage, ToolMessage, type InvalidToolCall } from "@langchain/core/messages";
import { tool as toolBy, type StructuredToolInterface, type ToolRunnableConfig } from "@langchain/core/tools";
import { createAgent, fakeModel } from "langchain";
import { describe, expect, it, vi } from "vitest";
import { anthropicMemoryTool, memoryTool } from "../../src/adapters/langchain.ts";
import { memoryTool as definition } from "../../src/adapters/tool/definition.ts";
import { createMemory, MemoryError, type ExecuteOptions, type UserMemory } from "../../src/index.ts";
import { inMemoryStore } from "../../src/stores/in-memory-store.ts";

const path = "/memories/notes.md";
const created = "File created successfully at: /memories/notes.md";
const missing = "The path /memories/none does not exist. Please provide a valid path.";
const start = { messages: [{ role: "user" as const, content: "Hello" }] };
const memoryOf = (): UserMemory => createMemory({ store: inMemoryStore() }).forUser("dana");
const callOf = (args: object, id?: string) => ({
  name: "memory",
  args,
  type: "tool_call" as const,
  ...(id !== undefined && { id }),
});

interface Execution {
  readonly input: unknown;
  readonly options: ExecuteOptions | undefined;
}

/** A memory that notes with what it is called. */
function watched(memory = memoryOf()): { readonly memory: UserMemory; readonly executions: Execution[] } {
  const executions: Execution[] = [];
  const execute: UserMemory["execute"] = (input, options) => {
    executions.push({ input, options });
    return memory.execute(input, options);
  };
  return { memory: { ...memory, execute }, executions };
}

/** Lets an agent whose model makes these calls at once run to its end, and answers the tool messages that the model reads. */
async function readBy(tool: StructuredToolInterface, calls: readonly object[]): Promise<ToolMessage[]> {
  const turn = calls.map((args, index) => ({ name: "memory", args, id: `call_${index + 1}` }));
  const model = fakeModel().respondWithTools(turn).respondWithTools([]);
  await createAgent({ model, tools: [tool] }).invoke(start);
  return (model.calls.at(-1)?.messages ?? []).filter((message) => ToolMessage.isInstance(message));
}

async function memoryWithImage(): Promise<UserMemory> {
  const store = inMemoryStore();
  const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a);
  const put = { contentType: "image/png", metadata: {}, condition: { kind: "absent" } } as const;
  await store.put("users/dana/memories/plan.png", png, put);
  return createMemory({ store }).forUser("dana");
}

describe.each([
  ["memoryTool", (memory: UserMemory) => memoryTool(memory, { uniqueCallIds: true })],
  ["anthropicMemoryTool", anthropicMemoryTool],
])("%s", (_, toolOf) => {
  it("answers the calls of one turn, a failure with the exact text, its status and its code", async () => {
    const calls = [
      { command: "create", path, file_text: "x" },
      { command: "view", path: "/memories/none" },
    ];
    const [success, failure] = await readBy(toolOf(memoryOf()), calls);
    expect(success).toMatchObject({ tool_call_id: "call_1", name: "memory", content: created, status: "success" });
    expect(success?.artifact).toBeUndefined();
    expect(failure).toMatchObject({ tool_call_id: "call_2", name: "memory", content: missing, status: "error" });
    expect(failure?.artifact).toEqual({ code: "not_found" });
  });

  it.each([
    ["a field that is missing", { command: "create", path }],
    ["null", { command: "str_replace", path, old_str: "x", new_str: null }],
    ["a number as a string", { command: "insert", path, insert_line: "1", insert_text: "x" }],
    ["a field that is not known", { command: "view", path, reason: "to see" }],
    ["a command in the wrong case", { command: "View", path }],
    ["no command", {}],
    ["a list", ["view", path]],
    ["what looks like a call, with arguments of its own", { type: "tool_call", args: { command: "view", path } }],
    ["what looks like a call, without any", { command: "view", path: "/memories", type: "tool_call", id: "call_9" }],
  ])("hands on %s as it came, once", async (_what, input) => {
    const { memory, executions } = watched();
    const [answered] = await readBy(toolOf(memory), [input]);
    expect(executions.map((execution) => execution.input)).toEqual([input]);
    expect(answered?.content).toBe((await memoryOf().execute(input)).content);
    expect(answered?.tool_call_id).toBe("call_1");
  });

  it("hands on the id of the call and the signal of the run", async () => {
    const { memory, executions } = watched();
    const { signal } = new AbortController();
    await toolOf(memory).invoke(callOf({ command: "view", path: "/memories" }, "call_1"), { signal });
    expect(executions[0]?.options).toEqual({ toolUseId: "call_1", signal });
  });

  it("answers a call without an id", async () => {
    const { memory, executions } = watched();
    const answered = await toolOf(memory).invoke(callOf({ command: "view", path: "/memories/none" }));
    expect(answered).toMatchObject({ content: missing, status: "error", tool_call_id: "" });
    expect(executions[0]?.options).toEqual({});
  });

  it("answers an aborted call as the memory does", async () => {
    const call = callOf({ command: "create", path, file_text: "x" }, "call_1");
    const answered = await toolOf(memoryOf()).invoke(call, { signal: AbortSignal.abort() });
    const expected = await memoryOf().execute(call.args, { signal: AbortSignal.abort() });
    expect(answered).toMatchObject({ content: expected.content, status: "error", artifact: { code: "aborted" } });
  });

  it("waits for the memory, which may be writing, when it is aborted meanwhile", async () => {
    const run = new AbortController();
    const execute: UserMemory["execute"] = async () => {
      run.abort();
      await new Promise((resolve) => setImmediate(resolve));
      return { isError: false, content: created };
    };
    const call = callOf({ command: "create", path, file_text: "x" }, "call_1");
    const answered = toolOf({ ...memoryOf(), execute }).invoke(call, { signal: run.signal });
    expect(await answered).toMatchObject({ content: created, status: "success" });
  });

  it("ends its command when the agent's run is aborted", async () => {
    const run = new AbortController();
    const ended = Promise.withResolvers<unknown>();
    const memory = memoryOf();
    const execute: UserMemory["execute"] = (input, options) => {
      options?.signal?.addEventListener("abort", () => ended.resolve(input), { once: true });
      run.abort();
      return memory.execute(input, options);
    };
    const input = { command: "view", path: "/memories" };
    const model = fakeModel().respondWithTools([{ name: "memory", args: input, id: "call_1" }]);
    const agent = createAgent({ model, tools: [toolOf({ ...memory, execute })] });
    await expect(agent.invoke(start, { signal: run.signal })).rejects.toThrow(/abort/iu);
    expect(await ended.promise).toEqual(input);
  });

  it("answers the application the content, or rejects with the error", async () => {
    const tool = toolOf(memoryOf());
    expect(await tool.invoke({ command: "create", path, file_text: "x" })).toBe(created);
    const failure = tool.invoke({ command: "view", path: "/memories/none" });
    await expect(failure).rejects.toBeInstanceOf(MemoryError);
    await expect(failure).rejects.toMatchObject({ message: missing, code: "not_found" });
  });

  it("keeps the operator's details out of the message that a checkpointer may store", async () => {
    const store = inMemoryStore();
    const secret = "arn:aws:s3:::agent-memory/users/dana";
    const list = () =>
      Promise.reject(new MemoryError("storage", "The memory is not available.", { key: secret, hint: secret }));
    const memory = createMemory({ store: { ...store, list }, onError: () => undefined }).forUser("dana");
    const [answered] = await readBy(toolOf(memory), [{ command: "view", path: "/memories" }]);
    expect(answered?.artifact).toEqual({ code: "storage" });
    expect(JSON.stringify(answered)).not.toContain(secret);
  });

  it("is seen by callbacks once, by its name and with the input", async () => {
    const handleToolStart = vi.fn<(...seen: unknown[]) => void>();
    const handleToolEnd = vi.fn<(...seen: unknown[]) => void>();
    const call = callOf({ command: "view", path: "/memories" }, "call_1");
    await toolOf(memoryOf()).invoke(call, { callbacks: [{ handleToolStart, handleToolEnd }] });
    expect(handleToolStart).toHaveBeenCalledOnce();
    expect(handleToolStart.mock.calls[0]?.[1]).toBe(JSON.stringify(call.args));
    expect(handleToolStart.mock.calls[0]).toContain("memory");
    expect(handleToolEnd).toHaveBeenCalledOnce();
  });

  it("loses no edit of another tool that makes several and hands its own config on", async () => {
    const memory = memoryOf();
    await memory.files.write(path, "", { ifAbsent: true });
    const own = toolOf(memory);
    const noteAll = toolBy(
      async ({ lines }: { lines: string[] }, config: ToolRunnableConfig) => {
        for (const text of lines)
          await own.invoke({ command: "insert", path, insert_line: 0, insert_text: text }, config);
        return "Noted.";
      },
      { name: "note_all", description: "Notes lines.", schema: { type: "object" } },
    );
    const calls = [{ name: "note_all", args: { lines: ["one", "two"] }, id: "call_1" }];
    const model = fakeModel().respondWithTools(calls).respondWithTools([]);
    await createAgent({ model, tools: [noteAll] }).invoke(start);
    expect((await memory.files.read(path))?.text).toBe("two\none");
  });

  it("keeps to what the application sets on it", async () => {
    const handleToolStart = vi.fn<(...seen: unknown[]) => void>();
    const tool = toolOf(memoryOf());
    Object.assign(tool, { callbacks: [{ handleToolStart }], tags: ["tagged"], metadata: { team: "crm" } });
    await tool.invoke(callOf({ command: "view", path: "/memories" }, "call_1"));
    expect(handleToolStart).toHaveBeenCalledOnce();
    expect(handleToolStart.mock.calls[0]).toEqual(expect.arrayContaining([["tagged"], { team: "crm" }]));
  });
});

describe("memoryTool", () => {
  it("is not called where the arguments are no JSON: LangChain's agent ends there", async () => {
    const { memory, executions } = watched();
    const call = {
      name: "memory",
      args: '{"command":',
      id: "call_1",
      error: "Malformed args.",
      type: "invalid_tool_call",
    };
    const model = fakeModel().respond(new AIMessage({ content: "", invalid_tool_calls: [call as InvalidToolCall] }));
    const { messages } = await createAgent({ model, tools: [memoryTool(memory)] }).invoke(start);
    expect(messages.map(({ type }) => type)).toEqual(["human", "ai"]);
    expect(executions).toEqual([]);
  });

  it("has the description and the schema that every adapter gives, and nothing of one vendor", () => {
    const memory = createMemory({ store: inMemoryStore() }).forUser("dana", { readOnly: true });
    const { name, description, schema, extras } = memoryTool(memory);
    const { inputSchema, ...expected } = definition(memory.settings);
    expect({ name, description }).toEqual(expected);
    expect(schema).toEqual(inputSchema);
    expect(extras).toBeUndefined();
  });

  it("says that a file is an image, where the model cannot be shown one", async () => {
    const [answered] = await readBy(memoryTool(await memoryWithImage()), [
      { command: "view", path: "/memories/plan.png" },
    ]);
    expect(answered?.content).toBe("This file is an image (image/png), and images cannot be shown here.");
    expect(answered?.status).toBe("success");
  });

  it("shows an image as LangChain's block, where it can", async () => {
    const tool = memoryTool(await memoryWithImage(), { images: true });
    const blocks = [{ type: "image", mimeType: "image/png", data: "iVBORw0KGgo=" }];
    const view = { command: "view", path: "/memories/plan.png" };
    expect((await readBy(tool, [view]))[0]?.content).toEqual(blocks);
    expect(await tool.invoke(view)).toEqual(blocks);
  });

  it("hands on no ids of calls unless they are said to be unique, because a second edit would be taken for the first", async () => {
    const memory = memoryOf();
    const insert = (text: string) => callOf({ command: "insert", path, insert_line: 0, insert_text: text }, "memory:0");
    await memory.files.write(path, "one\n", { ifAbsent: true });
    for (const text of ["two", "three"]) await memoryTool(memory).invoke(insert(text));
    expect((await memory.files.read(path))?.text).toBe("three\ntwo\none\n");
    await memoryTool(memory, { uniqueCallIds: true }).invoke(insert("four"));
    await memoryTool(memory, { uniqueCallIds: true }).invoke(insert("five"));
    expect((await memory.files.read(path))?.text).toBe("four\nthree\ntwo\none\n");
  });

  it("refuses options that make no sense", () => {
    const options = [{ images: "yes" }, { image: true }, { uniqueCallIds: 1 }, null] as unknown as {
      images: boolean;
    }[];
    expect(options.map((wrong) => thrownBy(() => memoryTool(memoryOf(), wrong)))).toEqual([
      new TypeError('memoryTool: option images is "yes". Expected true or false.'),
      new TypeError("memoryTool: there is no option image. Expected one of: images, uniqueCallIds."),
      new TypeError("memoryTool: option uniqueCallIds is 1. Expected true or false."),
      new TypeError("memoryTool: the options are null. Expected an object."),
    ]);
  });
});

function thrownBy(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
