import { createAnthropic } from "@ai-sdk/anthropic";
import {
  convertToModelMessages,
  generateText,
  isStepCount,
  readUIMessageStream,
  streamText,
  toUIMessageStream,
  type ToolCallRepairFunction,
  type ToolSet,
  type UIMessage,
} from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { describe, expect, it } from "vitest";
import {
  memoryCall,
  startScriptedMessagesApi,
  type Block,
  type Reply,
} from "../../examples/support/scripted-messages-api.ts";
import { anthropicMemoryTool, memoryTool } from "../../src/adapters/ai-sdk.ts";
import { createMemory, MemoryError, type ObjectStore, type UserMemory } from "../../src/index.ts";
import { inMemoryStore } from "../../src/stores/in-memory-store.ts";

const prompt = "Hello";
const path = "/memories/notes.md";
const memoryOf = (store: ObjectStore = inMemoryStore()): UserMemory =>
  createMemory({ store, onError: () => undefined }).forUser("dana");
const missing = "The path /memories/none.md does not exist. Please provide a valid path.";

interface Page {
  /** Everything that goes to the browser. */
  readonly stream: string;
  /** What the browser makes of it, and sends back with the next question. */
  readonly message: UIMessage;
  /** What Claude reads when the next question is asked. */
  readonly results: readonly Block[];
}

async function unavailable(): Promise<never> {
  const details = { operation: "ListObjectsV2", key: "secret-key", reason: "AccessDenied" };
  throw new MemoryError("storage", "The memory is not available.", details, { cause: new Error("secret-host") });
}

/** A page's chat: a first answer is streamed to it, and a second question is asked from what it kept. */
async function chat(
  memory: UserMemory,
  reply: Reply,
  settings: Omit<Parameters<typeof toUIMessageStream>[0], "stream"> = {},
): Promise<Page> {
  const api = await startScriptedMessagesApi({ [prompt]: [reply, ["Done."], ["Bye."]] });
  try {
    const anthropic = createAnthropic({ apiKey: "scripted", baseURL: `${api.url}/v1` });
    const model = anthropic("claude-opus-5-5");
    const tools = { memory: anthropicMemoryTool(anthropic, memory) };
    const { stream } = streamText({ model, tools, prompt, stopWhen: isStepCount(2) });
    const [sent, read] = toUIMessageStream({ stream, tools, ...settings }).tee();
    const [chunks, messages] = await Promise.all([
      Array.fromAsync(sent),
      Array.fromAsync(readUIMessageStream({ stream: read })),
    ]);
    const message = messages.at(-1) as UIMessage;
    const user = { id: "1", role: "user", parts: [{ type: "text", text: prompt }] } satisfies UIMessage;
    const next = { id: "3", role: "user", parts: [{ type: "text", text: "Bye" }] } satisfies UIMessage;
    await generateText({ model, tools, messages: await convertToModelMessages([user, message, next], { tools }) });
    const last = api.requests.at(-1)?.messages ?? [];
    const results = last.flatMap(({ content }) => (typeof content === "string" ? [] : content));
    return { stream: JSON.stringify(chunks), message, results: results.filter(({ type }) => type === "tool_result") };
  } finally {
    await api.close();
  }
}

describe("a page's messages", () => {
  it("show a failure with the text that Claude read, and give it back to Claude as an error", async () => {
    const { message, results } = await chat(memoryOf(), [memoryCall({ command: "view", path: "/memories/none.md" })]);
    expect(message.parts).toContainEqual(
      expect.objectContaining({ type: "tool-memory", state: "output-error", errorText: missing }),
    );
    expect(results).toEqual([expect.objectContaining({ content: missing, is_error: true })]);
  });

  it.each([
    { how: "by onError", settings: { onError: () => "An error occurred." } },
    { how: "by redactToolErrors", settings: { redactToolErrors: true } },
  ])("show another text, and give it back to Claude, where the application masks it $how", async ({ settings }) => {
    const reply = [memoryCall({ command: "view", path: "/memories/none.md" })];
    const { stream, results } = await chat(memoryOf(), reply, settings);
    expect(stream).not.toContain("does not exist");
    expect(results).toEqual([expect.objectContaining({ content: "An error occurred.", is_error: true })]);
  });

  it("hold nothing of the operator's", async () => {
    const memory = memoryOf({ ...inMemoryStore(), list: unavailable });
    const { stream, message, results } = await chat(memory, [memoryCall({ command: "view", path: "/memories" })]);
    expect(stream).toContain("The memory is not available.");
    expect(JSON.stringify([stream, message, results])).not.toMatch(/secret|AccessDenied|ListObjects/u);
  });

  it("give a text and an image back to Claude as they were", async () => {
    const store = inMemoryStore();
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0);
    store.plant("users/dana/memories/map.png", png);
    const { results } = await chat(memoryOf(store), [
      memoryCall({ command: "create", path, file_text: "" }),
      memoryCall({ command: "view", path: "/memories/map.png" }),
    ]);
    const source = { type: "base64", media_type: "image/png", data: Buffer.from(png).toString("base64") };
    expect(results.map(({ content }) => content)).toEqual([
      "File created successfully at: /memories/notes.md",
      [{ type: "image", source }],
    ]);
  });
});

