// Nothing here runs: `tsc -p tsconfig.json` checks it, and type-check.test.ts that it does.
import type Anthropic from "@anthropic-ai/sdk";
import { memoryTool, toolResults } from "../../src/adapters/anthropic.ts";
import type { UserMemory } from "../../src/index.ts";

type Beta = Anthropic.Beta.BetaMessage;
const limits = { model: "claude-opus-5-5", max_tokens: 1 } as const;

export function fitsTheToolRunner(client: Anthropic, memory: UserMemory): unknown[] {
  const tool = memoryTool(memory, { cache_control: { type: "ephemeral", ttl: "1h" } });
  // @ts-expect-error -- the name is the contract's
  memoryTool(memory, { name: "notes" });
  // @ts-expect-error -- a memory is one user's
  memoryTool({ forUser: () => memory });
  const messages: Anthropic.Beta.BetaMessageParam[] = [];
  return [
    client.beta.messages.toolRunner({ ...limits, messages, tools: [tool] }),
    client.beta.messages.toolRunner({ ...limits, messages, tools: [tool], stream: true, runToolsEagerly: true }),
    client.beta.messages.toolRunner({
      ...limits,
      messages,
      tools: [tool, { type: "web_search_20250305", name: "web_search" }],
    }),
  ];
}

export async function fitsBothApis(client: Anthropic, memory: UserMemory): Promise<void> {
  const stable: Anthropic.Message = await client.messages.create({ ...limits, messages: [] });
  const beta: Beta = await client.beta.messages.create({ ...limits, messages: [] });
  const signal = new AbortController().signal;
  const results = [...(await toolResults(memory, stable)), ...(await toolResults(memory, beta, { signal }))];

  results satisfies Anthropic.ToolResultBlockParam[];
  results satisfies Anthropic.Beta.BetaToolResultBlockParam[];
  await client.messages.create({ ...limits, messages: [{ role: "user", content: results }] });
  await client.beta.messages.create({ ...limits, messages: [{ role: "user", content: results }] });
  // @ts-expect-error -- a message, not its content
  await toolResults(memory, stable.content);
}
