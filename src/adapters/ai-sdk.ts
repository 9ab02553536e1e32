import {
  jsonSchema,
  tool,
  type FlexibleSchema,
  type JSONSchema7,
  type JSONValue,
  type Tool,
  type ToolExecutionOptions,
  type ToolResultPart,
} from "ai";
import { array, literal, object, safeParse, string, union } from "zod/mini";
import type { UserMemory } from "../core/memory.ts";
import type { ImageBlock, MemoryResult, TextBlock } from "../core/result.ts";
import { MemoryError } from "../errors.ts";
import { answer } from "./tool/answer.ts";
import { claude, resolveToolOptions, textOf, type MemoryToolOptions } from "./tool/any-model.ts";
import { memoryTool as definition, type InputSchema } from "./tool/definition.ts";

export type { MemoryToolOptions } from "./tool/any-model.ts";

/** What a call brings back, for `tool-result` parts: the text that the model reads, or blocks where there is an image. */
export type MemoryToolOutput = MemoryResult["content"];

/** The memory as one of the AI SDK's tools. Its input is whatever the model sent. */
export type MemoryTool = Tool<unknown, MemoryToolOutput>;

/**
 * The memory as a plain tool for any model: the schema describes, and every input reaches the memory as it is. Name it
 * `memory` among the `tools`. A failure is thrown as a `MemoryError` without details, and becomes a `tool-error` part: the
 * model reads the exact text. Throws a `TypeError` for options that make no sense.
 */
export function memoryTool(userMemory: UserMemory, options: MemoryToolOptions = {}): MemoryTool {
  const parts = partsOf(userMemory, resolveToolOptions(options));
  const { description, inputSchema } = definition(userMemory.settings);
  return tool({ description, inputSchema: anyInput(inputSchema), ...parts });
}

/**
 * The same for Claude, as the provider's own `memory_20250818`: `anthropic.tools` of `@ai-sdk/anthropic`, or of a provider
 * made with its `createAnthropic`. Images are shown, and a call that is delivered again does nothing twice.
 *
 * @see https://platform.claude.com/docs/en/agents-and-tools/tool-use/memory-tool
 */
export function anthropicMemoryTool(anthropic: AnthropicMemoryProvider, userMemory: UserMemory): MemoryTool {
  const parts = partsOf(userMemory, claude);
  const { inputSchema } = definition(userMemory.settings);
  // The provider's own schema would answer a wrong input in the memory's place.
  return { ...parts, ...anthropic.tools.memory_20250818(parts), inputSchema: anyInput(inputSchema) };
}

/** What is needed of the provider. */
export interface AnthropicMemoryProvider {
  readonly tools: { readonly memory_20250818: (parts: MemoryToolParts) => object };
}

/** What becomes of a call and of what it brings back. */
export interface MemoryToolParts {
  readonly execute: (input: unknown, options: ToolExecutionOptions<unknown>) => Promise<MemoryToolOutput>;
  /** In stored messages the output may be one of another tool, which had the name before. */
  readonly toModelOutput: (result: { readonly output: MemoryToolOutput | JSONValue }) => ToolResultPart["output"];
}

function partsOf(userMemory: UserMemory, { images, uniqueCallIds }: Required<MemoryToolOptions>): MemoryToolParts {
  return {
    execute: async (input, { toolCallId, abortSignal }) => {
      const call = { id: uniqueCallIds ? toolCallId : undefined, signal: abortSignal };
      const result = await answer(userMemory, input, call);
      if (result.isError) throw new ToolFailure(result.code, result.content);
      return images ? result.content : textOf(result.content);
    },
    toModelOutput: ({ output }) => {
      if (!isOurs(output)) return { type: "json", value: output };
      // It may have been brought back for a model that is shown images.
      const shown = images ? output : textOf(output);
      return typeof shown === "string" ? { type: "text", value: shown } : { type: "content", value: shown.map(partOf) };
    },
  };
}

const text = object({ type: literal("text"), text: string() });
const image = object({ type: literal("image"), source: object({ media_type: string(), data: string() }) });
const content = union([string(), array(union([text, image]))]);

function isOurs(output: MemoryToolOutput | JSONValue): output is MemoryToolOutput {
  return safeParse(content, output).success;
}

/** The SDK judges no input by a schema that cannot `validate`: every one reaches the memory. */
function anyInput(schema: InputSchema): FlexibleSchema<unknown> {
  // A copy, because the SDK's type is one that may be written to.
  return jsonSchema(Object.assign<JSONSchema7, InputSchema>({}, schema));
}

/** For the model, the SDK takes an error's `toString`. The details are the operator's, and are not even in here. */
class ToolFailure extends MemoryError {
  override toString(): string {
    return this.message;
  }
}

type ContentPart = Extract<ToolResultPart["output"], { type: "content" }>["value"][number];

function partOf(block: TextBlock | ImageBlock): ContentPart {
  if (block.type === "text") return { type: "text", text: block.text };
  const { media_type: mediaType, data } = block.source;
  return { type: "file", mediaType, data: { type: "data", data } };
}
