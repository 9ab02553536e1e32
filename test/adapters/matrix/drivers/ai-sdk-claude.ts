import { createAnthropic } from "@ai-sdk/anthropic";
import {
  memoryCall,
  startScriptedMessagesApi,
  type Block as SentBlock,
} from "../../../../examples/support/scripted-messages-api.ts";
import { anthropicMemoryTool } from "../../../../src/adapters/ai-sdk.ts";
import { byAgent, byGenerateText, byStreamText, type Way } from "../../ai-sdk-ways.ts";
import type { Answer, Block, Driver } from "../driver.ts";

const opening = "Hello";

/** Claude by the AI SDK's own provider, on a server that speaks the Messages API. */
export const aiSdkClaude = claudeDriver(byGenerateText);
export const aiSdkClaudeStream = claudeDriver(byStreamText);
export const aiSdkClaudeAgent = claudeDriver(byAgent);

function claudeDriver({ way, run }: Way): Driver {
  return {
    name: `AI SDK, Claude, ${way}`,
    passesIds: true,
    async play(userMemory, turns) {
      const replies = turns.map((calls) => calls.map(({ id, input }) => memoryCall(input, id)));
      const api = await startScriptedMessagesApi({ [opening]: [...replies, ["Done."]] });
      try {
        const anthropic = createAnthropic({ apiKey: "scripted", baseURL: `${api.url}/v1` });
        await run({
          model: anthropic("claude-opus-5-5"),
          tools: { memory: anthropicMemoryTool(anthropic, userMemory) },
          prompt: opening,
        });
        const sent = new Map(api.results.map((result) => [result.tool_use_id, result]));
        return turns.map((calls) => calls.map(({ id }) => answerOf(sent.get(id))));
      } finally {
        await api.close();
      }
    },
  };
}

function answerOf(result: SentBlock | undefined): Answer {
  if (result?.content === undefined) throw new Error("Claude was not answered.");
  const { content, is_error: isError = false } = result;
  return { isError, content: typeof content === "string" ? content : content.map(blockOf) };
}

function blockOf({ type, text = "", ...rest }: SentBlock): Block {
  if (type === "text") return { type, text };
  const { media_type: mediaType, data } = rest["source"] as { media_type: string; data: string };
  return { type: "image", mediaType, data };
}
