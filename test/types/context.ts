// Nothing here runs: `tsc -p tsconfig.json` checks it, and type-check.test.ts that it does.
import type Anthropic from "@anthropic-ai/sdk";
import type { AnthropicBeta } from "@anthropic-ai/sdk/resources/beta/beta";
import type { BetaContextManagementConfig, BetaThinkingConfigParam } from "@anthropic-ai/sdk/resources/beta/messages";
import { contextManagement, memoryPrompt, type ContextManagementOptions } from "../../src/context/index.ts";

/** The betas that the SDK lists by name; it takes any text beside them. */
type Listed<Beta> = Beta extends unknown ? (string extends Beta ? never : Beta) : never;

const adaptive = { type: "adaptive" } as const;
const disabled = { type: "disabled" } as const;
const keepAll = { keep: "all" } as const;

export function fitsEveryBetaCall({ beta: { messages: api } }: Anthropic): unknown[] {
  const context = contextManagement({ thinking: adaptive, clearThinking: keepAll, compaction: true });
  context.context_management satisfies BetaContextManagementConfig;
  context.betas satisfies Listed<AnthropicBeta>[];

  const messages: Anthropic.Beta.BetaMessageParam[] = [];
  const request = { model: "claude-opus-5-5", max_tokens: 1, messages, thinking: adaptive, ...context } as const;
  return [
    api.create(request),
    api.create({ ...request, stream: true }),
    api.stream({ ...request, betas: [...context.betas, "files-api-2025-04-14"] }),
    api.toolRunner({ ...request, tools: [] }),
    api.toolRunner({ ...request, tools: [], stream: true }),
    api.countTokens({ model: "claude-opus-5-5", messages, ...context }),
    api.create({ ...request, system: memoryPrompt({ project: "crm" }) }),
  ];
}

export function takesWhatMakesSense(): unknown[] {
  return [
    contextManagement(),
    contextManagement({ thinking: disabled }),
    contextManagement({ clearToolUses: { trigger: { toolUses: 40 }, keep: { toolUses: 10 } }, compaction: false }),
    contextManagement({ clearToolUses: false, compaction: { trigger: { inputTokens: 80_000 } } }),
    contextManagement({
      thinking: { type: "enabled", budget_tokens: 2_048, display: "omitted" },
      clearThinking: { keep: { thinkingTurns: 2 } },
      clearToolUses: false,
    }),
  ];
}

export function refusesWhatDoesNot(thinking: BetaThinkingConfigParam): unknown[] {
  return [
    // @ts-expect-error -- there is no thinking to clear
    contextManagement({ clearThinking: keepAll }),
    // @ts-expect-error -- it is off
    contextManagement({ thinking: disabled, clearThinking: keepAll }),
    // @ts-expect-error -- the API wants it enabled or adaptive
    contextManagement({ thinking: { type: "between_tools" }, clearThinking: keepAll }),
    // @ts-expect-error -- it may be off
    contextManagement({ thinking, clearThinking: keepAll }),
    // @ts-expect-error -- nothing is chosen
    contextManagement({ clearToolUses: false }),
    // @ts-expect-error -- nothing is chosen
    contextManagement({ clearToolUses: false, compaction: false, thinking: adaptive }),
    // @ts-expect-error -- one unit or the other
    contextManagement({ clearToolUses: { trigger: { tokens: 1 } } }),
    // @ts-expect-error -- not both units
    contextManagement({ clearToolUses: { trigger: { inputTokens: 9_000, toolUses: 9 } } }),
    // @ts-expect-error -- a summary is triggered by tokens alone
    contextManagement({ compaction: { trigger: { toolUses: 10 } } }),
    // @ts-expect-error -- names of the wire are the wire's
    contextManagement({ clear_tool_uses: true }),
    // @ts-expect-error -- what to keep is said
    contextManagement({ thinking: adaptive, clearThinking: {} }),
    // @ts-expect-error -- a list
    memoryPrompt({ store: "prices" }),
  ];
}

// @ts-expect-error -- options are not changed once given
export const change = (options: ContextManagementOptions): unknown => (options.compaction = true);
