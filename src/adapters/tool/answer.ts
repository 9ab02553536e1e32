import type { UserMemory } from "../../core/memory.ts";
import type { ImageBlock, MemoryResult, TextBlock } from "../../core/result.ts";

/** The name by which Claude knows the tool, and by which its calls are told from those of others. */
export const toolName = "memory";

/** What a framework knows of a call beside its input. */
export interface ToolCall {
  /** The id that the model or the provider gave the call; an empty one is none. */
  readonly id?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Carries a tool call out, whatever the model sent as its input. Never rejects for what the model or the store did. */
export function answer(
  userMemory: Pick<UserMemory, "execute">,
  input: unknown,
  { id, signal }: ToolCall,
): Promise<MemoryResult> {
  return userMemory.execute(input, { ...(id && { toolUseId: id }), ...(signal && { signal }) });
}

/** The content as blocks, for frameworks that know nothing else. */
export function blocksOf(content: MemoryResult["content"]): readonly (TextBlock | ImageBlock)[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}
