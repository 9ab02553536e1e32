import {
  memoryCall,
  startScriptedMessagesApi,
  type Block as SentBlock,
} from "../../../../examples/support/scripted-messages-api.ts";
import type { Answer, Block, Turn } from "../driver.ts";

/** What the user says first. */
export const opening = "Hello";

/** Lets a loop play the turns against a server that speaks the Messages API, and answers what that server was sent. */
export async function playByMessagesApi(
  turns: readonly Turn[],
  loop: (baseURL: string) => Promise<void>,
): Promise<Answer[][]> {
  const replies = turns.map((calls) => calls.map(({ id, input }) => memoryCall(input, id)));
  const api = await startScriptedMessagesApi({ [opening]: [...replies, ["Done."]] });
  try {
    await loop(api.url);
    const sent = new Map(api.results.map((result) => [result.tool_use_id, result]));
    return turns.map((calls) => calls.map(({ id }) => answerOf(sent.get(id))));
  } finally {
    await api.close();
  }
}

function answerOf(result: SentBlock | undefined): Answer {
  if (result?.content === undefined) throw new Error("Claude was not answered.");
  return { isError: result.is_error ?? false, content: contentOf(result.content) };
}

interface SentPart {
  readonly type: string;
  readonly text?: string | undefined;
  readonly source?: unknown;
}

/** The content of a `tool_result`, as the Messages API takes it. */
export function contentOf(content: string | readonly SentPart[]): Answer["content"] {
  return typeof content === "string" ? content : content.map(blockOf);
}

function blockOf({ type, text = "", source }: SentPart): Block {
  if (type === "text") return { type, text };
  const { media_type: mediaType, data } = source as { media_type: string; data: string };
  return { type: "image", mediaType, data };
}
