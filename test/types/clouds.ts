// Nothing here runs: `tsc -p tsconfig.json` checks it, and type-check.test.ts that it does.
import type Anthropic from "@anthropic-ai/sdk";
import type { AnthropicBedrock, AnthropicBedrockMantle } from "@anthropic-ai/bedrock-sdk";
import type { AnthropicVertex } from "@anthropic-ai/vertex-sdk";
import { memoryTool, toolResults } from "../../src/adapters/anthropic.ts";
import type { UserMemory } from "../../src/index.ts";

type Cloud = AnthropicBedrock | AnthropicBedrockMantle | AnthropicVertex;
const limits = { model: "claude-opus-5-5", max_tokens: 1 } as const;

export function fitsTheToolRunnerOfEveryCloud(client: Cloud, memory: UserMemory): unknown[] {
  const tools = [memoryTool(memory, { cache_control: { type: "ephemeral" } })];
  return [
    client.beta.messages.toolRunner({ ...limits, messages: [], tools }),
    client.beta.messages.toolRunner({ ...limits, messages: [], tools, stream: true, runToolsEagerly: true }),
  ];
}

export async function fitsTheMessagesOfEveryCloud(client: Cloud, memory: UserMemory): Promise<void> {
  const tools: Anthropic.ToolUnion[] = [{ type: "memory_20250818", name: "memory" }];
  const whole = await client.messages.create({ ...limits, tools, messages: [] });
  const streamed = await client.messages.stream({ ...limits, tools, messages: [] }).finalMessage();
  const beta = await client.beta.messages.create({ ...limits, tools, messages: [] });
  for (const message of [whole, streamed, beta]) {
    const content = await toolResults(memory, message);
    await client.messages.create({ ...limits, tools, messages: [{ role: "user", content }] });
    await client.beta.messages.create({ ...limits, tools, messages: [{ role: "user", content }] });
  }
}
