import { ChatAnthropic } from "@langchain/anthropic";
import { createAgent, createMiddleware } from "langchain";
import {
  memoryCall,
  startScriptedMessagesApi,
  type Block as SentBlock,
} from "../../../../examples/support/scripted-messages-api.ts";
import { anthropicMemoryTool, markToolErrors } from "../../../../src/adapters/langchain.ts";
import type { Answer, Block, Driver } from "../driver.ts";

const opening = "Hello";
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
    async play(userMemory, turns) {
      const replies = turns.map((calls) => calls.map(({ id, input }) => memoryCall(input, id)));
      const api = await startScriptedMessagesApi({ [opening]: [...replies, ["Done."]] });
      try {
        const model = new ChatAnthropic({
          model: "claude-opus-5-5",
          apiKey: "scripted",
          anthropicApiUrl: api.url,
          maxRetries: 0,
        });
        const agent = createAgent({ model, tools: [anthropicMemoryTool(userMemory)], middleware: [errorMarks] });
        const start = { messages: [{ role: "user" as const, content: opening }] };
        const limit = { recursionLimit: 100 };
        if (method === "invoke") await agent.invoke(start, limit);
        else await Array.fromAsync(await agent.stream(start, { ...limit, streamMode: "messages" }));
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
