import type { BetaRunnableTool } from "@anthropic-ai/sdk/lib/tools/BetaRunnableTool";
import { ToolError, type BetaMemoryTool20250818, type BetaMessage } from "@anthropic-ai/sdk/resources/beta/messages";
import type { Message } from "@anthropic-ai/sdk/resources/messages";
import type { UserMemory } from "../core/memory.ts";
import type { MemoryResult } from "../core/result.ts";

/** A `tool_result` block, for the Messages API and its beta alike; `is_error` only where the command failed. */
export interface MemoryToolResult {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content: MemoryResult["content"];
  readonly is_error?: true;
}

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
    name: "memory",
    parse: (input) => input,
    run: async (input, context) => {
      const { isError, content } = await userMemory.execute(input, {
        ...(context && { toolUseId: context.toolUse.id }),
        ...(context?.signal && { signal: context.signal }),
      });
      if (isError) throw new ToolError(content);
      return content;
    },
  };
}

/**
 * The `tool_result` blocks for a loop of your own: one for each `memory` call of the message, in its order;
 * the calls of other tools are left to you. Never rejects for what Claude did wrong or what the store did.
 * Call it when `stop_reason` is `tool_use`, and send all results of the message back in one user message.
 */
export function toolResults(
  userMemory: UserMemory,
  message: Pick<Message | BetaMessage, "content">,
  options: { readonly signal?: AbortSignal } = {},
): Promise<MemoryToolResult[]> {
  const calls = message.content.filter((block) => block.type === "tool_use").filter(({ name }) => name === "memory");
  return Promise.all(
    calls.map(async ({ id, input }): Promise<MemoryToolResult> => {
      const { isError, content } = await userMemory.execute(input, { ...options, toolUseId: id });
      const result = { type: "tool_result", tool_use_id: id, content } as const;
      return isError ? Object.assign(result, { is_error: true } as const) : result;
    }),
  );
}
