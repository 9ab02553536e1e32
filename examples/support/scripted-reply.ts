import { randomUUID } from "node:crypto";
import type { Block } from "./scripted-conversation.ts";

/** A call of a tool, with an id of its own unless one is given. */
export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
  readonly id?: string;
}

/** A text, a call of a tool, or a pause: while a reply streams, nothing goes out until it has passed. */
export type ReplyPart = string | ToolCall | (() => Promise<unknown>);

/** One reply, fixed or made from what the calls of the reply before it brought back. */
export type Reply = readonly ReplyPart[] | ((results: readonly Block[]) => readonly ReplyPart[]);

export type ReplyBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown };

export interface ReplyMessage {
  readonly id: string;
  readonly type: "message";
  readonly role: "assistant";
  readonly model: string;
  readonly content: readonly ReplyBlock[];
  readonly stop_reason: "tool_use" | "end_turn";
  readonly stop_sequence: null;
  readonly usage: { readonly input_tokens: number; readonly output_tokens: number };
}

/** A call of the memory tool, with the input as Claude would send it. */
export function memoryCall(input: unknown, id?: string): ToolCall {
  return { name: "memory", input, ...(id !== undefined && { id }) };
}

/** The text of what a call brought back; of several blocks, those of text. */
export function resultText({ content = "" }: Block): string {
  return typeof content === "string" ? content : content.map(({ text = "" }) => text).join("\n");
}

const uniqueId = (prefix: string): string => `${prefix}_${randomUUID().replaceAll("-", "")}`;

/** The parts with their blocks made, so that a reply is the same whether it streams or not. */
export function blocksOf(parts: readonly ReplyPart[]): readonly (ReplyBlock | (() => Promise<unknown>))[] {
  return parts.map((part) => {
    if (typeof part === "function") return part;
    if (typeof part === "string") return { type: "text", text: part };
    return { type: "tool_use", id: part.id ?? uniqueId("toolu"), name: part.name, input: part.input };
  });
}

export function messageOf(model: string, content: readonly ReplyBlock[]): ReplyMessage {
  return {
    id: uniqueId("msg"),
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: content.some(({ type }) => type === "tool_use") ? "tool_use" : "end_turn",
    stop_sequence: null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

type StreamEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** The events that stream one block, the input of a call in pieces that break anywhere. */
export function* blockEvents(index: number, block: ReplyBlock): Generator<StreamEvent> {
  if (block.type === "text") {
    yield { type: "content_block_start", index, content_block: { type: "text", text: "" } };
    yield { type: "content_block_delta", index, delta: { type: "text_delta", text: block.text } };
  } else {
    yield { type: "content_block_start", index, content_block: { ...block, input: {} } };
    for (const [piece] of JSON.stringify(block.input).matchAll(/.{1,24}/gsu)) {
      yield { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: piece } };
    }
  }
  yield { type: "content_block_stop", index };
}
