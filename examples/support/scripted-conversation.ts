import { isDeepStrictEqual } from "node:util";
import * as z from "zod/mini";
import type { ReplyMessage } from "./scripted-reply.ts";

const text = z.optional(z.string());
const textBlock = z.looseObject({ type: z.string(), text });
const block = z.looseObject({
  type: z.string(),
  text,
  id: text,
  tool_use_id: text,
  is_error: z.optional(z.boolean()),
  content: z.optional(z.union([z.string(), z.array(textBlock)])),
});
const message = z.object({
  role: z.enum(["user", "assistant", "system"]),
  content: z.union([z.string(), z.array(block)]),
});

/** The body of a request, as far as this server reads it; other fields are kept. */
export const messagesRequest = z.looseObject({
  model: z.string(),
  max_tokens: z.number(),
  stream: z.optional(z.boolean()),
  tools: z.optional(z.array(z.looseObject({ type: text, name: text }))),
  messages: z.array(message),
  thread: z.optional(z.object({ type: z.enum(["create", "continue"]), previous_message_id: text })),
});

export type MessagesRequest = z.infer<typeof messagesRequest>;
export type ConversationMessage = z.infer<typeof message>;
export type Block = z.infer<typeof block>;

/** A request that the Messages API would answer with 400. */
export class InvalidRequest extends Error {}

const blocksIn = ({ content }: ConversationMessage): readonly Block[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;

/** The `tool_result` blocks of a message. */
export function resultsIn(sent: ConversationMessage | undefined): readonly Block[] {
  return sent === undefined ? [] : blocksIn(sent).filter(({ type }) => type === "tool_result");
}

/** The first text of the user: the script is chosen by it. */
export function opening(messages: readonly ConversationMessage[]): string {
  const [first] = messages;
  const found = first && blocksIn(first).find(({ type }) => type === "text");
  return found?.text ?? "";
}

/** Throws `InvalidRequest` where the Messages API would refuse the conversation. */
export function assertValid(messages: readonly ConversationMessage[]): void {
  if (messages.length === 0) throw new InvalidRequest("messages: at least one message is required");
  for (const [index, sent] of messages.entries()) {
    const next = messages[index + 1];
    // The turn may have been paused here and go on: its calls are answered at its end.
    if (sent.role === "assistant" && next?.role !== "assistant") assertAnswered(index, sent, next);
    for (const result of resultsIn(sent)) assertResult(index, result);
  }
}

function assertAnswered(index: number, sent: ConversationMessage, next: ConversationMessage | undefined): void {
  const calls = new Set(
    blocksIn(sent)
      .filter(({ type }) => type === "tool_use")
      .map(({ id }) => id),
  );
  const answered = new Set(resultsIn(next).map((result) => result.tool_use_id));
  const open = [...calls].filter((id) => !answered.has(id)).join(", ");
  if (open !== "") throw new InvalidRequest(`messages.${index}: tool_use ids without tool_result blocks: ${open}`);
  const stray = [...answered].filter((id) => !calls.has(id)).join(", ");
  if (stray !== "") throw new InvalidRequest(`messages.${index + 1}: unexpected tool_use_id: ${stray}`);
}

function assertResult(index: number, { is_error: isError = false, content = "" }: Block): void {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  if (isError && (blocks.length === 0 || blocks.some((part) => part.type !== "text" || !part.text))) {
    throw new InvalidRequest(`messages.${index}: a tool_result with is_error takes text only, and not an empty one`);
  }
}

/** What the server keeps of conversations whose clients send only what is new. */
export class Threads {
  readonly #stored = new Map<string, readonly ConversationMessage[]>();

  /** The whole conversation that a request is part of. Throws `InvalidRequest` for a thread that is not known. */
  conversation({ thread, messages }: MessagesRequest): readonly ConversationMessage[] {
    if (thread?.type !== "continue") return messages;
    const { previous_message_id: previous = "" } = thread;
    const before = this.#stored.get(previous);
    if (before === undefined) throw new InvalidRequest(`thread: there is no message ${previous}`);
    return [...before, ...messages];
  }

  store(conversation: readonly ConversationMessage[], { id, content }: ReplyMessage): void {
    this.#stored.set(id, [...conversation, { role: "assistant", content: [...content] }]);
  }
}

/** The turns that were paused and have to come back as they were. */
export class PausedTurns {
  readonly #stored: ReplyMessage["content"][] = [];

  /** Throws `InvalidRequest` for a conversation that ends with anything of the assistant's but a paused turn. */
  assertResumed(conversation: readonly ConversationMessage[]): void {
    const last = conversation.at(-1);
    if (last?.role === "assistant" && !this.#stored.some((content) => isDeepStrictEqual(content, last.content))) {
      throw new InvalidRequest("messages: the last one is the assistant's, and no turn that was paused");
    }
  }

  store({ stop_reason: reason, content }: ReplyMessage): void {
    if (reason === "pause_turn") this.#stored.push(content);
  }
}
