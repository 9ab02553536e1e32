import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import * as z from "zod/mini";
import { listenLocally } from "./local-server.ts";
import type { ToolCall } from "./scripted-reply.ts";

/** What a model says, reply by reply, in the conversation that the user opens with this text. */
export type ChatScript = Readonly<Record<string, readonly ChatReply[]>>;

/** One reply: texts and calls of tools. */
export type ChatReply = readonly (string | ToolCall)[];

/** The body of a request, as far as this server reads it; other fields are kept. */
const chatRequest = z.looseObject({
  model: z.string(),
  stream: z.optional(z.boolean()),
  tools: z.optional(z.array(z.looseObject({ type: z.literal("function"), function: z.looseObject({}) }))),
  messages: z.array(
    z.discriminatedUnion("role", [
      z.looseObject({ role: z.enum(["system", "user"]), content: z.unknown() }),
      z.looseObject({
        role: z.literal("assistant"),
        tool_calls: z.optional(z.array(z.looseObject({ id: z.string() }))),
      }),
      z.looseObject({ role: z.literal("tool"), tool_call_id: z.string(), content: z.unknown() }),
    ]),
  ),
});

export type ChatRequest = z.infer<typeof chatRequest>;
type ChatMessage = ChatRequest["messages"][number];

/** What a call brought back, as the model reads it. */
export type ChatToolResult = Extract<ChatMessage, { role: "tool" }>;

export interface ScriptedChatCompletions {
  /** The base URL of a client, without `/chat/completions`. */
  readonly url: string;
  /** The bodies of all requests, in order. */
  readonly requests: readonly ChatRequest[];
  /** Every result of a tool that was sent back, in order. */
  readonly results: readonly ChatToolResult[];
  close(): Promise<void>;
}

/**
 * A server that speaks the chat completions that most vendors offer, streaming or not, and plays the part of
 * their model from a script. It refuses a call that was not answered.
 */
export async function startScriptedChatCompletions(script: ChatScript): Promise<ScriptedChatCompletions> {
  const requests: ChatRequest[] = [];
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      if (!response.headersSent) response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message, type: "invalid_request_error" } }));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = chatRequest.parse(await json(request));
    requests.push(body);
    assertAnswered(body.messages);
    const message = messageOf(nextReply(script, body.messages));
    const completion = { id: `chatcmpl-${randomUUID()}`, created: 0, model: body.model };
    if (body.stream) {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const chunk of chunksOf(message)) {
        response.write(
          `data: ${JSON.stringify({ ...completion, object: "chat.completion.chunk", choices: [chunk] })}\n\n`,
        );
      }
      response.end("data: [DONE]\n\n");
      return;
    }
    const choices = [{ index: 0, message, finish_reason: finishReason(message) }];
    const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ ...completion, object: "chat.completion", choices, usage }));
  }

  return {
    ...(await listenLocally(server)),
    requests,
    get results() {
      return requests.flatMap(({ messages }) => resultsAtTheEnd(messages));
    },
  };
}

/** The results that came with a request, and with none before it. */
function resultsAtTheEnd(messages: readonly ChatMessage[]): readonly ChatToolResult[] {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  return messages.slice(last + 1).filter((message) => message.role === "tool");
}

function assertAnswered(messages: readonly ChatMessage[]): void {
  for (const [index, message] of messages.entries()) {
    if (message.role !== "assistant") continue;
    const following = messages.slice(index + 1);
    const end = following.findIndex(({ role }) => role !== "tool");
    const results = following.slice(0, end === -1 ? undefined : end);
    const answered = new Set(results.map((result) => (result.role === "tool" ? result.tool_call_id : "")));
    const open = (message.tool_calls ?? []).filter(({ id }) => !answered.has(id)).map(({ id }) => id);
    if (open.length > 0) throw new Error(`messages.${index}: tool calls without results: ${open.join(", ")}`);
  }
}

function nextReply(script: ChatScript, messages: readonly ChatMessage[]): ChatReply {
  const opening = openingOf(messages);
  const reply = script[opening]?.[messages.filter(({ role }) => role === "assistant").length];
  if (reply === undefined) throw new Error(`the script has no reply (any more) to: ${opening}`);
  return reply;
}

/** The first text of the user: the script is chosen by it. */
function openingOf(messages: readonly ChatMessage[]): string {
  const content = messages.find(({ role }) => role === "user")?.["content"];
  if (typeof content === "string") return content;
  return z.array(z.looseObject({ text: z.optional(z.string()) })).parse(content)[0]?.text ?? "";
}

type ReplyMessage = ReturnType<typeof messageOf>;

function messageOf(reply: ChatReply) {
  const calls = reply.filter((part) => typeof part !== "string");
  return {
    role: "assistant" as const,
    content: reply.filter((part) => typeof part === "string").join("\n") || null,
    tool_calls: calls.map(({ id = `call_${randomUUID()}`, name, input }) => ({
      id,
      type: "function" as const,
      function: { name, arguments: JSON.stringify(input) },
    })),
  };
}

function finishReason({ tool_calls }: ReplyMessage): "tool_calls" | "stop" {
  return tool_calls.length > 0 ? "tool_calls" : "stop";
}

function choice(delta: unknown, finish_reason: string | null = null) {
  return { index: 0, delta, finish_reason };
}

/** The choices that stream one message, the arguments of a call in pieces that break anywhere. */
function* chunksOf(message: ReplyMessage): Generator {
  yield choice({ role: "assistant", content: message.content ?? "" });
  for (const [index, { function: called, ...call }] of message.tool_calls.entries()) {
    yield choice({ tool_calls: [{ index, ...call, function: { name: called.name, arguments: "" } }] });
    for (const [piece] of called.arguments.matchAll(/.{1,24}/gsu)) {
      yield choice({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  yield choice({}, finishReason(message));
}
