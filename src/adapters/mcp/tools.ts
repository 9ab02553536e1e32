import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type JSONRPCRequest,
  type Tool,
} from "@modelcontextprotocol/server";
import type { UserMemory, UserMemorySettings } from "../../core/memory.ts";
import type { ImageBlock, TextBlock } from "../../core/result.ts";
import { answer, blocksOf, toolName } from "../tool/answer.ts";
import { commandTools } from "../tool/definition.ts";

/** The tools of a memory, as `tools/list` has them. */
export function memoryTools(settings: UserMemorySettings): Tool[] {
  return commandTools(settings).map(({ name, title, description, inputSchema, hints }) => ({
    name,
    title,
    description,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same type, but for readonly
    inputSchema: inputSchema as unknown as Tool["inputSchema"],
    annotations: {
      readOnlyHint: hints.readOnly,
      destructiveHint: hints.destructive,
      idempotentHint: hints.idempotent,
      openWorldHint: false,
    },
  }));
}

/**
 * Answers one call with exactly what `execute` answers. Throws "invalid params", as the protocol asks for, where the tool is
 * none of a memory's; a misspelt one is answered like a misspelt command, because that helps the model on.
 */
export async function callTool(
  userMemory: Pick<UserMemory, "execute">,
  { params = {} }: Pick<JSONRPCRequest, "params">,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const { name, arguments: input, _meta: meta } = params;
  const command = commandOf(name);
  if (command === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, "There is no such tool.");
  const sent = typeof input === "object" ? input : {};
  const { isError, content } = await answer(userMemory, { ...sent, command }, { id: idOf(meta), signal });
  const blocks = blocksOf(content).map(contentBlock);
  return isError ? { content: blocks, isError } : { content: blocks };
}

/** The command that a tool stands for, whether there is such a command or not; `undefined` for a tool of somebody else. */
function commandOf(name: unknown): string | undefined {
  const prefix = `${toolName}_`;
  if (typeof name !== "string" || !name.toLowerCase().startsWith(prefix)) return undefined;
  return name.startsWith(prefix) ? name.slice(prefix.length) : name;
}

/**
 * The id of the model's `tool_use`, which Claude Code sends. The id of the JSON-RPC request is none: a client that sends a
 * call again gives it a new one, and two clients use the same.
 */
function idOf(meta: Readonly<Record<string, unknown>> | undefined): string | undefined {
  const id = meta?.["claudecode/toolUseId"];
  return typeof id === "string" ? id : undefined;
}

function contentBlock(block: TextBlock | ImageBlock): CallToolResult["content"][number] {
  if (block.type === "text") return { type: "text", text: block.text };
  return { type: "image", data: block.source.data, mimeType: block.source.media_type };
}
