import type { UserMemory } from "../../core/memory.ts";
import type { MemoryResult } from "../../core/result.ts";
import { answer } from "./answer.ts";

/** A `tool_result` block, for the Messages API and its beta alike; `is_error` only where the command failed. */
export interface MemoryToolResult {
  readonly type: "tool_result";
  readonly tool_use_id: string;
  readonly content: MemoryResult["content"];
  readonly is_error?: true;
}

/** Answers one `tool_use` block. */
export async function toolResult(
  userMemory: Pick<UserMemory, "execute">,
  { id, input }: { readonly id: string; readonly input: unknown },
  { signal }: { readonly signal?: AbortSignal | undefined } = {},
): Promise<MemoryToolResult> {
  const { isError, content } = await answer(userMemory, input, { id, signal });
  const result = { type: "tool_result", tool_use_id: id, content } as const;
  return isError ? Object.assign(result, { is_error: true } as const) : result;
}

/**
 * Whether a reply ended before it was complete. Its last call may lack a field then, and so ask for something else than Claude
 * meant: a `str_replace` that lost its `new_str` deletes.
 *
 * @see https://platform.claude.com/docs/en/build-with-claude/handling-stop-reasons
 */
export function isCutOff(stopReason: unknown): boolean {
  return stopReason === "max_tokens" || stopReason === "model_context_window_exceeded" || stopReason === "refusal";
}
