import { randomUUID } from "node:crypto";
import type { Block, MessagesRequest } from "./scripted-conversation.ts";

/** A call of a tool, with an id of its own unless one is given. */
export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
  readonly id?: string;
  /** The reply ends after so many characters of the input's JSON. */
  readonly cutAfter?: number;
}

/** A block of a tool that runs at Anthropic: the call, or what it found. It is sent as it is. */
export interface ServerBlock {
  readonly type: "server_tool_use" | "web_search_tool_result";
  readonly [field: string]: unknown;
}

/** Why a reply ended, where its calls do not say it already. */
export interface Stop {
  readonly stop: Exclude<StopReason, "tool_use">;
}

export type StopReason =
  | "end_turn"
  | "max_tokens"
  | "stop_sequence"
  | "tool_use"
  | "pause_turn"
  | "refusal"
  | "model_context_window_exceeded";

/** A text, a call, the reason of the end, or a pause: while a reply streams, nothing goes out until it has passed. */
export type ReplyPart = string | ToolCall | ServerBlock | Stop | (() => Promise<unknown>);

/** One reply, fixed or made from what the calls of the reply before it brought back and from the request. */
export type Reply =
  | readonly ReplyPart[]
  | ((results: readonly Block[], request: MessagesRequest) => readonly ReplyPart[]);

export type ReplyBlock =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "tool_use"; readonly id: string; readonly name: string; readonly input: unknown }
  | ServerBlock;

export interface ReplyMessage {
  readonly id: string;
  readonly type: "message";
  readonly role: "assistant";
  readonly model: string;
  readonly content: readonly ReplyBlock[];
  readonly stop_reason: StopReason;
  readonly stop_sequence: null;
  readonly stop_details: { readonly type: "refusal"; readonly category: null; readonly explanation: string } | null;
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

/** A block, and the pieces of the JSON of its input, which break anywhere and end early where the reply was cut off. */
export interface ScriptedBlock {
  readonly block: ReplyBlock;
  readonly pieces: readonly string[];
}

/** The blocks and pauses of a reply, so that it is the same whether it streams or not. */
export function blocksOf(parts: readonly ReplyPart[]): readonly (ScriptedBlock | (() => Promise<unknown>))[] {
  return parts.flatMap((part): (ScriptedBlock | (() => Promise<unknown>))[] => {
    if (typeof part === "function") return [part];
    return isStop(part) ? [] : [scripted(part)];
  });
}

function isStop(part: ReplyPart): part is Stop {
  return typeof part === "object" && "stop" in part;
}

function scripted(part: string | ToolCall | ServerBlock): ScriptedBlock {
  if (typeof part === "string") return { block: { type: "text", text: part }, pieces: [] };
  if (isServerBlock(part))
    return { block: part, pieces: part.type === "server_tool_use" ? piecesOf(part["input"]) : [] };
  const { id = uniqueId("toolu"), name, input, cutAfter } = part;
  const pieces = piecesOf(input, cutAfter);
  const said = cutAfter === undefined ? input : parseCut(pieces.join(""));
  return { block: { type: "tool_use", id, name, input: said }, pieces };
}

function isServerBlock(part: ToolCall | ServerBlock): part is ServerBlock {
  return "type" in part;
}

function piecesOf(input: unknown, cutAfter?: number): readonly string[] {
  return (
    JSON.stringify(input)
      .slice(0, cutAfter)
      .match(/.{1,24}/gsu) ?? []
  );
}

/** What a reader makes of an input that was cut off: the fields that are whole. The SDK's streams do the same. */
function parseCut(json: string): unknown {
  for (let end = json.length; end > 0; end--) {
    try {
      return JSON.parse(`${json.slice(0, end)}}`);
    } catch {
      // This end is in the middle of a field.
    }
  }
  return {};
}

export function messageOf(model: string, content: readonly ReplyBlock[], parts: readonly ReplyPart[]): ReplyMessage {
  const stop = parts.find(isStop)?.stop;
  const calls = content.some(({ type }) => type === "tool_use");
  const stopReason = stop ?? (calls ? "tool_use" : "end_turn");
  return {
    id: uniqueId("msg"),
    type: "message",
    role: "assistant",
    model,
    content,
    stop_reason: stopReason,
    stop_sequence: null,
    stop_details:
      stopReason === "refusal" ? { type: "refusal", category: null, explanation: "The script says so." } : null,
    usage: { input_tokens: 1, output_tokens: 1 },
  };
}

type StreamEvent = { readonly type: string } & Readonly<Record<string, unknown>>;

/** The events that stream one block. A block that was cut off is closed too. */
export function* blockEvents(index: number, { block, pieces }: ScriptedBlock): Generator<StreamEvent> {
  if (block.type === "text") {
    yield { type: "content_block_start", index, content_block: { type: "text", text: "" } };
    yield { type: "content_block_delta", index, delta: { type: "text_delta", text: block.text } };
  } else {
    const isCall = block.type === "tool_use" || block.type === "server_tool_use";
    yield { type: "content_block_start", index, content_block: { ...block, ...(isCall && { input: {} }) } };
    for (const piece of pieces) {
      yield { type: "content_block_delta", index, delta: { type: "input_json_delta", partial_json: piece } };
    }
  }
  yield { type: "content_block_stop", index };
}
