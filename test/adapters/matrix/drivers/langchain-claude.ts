import { ChatAnthropic } from "@langchain/anthropic";
import { createAgent, createMiddleware } from "langchain";
import { anthropicMemoryTool, markToolErrors } from "../../../../src/adapters/langchain.ts";
import type { Driver } from "../driver.ts";
import { opening, playByMessagesApi } from "./sent-results.ts";

const errorMarks = createMiddleware({
  name: "errorMarks",
  wrapModelCall: (request, handler) => handler({ ...request, messages: markToolErrors(request.messages) }),
});

/** Claude by LangChain's own integration, on a server that speaks the Messages API. */
export const langchainClaude = claudeDriver("invoke");
export const langchainClaudeStream = claudeDriver("stream");

function claudeDriver(method: "invoke" | "stream"): Driver {
  return {
    name: `LangChain, Claude, ${method}`,
    passesIds: true,
    play(userMemory, turns) {
      return playByMessagesApi(turns, async (anthropicApiUrl) => {
        const model = new ChatAnthropic({
          model: "claude-opus-5-5",
          apiKey: "scripted",
          anthropicApiUrl,
          maxRetries: 0,
        });
        const agent = createAgent({ model, tools: [anthropicMemoryTool(userMemory)], middleware: [errorMarks] });
        const start = { messages: [{ role: "user" as const, content: opening }] };
        const limit = { recursionLimit: 100 };
        if (method === "invoke") await agent.invoke(start, limit);
        else await Array.fromAsync(await agent.stream(start, { ...limit, streamMode: "messages" }));
      });
    },
  };
}
