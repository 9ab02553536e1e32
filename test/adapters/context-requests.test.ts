import Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import {
  memoryCall,
  startScriptedMessagesApi,
  type ScriptedMessagesApi,
} from "../../examples/support/scripted-messages-api.ts";
import { memoryTool } from "../../src/adapters/anthropic.ts";
import { contextManagement, memoryPrompt } from "../../src/context/index.ts";
import { createMemory } from "../../src/index.ts";
import { inMemoryStore } from "../../src/stores/in-memory-store.ts";

const userMemory = () => createMemory({ store: inMemoryStore() }).forUser("dana");
const thinking = { type: "adaptive" } as const;
const context = contextManagement({
  thinking,
  clearThinking: { keep: "all" },
  clearToolUses: { keepMemoryResults: true },
  compaction: true,
});
const request = {
  model: "claude-opus-5-5",
  max_tokens: 1_024,
  system: memoryPrompt({ project: "crm" }),
  thinking,
  messages: [{ role: "user" as const, content: "Hello" }],
  ...context,
};
const wire = {
  edits: [
    { type: "clear_thinking_20251015", keep: "all" },
    {
      type: "clear_tool_uses_20250919",
      trigger: { type: "input_tokens", value: 35_000 },
      keep: { type: "tool_uses", value: 5 },
      clear_at_least: { type: "input_tokens", value: 4_000 },
      exclude_tools: ["memory"],
      clear_tool_inputs: false,
    },
    {
      type: "compact_20260112",
      trigger: { type: "input_tokens", value: 150_000 },
      pause_after_compaction: false,
    },
  ],
};

const text = { type: "text", text: "Done." };

type Api = Anthropic["beta"]["messages"];

/** What the SDK sends a server that plays the part of Claude: it views its memory, then says hello. */
async function sentBy(talk: (api: Api) => Promise<unknown>): Promise<ScriptedMessagesApi> {
  const replies = [[memoryCall({ command: "view", path: "/memories" })], ["Hello."]];
  const server = await startScriptedMessagesApi({ Hello: replies });
  try {
    await talk(new Anthropic({ apiKey: "scripted", baseURL: server.url, maxRetries: 0 }).beta.messages);
  } finally {
    await server.close();
  }
  return server;
}

describe("what reaches the Messages API", () => {
  it.each<{ how: string; talk: (api: Api) => Promise<unknown>; turns: number }>([
    { how: "one request", talk: async (api) => api.create(request), turns: 1 },
    {
      how: "one streamed request",
      talk: async (api) => drain(await api.create({ ...request, stream: true })),
      turns: 1,
    },
    { how: "the helper for streams", talk: (api) => api.stream(request).finalMessage(), turns: 1 },
    {
      how: "the tool runner",
      talk: (api) => api.toolRunner({ ...request, tools: [memoryTool(userMemory())] }).runUntilDone(),
      turns: 2,
    },
    {
      how: "the tool runner that streams",
      talk: (api) => api.toolRunner({ ...request, stream: true, tools: [memoryTool(userMemory())] }).runUntilDone(),
      turns: 2,
    },
    {
      how: "the tool runner without a thread",
      talk: (api) => api.toolRunner({ ...request, thread: false, tools: [memoryTool(userMemory())] }).runUntilDone(),
      turns: 2,
    },
  ])("from $how has every edit and every beta, in every turn", async ({ talk, turns }) => {
    const { requests, headers } = await sentBy(talk);
    expect(requests).toHaveLength(turns);
    for (const body of requests) expect(body).toMatchObject({ thinking, context_management: wire });
    expect(requests[0]).toMatchObject({ system: memoryPrompt({ project: "crm" }) });
    for (const body of requests) expect(body).not.toHaveProperty("betas");
    const betas = ["context-management-2025-06-27", "compact-2026-01-12"];
    for (const header of headers) expect(betasOf(header)).toEqual(expect.arrayContaining(betas));
  });

  it("asks for no beta that nothing in the request needs", async () => {
    const { headers } = await sentBy((api) => api.create({ ...request, ...contextManagement() }));
    expect(headers.map(betasOf)).toEqual([["context-management-2025-06-27"]]);
  });

  it("has other betas too, where they are put after the spread", async () => {
    const betas = [...context.betas, "files-api-2025-04-14"];
    const { headers } = await sentBy((api) => api.create({ ...request, betas }));
    expect(headers.map(betasOf)).toEqual([betas]);
  });
});

