import { toolName } from "../tool/answer.ts";
import { isCutOff } from "../tool/tool-result.ts";
import { Problem } from "./problem.ts";

/** A call of the memory tool; what its input is worth is the memory's to judge. */
export interface MemoryCall {
  readonly id: string;
  readonly input: unknown;
}

/**
 * The calls of the memory tool in what was sent: one block, an array of blocks, or a message with `content`. Throws a problem
 * where there are none or more than `most`, where the message was cut off, or where a call could not be answered or be told from
 * another one.
 */
export function toolCalls(payload: unknown, most: number): readonly MemoryCall[] {
  const calls = blocksIn(payload).flatMap((block, index) => memoryCalls(block, index));
  if (calls.length === 0) throw new Problem(400, `There is no tool_use block of the tool \`${toolName}\`.`);
  if (calls.length > most) throw new Problem(400, `There may be ${most} calls at most; these are ${calls.length}.`);
  // Of two calls with one id the second would be taken for a repeated delivery of the first.
  if (new Set(calls.map(({ id }) => id)).size < calls.length) throw new Problem(400, "Two calls have the same id.");
  return calls;
}

function blocksIn(payload: unknown): readonly unknown[] {
  if (Array.isArray(payload)) return payload;
  if (isObject(payload)) {
    if (isCutOff(payload["stop_reason"])) {
      throw new Problem(
        400,
        "The message was cut off or refused, so no call of it is carried out: see its stop_reason.",
      );
    }
    if (Array.isArray(payload["content"])) return payload["content"];
    if (payload["type"] === "tool_use") return [payload];
  }
  throw new Problem(
    400,
    "Expected a tool_use block, an array of content blocks, or an object that has it as `content`.",
  );
}

function memoryCalls(block: unknown, index: number): readonly MemoryCall[] {
  if (!isObject(block) || typeof block["type"] !== "string") {
    throw new Problem(400, `Block ${index} is not a content block: it has no type.`);
  }
  const { type, name, id, input } = block;
  if (type !== "tool_use" || name !== toolName) return [];
  if (typeof id !== "string" || id === "") throw new Problem(400, `Block ${index} has no id.`);
  return [{ id, input }];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null;
}
