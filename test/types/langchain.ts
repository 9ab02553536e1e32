// Nothing here runs: `tsc -p tsconfig.json` checks it, and type-check.test.ts that it does.
import type { ChatAnthropic } from "@langchain/anthropic";
import type { BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { StructuredToolInterface } from "@langchain/core/tools";
import { createAgent, createMiddleware, type FakeToolCallingModel } from "langchain";
import {
  anthropicMemoryTool,
  markToolErrors,
  memoryTool,
  type MemoryTool,
  type MemoryToolOptions,
} from "../../src/adapters/langchain.ts";
import type { UserMemory } from "../../src/index.ts";

export function fitsAgentsAndModels(claude: ChatAnthropic, other: FakeToolCallingModel, memory: UserMemory): unknown[] {
  const options: MemoryToolOptions = { images: true };
  const tool: MemoryTool = memoryTool(memory, options);
  const native: MemoryTool = anthropicMemoryTool(memory);
  tool satisfies StructuredToolInterface;
  tool.name satisfies "memory";
  // @ts-expect-error -- there is no such option
  memoryTool(memory, { image: true });
  // @ts-expect-error -- a memory is one user's
  memoryTool({ forUser: () => memory });
  // @ts-expect-error -- Claude is always shown images
  anthropicMemoryTool(memory, { images: false });
  const middleware = [
    createMiddleware({
      name: "errorMarks",
      wrapModelCall: (request, handler) => handler({ ...request, messages: markToolErrors(request.messages) }),
    }),
  ];
  return [
    createAgent({ model: claude, tools: [native], middleware }),
    createAgent({ model: "openai:gpt-5", tools: [tool] }),
    claude.bindTools([native]),
    other.bindTools([tool]),
  ];
}

export async function answersMessagesToCalls(tool: MemoryTool, messages: readonly BaseMessage[]): Promise<void> {
  const call = { name: "memory", args: {}, id: "call_1", type: "tool_call" } as const;
  (await tool.invoke(call)).text satisfies string;
  const content = await tool.invoke({ command: "view", path: "/memories" }, { signal: AbortSignal.timeout(1_000) });
  if (typeof content !== "string" && !Array.isArray(content)) content satisfies ToolMessage;
  markToolErrors(messages) satisfies BaseMessage[];
}
