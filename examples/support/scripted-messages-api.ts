import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { listenLocally } from "./local-server.ts";
import {
  assertValid,
  InvalidRequest,
  messagesRequest,
  opening,
  PausedTurns,
  resultsIn,
  Threads,
  type Block,
  type ConversationMessage,
  type MessagesRequest,
} from "./scripted-conversation.ts";
import { blockEvents, blocksOf, messageOf, type Reply, type ReplyMessage, type ReplyPart } from "./scripted-reply.ts";

export { memoryCall, resultText } from "./scripted-reply.ts";
export type { Reply, ReplyPart, ServerBlock, Stop, StopReason, ToolCall } from "./scripted-reply.ts";
export type { Block, MessagesRequest } from "./scripted-conversation.ts";

/** What Claude says, reply by reply, in the conversation that the user opens with this text. */
export type Script = Readonly<Record<string, readonly Reply[]>>;

export interface ScriptedMessagesApi {
  /** For `ANTHROPIC_BASE_URL`, or the client's `baseURL`. */
  readonly url: string;
  /** The bodies of all requests, in order. */
  readonly requests: readonly MessagesRequest[];
  /** The headers of the same requests, such as `anthropic-beta`. */
  readonly headers: readonly IncomingHttpHeaders[];
  /** Every `tool_result` that was sent back, in order. */
  readonly results: readonly Block[];
  close(): Promise<void>;
}

/**
 * A server that speaks the Messages API, streaming or not, with message threads or without, and plays the
 * part of Claude from a script. It refuses what the API refuses: an unanswered call, an empty error, a paused turn that
 * does not come back as it was.
 */
export async function startScriptedMessagesApi(script: Script): Promise<ScriptedMessagesApi> {
  const requests: MessagesRequest[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const threads = new Threads();
  const paused = new PausedTurns();
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      const type = error instanceof InvalidRequest ? "invalid_request_error" : "api_error";
      if (!response.headersSent) response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ type: "error", error: { type, message } }));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = messagesRequest.parse(await json(request));
    requests.push(body);
    headers.push(request.headers);
    const conversation = threads.conversation(body);
    assertValid(conversation);
    paused.assertResumed(conversation);
    const reply = nextReply(script, conversation, body);
    const parts = blocksOf(reply);
    const blocks = parts.flatMap((part) => (typeof part === "function" ? [] : [part.block]));
    const message = messageOf(body.model, blocks, reply);
    threads.store(conversation, message);
    paused.store(message);
    if (body.stream) {
      await stream(response, message, parts);
    } else {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(message));
    }
  }

  return {
    ...(await listenLocally(server)),
    requests,
    headers,
    get results() {
      return requests.flatMap(({ messages }) => resultsIn(messages.at(-1)));
    },
  };
}

function nextReply(
  script: Script,
  conversation: readonly ConversationMessage[],
  request: MessagesRequest,
): readonly ReplyPart[] {
  const reply = script[opening(conversation)]?.[conversation.filter(({ role }) => role === "assistant").length];
  if (reply === undefined) throw new InvalidRequest(`the script has no reply (any more) to: ${opening(conversation)}`);
  return typeof reply === "function" ? reply(resultsIn(conversation.at(-1)), request) : reply;
}

async function stream(
  response: ServerResponse,
  message: ReplyMessage,
  parts: ReturnType<typeof blocksOf>,
): Promise<void> {
  const send = (event: { readonly type: string }): boolean =>
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);

  response.writeHead(200, { "content-type": "text/event-stream" });
  const start = { type: "message_start", message: { ...message, content: [], stop_reason: null, stop_details: null } };
  send(start);
  let index = 0;
  for (const part of parts) {
    if (typeof part === "function") {
      await part();
    } else {
      for (const event of blockEvents(index, part)) send(event);
      index += 1;
    }
  }
  const { stop_reason, stop_sequence, stop_details, usage } = message;
  const end = { type: "message_delta", delta: { stop_reason, stop_sequence, stop_details }, usage };
  send(end);
  send({ type: "message_stop" });
  response.end();
}
