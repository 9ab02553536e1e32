import { createAnthropic } from "@ai-sdk/anthropic";
import { anthropicMemoryTool } from "../../../../src/adapters/ai-sdk.ts";
import { byAgent, byGenerateText, byStreamText, type Way } from "../../ai-sdk-ways.ts";
import type { Driver } from "../driver.ts";
import { opening, playByMessagesApi } from "./sent-results.ts";

/** Claude by the AI SDK's own provider, on a server that speaks the Messages API. */
export const aiSdkClaude = claudeDriver(byGenerateText);
export const aiSdkClaudeStream = claudeDriver(byStreamText);
export const aiSdkClaudeAgent = claudeDriver(byAgent);

function claudeDriver({ way, run }: Way): Driver {
  return {
    name: `AI SDK, Claude, ${way}`,
    passesIds: true,
    play(userMemory, turns) {
      return playByMessagesApi(turns, async (baseURL) => {
        const anthropic = createAnthropic({ apiKey: "scripted", baseURL: `${baseURL}/v1` });
        await run({
          model: anthropic("claude-opus-5-5"),
          tools: { memory: anthropicMemoryTool(anthropic, userMemory) },
          prompt: opening,
        });
      });
    },
  };
}
