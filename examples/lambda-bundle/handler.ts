import { createS3Memory, type MemoryResult } from "s3-memory-tool";

const memory = createS3Memory({ bucket: process.env["MEMORY_BUCKET"] ?? "" });
await memory.warm(); // during init: the first call finds the code loaded and the connection open

interface MemoryCall {
  readonly user: string;
  /** A `tool_use` block of Claude's. */
  readonly toolUse: { readonly id: string; readonly input: unknown };
}

export async function handler({ user, toolUse }: MemoryCall): Promise<MemoryResult> {
  return memory.forUser(user).execute(toolUse.input, { toolUseId: toolUse.id });
}
