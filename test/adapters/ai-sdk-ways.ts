import { generateText, isStepCount, streamText, ToolLoopAgent, type LanguageModel, type ToolSet } from "ai";
import type { MemoryTool } from "../../src/adapters/ai-sdk.ts";

export interface Run {
  readonly model: LanguageModel;
  readonly tools: { readonly memory: MemoryTool } & ToolSet;
  readonly prompt: string;
  readonly abortSignal?: AbortSignal;
}

/** A way in which the SDK's own loop plays a conversation to its end; the parts of all its steps. */
export interface Way {
  readonly way: string;
  readonly run: (run: Run) => Promise<readonly Part[]>;
}

interface Part {
  readonly type: string;
  readonly error?: unknown;
  readonly output?: unknown;
}

const stopWhen = isStepCount(20);

export const byGenerateText: Way = {
  way: "generateText",
  run: async (run) => partsOf((await generateText({ ...run, stopWhen })).steps),
};

export const byStreamText: Way = {
  way: "streamText",
  run: async (run) => {
    const result = streamText({ ...run, stopWhen });
    await result.consumeStream();
    return partsOf(await result.steps);
  },
};

export const byAgent: Way = {
  way: "ToolLoopAgent",
  run: async ({ model, tools, ...run }) => partsOf((await new ToolLoopAgent({ model, tools }).generate(run)).steps),
};

function partsOf(steps: readonly { readonly content: readonly Part[] }[]): readonly Part[] {
  return steps.flatMap(({ content }) => content);
}