describe("the tool runner on a message thread", () => {
  it("goes on without the thread, and with every edit, where the API does not take the two together", async () => {
    const details = { error_code: "thread_unsupported_request", unsupported: ["context_management"] };
    const refusal = { type: "error", error: { type: "invalid_request_error", message: "No thread.", details } };
    const { api, requests } = played([Response.json(refusal, { status: 400 }), ["end_turn", text]]);
    const message = await api.toolRunner({ ...request, tools: [memoryTool(userMemory())] }).runUntilDone();
    expect(message.content).toEqual([text]);
    expect(requests).toMatchObject([
      { thread: { type: "create" }, context_management: wire },
      { context_management: wire },
    ]);
    expect(requests[1]).not.toHaveProperty("thread");
  });
});

describe("compaction in the tool runner", () => {
  const summary = { type: "compaction", content: "They said hello.", encrypted_content: null };
  const call = { type: "tool_use", id: "toolu_1", name: "memory", input: { command: "view", path: "/memories" } };

  it("goes on by itself after a pause, and sends the summary back", async () => {
    const paused = contextManagement({ clearToolUses: false, compaction: { pauseAfterCompaction: true } });
    const { api, requests } = played([
      ["compaction", summary],
      ["end_turn", text],
    ]);
    const runner = api.toolRunner({ ...request, ...paused, thread: false, tools: [memoryTool(userMemory())] });
    expect((await runner.runUntilDone()).content).toEqual([text]);
    const { context_management } = paused;
    expect(requests[1]).toMatchObject({ context_management, messages: [{}, { content: [summary] }] });
  });

  it("is made on demand beside the clearing of tool uses: without the edits in the one request that summarises", async () => {
    const { context_management, betas } = contextManagement();
    const { api, requests } = played([
      ["tool_use", call],
      ["compaction", summary],
      ["end_turn", text],
    ]);
    const runner = api.toolRunner({
      ...request,
      thread: false,
      context_management,
      betas: [...betas, "compact-2026-09-04"],
      tools: [memoryTool(userMemory())],
    });
    for await (const { stop_reason } of runner) if (stop_reason === "tool_use") runner.compactBeforeNextTurn();
    expect(requests).toHaveLength(3);
    expect(requests[1]).toMatchObject({ compaction: { type: "summarize" } });
    expect(requests[1]).not.toHaveProperty("context_management");
    expect(requests[2]).toMatchObject({ context_management, messages: [{ content: [summary] }] });
  });

  it("cannot be made on demand beside the edit that makes it at a threshold", () => {
    const { api, requests } = played([]);
    const runner = api.toolRunner({ ...request, tools: [memoryTool(userMemory())] });
    expect(() => runner.compactBeforeNextTurn()).toThrow("while `context_management` has a compaction edit");
    expect(requests).toEqual([]);
  });
});

type Played = Response | readonly [stopReason: string, block: { readonly type: string }];

/** A client whose requests never leave the process: each is answered by the next of these replies. */
function played(replies: readonly Played[]): { readonly api: Api; readonly requests: readonly unknown[] } {
  const requests: unknown[] = [];
  const fetch = async (_url: unknown, options?: { readonly body?: unknown }): Promise<Response> => {
    const reply = replies[requests.length] ?? Response.json({}, { status: 500 });
    requests.push(JSON.parse(String(options?.body)));
    if (reply instanceof Response) return reply;
    const [stop_reason, block] = reply;
    return Response.json({
      id: `msg_${requests.length}`,
      type: "message",
      role: "assistant",
      model: request.model,
      content: [block],
      stop_reason,
      stop_sequence: null,
      usage: { input_tokens: 1, output_tokens: 1 },
    });
  };
  return { api: new Anthropic({ apiKey: "scripted", fetch, maxRetries: 0 }).beta.messages, requests };
}

function betasOf(headers: ScriptedMessagesApi["headers"][number]): readonly string[] {
  return String(headers["anthropic-beta"]).split(/,\s*/);
}

async function drain(stream: AsyncIterable<unknown>): Promise<void> {
  for await (const event of stream) expect(event).toHaveProperty("type");
}
