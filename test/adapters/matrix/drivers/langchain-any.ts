import { ToolMessage } from "@langchain/core/messages";
import { createAgent, fakeModel } from "langchain";
import { memoryTool } from "../../../../src/adapters/langchain.ts";
import type { Answer, Block, Driver } from "../driver.ts";

/** A model of any vendor: what it reads are the messages with which LangChain calls it. */
export const langchainAny: Driver = {
  name: "LangChain, any model",
  passesIds: true,
  async play(userMemory, turns) {
    const model = fakeModel();
    for (const calls of turns) {
      model.respondWithTools(calls.map(({ id, input }) => ({ name: "memory", args: input as object, id })));
    }
    model.respondWithTools([]);
    const agent = createAgent({ model, tools: [memoryTool(userMemory, { images: true, uniqueCallIds: true })] });
    await agent.invoke({ messages: [{ role: "user", content: "Hello" }] }, { recursionLimit: 100 });
    const read = (model.calls.at(-1)?.messages ?? []).filter((message) => ToolMessage.isInstance(message));
    return turns.map((calls) => calls.map(({ id }) => answerOf(read.find(({ tool_call_id }) => tool_call_id === id))));
  },
};

function answerOf(message: ToolMessage | undefined): Answer {
  if (message === undefined) throw new Error("The model was not answered.");
  const { content, status } = message;
  return { isError: status === "error", content: typeof content === "string" ? content : content.map(blockOf) };
}

function blockOf(block: { readonly type: string }): Block {
  if (block.type === "text") return { type: "text", text: (block as { text?: string }).text ?? "" };
  const { mimeType: mediaType, data } = block as { type: string; mimeType: string; data: string };
  return { type: "image", mediaType, data };
}
