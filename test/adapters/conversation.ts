import Anthropic from "@anthropic-ai/sdk";
import {
  resultText,
  startScriptedMessagesApi,
  type Block,
  type MessagesRequest,
  type Reply,
} from "../../examples/support/scripted-messages-api.ts";
import { memoryTool } from "../../src/adapters/anthropic.ts";
import type { UserMemory } from "../../src/index.ts";

export interface Settings {
  readonly stream?: boolean;
  readonly runToolsEagerly?: boolean;
  /** `false`: the whole history goes out with every request. */
  readonly thread?: false;
  readonly signal?: AbortSignal;
  readonly extraProperties?: Parameters<typeof memoryTool>[1];
}

export interface Conversation {
  /** The `tool_result` blocks that Claude was sent. */
  readonly results: readonly Block[];
  /** Their texts. */
  readonly texts: readonly string[];
  readonly requests: readonly MessagesRequest[];
}

const opening = "Hello";

/** A client of the real SDK, and what a server with these replies was sent. */
export async function withScriptedApi(
  replies: readonly Reply[],
  talk: (client: Anthropic, start: { model: string; max_tokens: number; messages: [Opening] }) => Promise<void>,
): Promise<Conversation> {
  const api = await startScriptedMessagesApi({ [opening]: replies });
  try {
    const client = new Anthropic({ apiKey: "scripted", baseURL: api.url, maxRetries: 0 });
    await talk(client, { model: "claude-opus-5-5", max_tokens: 1024, messages: [{ role: "user", content: opening }] });
    return { results: api.results, texts: api.results.map(resultText), requests: api.requests };
  } finally {
    await api.close();
  }
}

interface Opening {
  role: "user";
  content: string;
}

/** Lets the SDK's own tool runner hold the conversation to its end. */
export function converse(
  userMemory: UserMemory,
  replies: readonly Reply[],
  { signal, extraProperties, ...settings }: Settings = {},
): Promise<Conversation> {
  return withScriptedApi(replies, async (client, start) => {
    const tools = [memoryTool(userMemory, extraProperties)];
    await client.beta.messages.toolRunner({ ...start, ...settings, tools }, signal ? { signal } : {}).runUntilDone();
  });
}
