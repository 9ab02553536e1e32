import type { BetaRunnableTool } from "@anthropic-ai/sdk/lib/tools/BetaRunnableTool";
import { ToolError, type BetaMemoryTool20250818, type BetaMessage } from "@anthropic-ai/sdk/resources/beta/messages";
import type { Message } from "@anthropic-ai/sdk/resources/messages";
import type { UserMemory } from "../core/memory.ts";
import { answer, toolName } from "./tool/answer.ts";
import { isCutOff, toolResult, type MemoryToolResult } from "./tool/tool-result.ts";

export type { MemoryToolResult } from "./tool/tool-result.ts";

/**
 * The memory tool for `client.beta.messages.toolRunner({ tools: [...] })`. Passes the runner's signal and each
 * call's id on. Failures are thrown as the SDK's `ToolError`: Claude reads the exact text. (Load the SDK with
 * `import`: a runner loaded with `require` knows another `ToolError` and puts `Error: ` before the text.)
 *
 * @param extraProperties Other properties of the tool's definition, such as `cache_control`.
 */
export function memoryTool(
  userMemory: UserMemory,
  extraProperties: Omit<BetaMemoryTool20250818, "type" | "name"> = {},
): BetaRunnableTool<unknown> {
  return {
    ...extraProperties,
    type: "memory_20250818",
    name: toolName,
    parse: (input) => input,
    run: async (input, context) => {
      const call = { id: context?.toolUse.id, signal: context?.signal ?? undefined };
      const { isError, content } = await answer(userMemory, input, call);
      if (isError) throw new ToolError(content);
      return content;
    },
  };
}

/**
 * The `tool_result` blocks for a loop of your own: one for each `memory` call of the message, in its order;
 * the calls of other tools are left to you. Never rejects for what Claude did wrong or what the store did.
 * Call it when `stop_reason` is `tool_use`, and send all results of the message back in one user message. Of a message that
 * was cut off or refused no call is carried out, and there is no result: its last call may lack a field, and so ask for
 * something else than Claude meant.
 *
 * @see https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
 */
export async function toolResults(
  userMemory: UserMemory,
  message: Pick<Message | BetaMessage, "content"> & Partial<Pick<Message | BetaMessage, "stop_reason">>,
  options: { readonly signal?: AbortSignal } = {},
): Promise<MemoryToolResult[]> {
  if (isCutOff(message.stop_reason)) return [];
  const calls = message.content.filter((block) => block.type === "tool_use").filter(({ name }) => name === toolName);
  return Promise.all(calls.map((call) => toolResult(userMemory, call, options)));
}
