// Nothing here runs: `tsc -p tsconfig.json` checks it, and type-check.test.ts that it does.
import { anthropic, createAnthropic } from "@ai-sdk/anthropic";
import {
  generateText,
  jsonSchema,
  streamText,
  tool,
  ToolLoopAgent,
  type InferUITools,
  type LanguageModel,
  type ToolSet,
} from "ai";
import { anthropicMemoryTool, memoryTool, type MemoryToolOutput } from "../../src/adapters/ai-sdk.ts";
import type { UserMemory } from "../../src/index.ts";

export function fitsTheTools(model: LanguageModel, memory: UserMemory): unknown[] {
  const clock = tool({ inputSchema: jsonSchema<{ city: string }>({ type: "object" }), execute: ({ city }) => city });
  const any = { memory: memoryTool(memory, { images: true, uniqueCallIds: true }), clock } satisfies ToolSet;
  const claude = {
    memory: anthropicMemoryTool(anthropic, memory),
    web_search: anthropic.tools.webSearch_20250305({ maxUses: 1 }),
  } satisfies ToolSet;
  const other = { memory: anthropicMemoryTool(createAnthropic({ baseURL: "http://127.0.0.1" }), memory) };
  // @ts-expect-error -- there is no such option
  memoryTool(memory, { image: true });
  // @ts-expect-error -- a memory is one user's
  memoryTool({ forUser: () => memory });
  // @ts-expect-error -- the provider, not its model
  anthropicMemoryTool(model, memory);
  return [
    generateText({ model, tools: any, prompt: "" }),
    streamText({ model, tools: claude, prompt: "" }),
    new ToolLoopAgent({ model, tools: { ...any, ...other } }),
  ];
}

export async function tellsWhatCameBack(model: LanguageModel, memory: UserMemory): Promise<void> {
  const { toolCalls, toolResults, steps } = await generateText({
    model,
    tools: { memory: memoryTool(memory) },
    prompt: "",
  });
  for (const result of toolResults) if (result.dynamic !== true) result.output satisfies MemoryToolOutput;
  // @ts-expect-error -- what a model sends is not known
  for (const { input } of toolCalls) input satisfies { command: string };
  for (const { content } of steps) {
    for (const part of content) if (part.type === "tool-error") part.error satisfies unknown;
  }
}

/** In a client's messages, `part.output` of a `tool-memory` part. */
export type Output = InferUITools<{ memory: ReturnType<typeof memoryTool> }>["memory"]["output"];
export const output = "The file." satisfies Output;
