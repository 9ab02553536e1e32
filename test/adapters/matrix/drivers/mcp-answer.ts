import type { CallToolResult } from "@modelcontextprotocol/client";
import type { Answer, Block, Call } from "../driver.ts";

/** A call of the one tool as a call of the tool for its command; the command goes into no argument then. */
export function asToolCall({ input }: Call): { readonly name: string; readonly arguments: Record<string, unknown> } {
  const { command, ...fields } = input as Record<string, unknown>;
  return { name: `memory_${String(command)}`, arguments: fields };
}

/** What a client hands on to its model: the content as it came over the wire. */
export function answerOf({ content, isError = false }: CallToolResult): Answer {
  const blocks = content.map((part): Block => {
    if (part.type === "text") return { type: "text", text: part.text };
    if (part.type === "image") return { type: "image", mediaType: part.mimeType, data: part.data };
    throw new Error(`A memory answers no ${part.type}.`);
  });
  const [first] = blocks;
  return { isError, content: blocks.length === 1 && first?.type === "text" ? first.text : blocks };
}
