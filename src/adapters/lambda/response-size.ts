import { formatSize } from "../../core/text/size.ts";
import type { MemoryToolResult } from "../tool/tool-result.ts";

/**
 * The answer, without the results, the largest first, that would make it larger than Lambda sends: it would else fail as a
 * whole, and nothing of what was done would be known.
 */
export function answerWithin(
  responseBytes: number,
  results: readonly MemoryToolResult[],
  answer: (results: readonly MemoryToolResult[]) => unknown,
): unknown {
  const whole = answer(results);
  if (sizeOf(whole) <= responseBytes) return whole;
  const largest = results.reduce((one, other) => (sizeOf(other) > sizeOf(one) ? other : one));
  const instead = tooLarge(largest);
  if (sizeOf(instead) >= sizeOf(largest)) return whole; // there is nothing left to take out
  const rest = results.map((result) => (result === largest ? instead : result));
  return answerWithin(responseBytes, rest, answer);
}

/** As Lambda counts: the JSON of it, in UTF-8. */
function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}

function tooLarge({ tool_use_id: id, content }: MemoryToolResult): MemoryToolResult {
  const text =
    `Error: The answer to this command is too large to be sent (${formatSize(sizeOf(content))}). ` +
    "What the command does is done; view less at once.";
  return { type: "tool_result", tool_use_id: id, content: text, is_error: true };
}