/** What a model reads of a call whose output a page had kept. */
async function readOf(output: unknown, images: boolean): Promise<unknown> {
  const kept = { type: "tool-memory", toolCallId: "call_1", state: "output-available", input: {}, output } as const;
  const tools = { memory: memoryTool(memoryOf(), { images }) };
  const [, message] = await convertToModelMessages([{ role: "assistant", parts: [kept] }], { tools });
  const [part] = message?.role === "tool" ? message.content : [];
  return part?.type === "tool-result" ? part.output : undefined;
}

describe("an output that a page has kept", () => {
  const image = { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } };

  it("is an image for the models that take one alone, whichever model it was first shown to", async () => {
    expect(await readOf([image], false)).toEqual({
      type: "text",
      value: "This file is an image (image/png), and images cannot be shown here.",
    });
    expect(await readOf([image], true)).toEqual({
      type: "content",
      value: [{ type: "file", mediaType: "image/png", data: { type: "data", data: "iVBORw0KGgo=" } }],
    });
  });

  it.each([[{ ok: true }], [null], [["a.md"]], [[{ name: "a.md" }]], [7]])(
    "goes out as it is where another tool of that name has made it: %j",
    async (output) => {
      expect(await readOf(output, true)).toEqual({ type: "json", value: output });
      expect(await readOf(output, false)).toEqual({ type: "json", value: output });
    },
  );
});

/** A model that calls the memory with these arguments, and then reads what came back. */
async function readBack(args: string, repairToolCall?: ToolCallRepairFunction<ToolSet>): Promise<unknown> {
  const rest = {
    usage: {
      inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 1, text: 1, reasoning: 0 },
    },
    warnings: [],
  };
  const call = { type: "tool-call", toolCallId: "call_1", toolName: "memory", input: args } as const;
  const model = new MockLanguageModelV4({
    doGenerate: [
      { content: [call], finishReason: { unified: "tool-calls", raw: "tool_calls" }, ...rest },
      { content: [], finishReason: { unified: "stop", raw: "stop" }, ...rest },
    ],
  });
  const tools: ToolSet = { memory: memoryTool(memoryOf()) };
  await generateText({ model, tools, prompt, stopWhen: isStepCount(2), ...(repairToolCall && { repairToolCall }) });
  const last = model.doGenerateCalls.at(-1)?.prompt.at(-1);
  const [part] = last?.role === "tool" ? last.content : [];
  return part?.type === "tool-result" ? part.output : undefined;
}

describe("arguments that are no JSON", () => {
  const cut = '{"command": "view", "path": "/mem';

  it("are answered by the SDK itself", async () => {
    expect(await readBack(cut)).toEqual({
      type: "error-text",
      value: expect.stringMatching(
        /^AI_InvalidToolInputError: Invalid input for tool memory: AI_JSONParseError: JSON parsing failed/u,
      ) as string,
    });
  });

  it.each(['{"command": "view", "__proto__": 1}', '{"command": "view", "constructor": {"prototype": 1}}'])(
    "are answered by the SDK itself where a name could change a prototype: %s",
    async (args) => {
      const value = expect.stringMatching(/^AI_InvalidToolInputError: .*forbidden prototype property/su) as string;
      expect(await readBack(args)).toEqual({ type: "error-text", value });
    },
  );

  it("are answered by the memory where the application hands them on as a string", async () => {
    const answered = await readBack(cut, async ({ toolCall }) => ({
      ...toolCall,
      input: JSON.stringify(toolCall.input),
    }));
    const { content } = await memoryOf().execute(cut);
    expect(answered).toEqual({ type: "error-text", value: content });
  });

  it("are answered by the memory where there are none at all", async () => {
    const { content } = await memoryOf().execute({});
    expect(await readBack("")).toEqual({ type: "error-text", value: content });
  });
});
