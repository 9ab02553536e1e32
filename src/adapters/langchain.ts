import { HumanMessage, ToolMessage, type BaseMessage, type ContentBlock } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import {
  DynamicStructuredTool,
  type StructuredToolCallInput,
  type ToolReturnType,
  type ToolRunnableConfig,
} from "@langchain/core/tools";
import type { JSONSchema } from "@langchain/core/utils/json_schema";
import { unknown } from "zod/mini";
import type { UserMemory } from "../core/memory.ts";
import type { MemoryResult } from "../core/result.ts";
import { answer, toolName } from "./tool/answer.ts";
import { claude, resolveToolOptions, textOf, type MemoryToolOptions } from "./tool/any-model.ts";
import { memoryTool as definition, type InputSchema } from "./tool/definition.ts";

export type { MemoryToolOptions } from "./tool/any-model.ts";

/** What the tool answers: the text, LangChain's blocks where there is an image, and a `ToolMessage` of either to a model's call. */
export type MemoryToolOutput = string | (ContentBlock.Text | ContentBlock.Multimodal.Image)[] | ToolMessage;

/** The memory as one of LangChain's tools, for `createAgent` and `bindTools`. */
export type MemoryTool = DynamicStructuredTool<JSONSchema, unknown, unknown, MemoryToolOutput, unknown, "memory">;

/**
 * The memory as a structured tool for any model: the schema describes, and every input reaches the memory as it is.
 * A model's call resolves to a `ToolMessage`; after a failure with the exact text, the status `error` and
 * `{ code }` as artifact. An `invoke` with a mere input resolves to the content, or rejects with the `MemoryError`.
 * Throws a `TypeError` for options that make no sense.
 */
export function memoryTool(userMemory: UserMemory, options: MemoryToolOptions = {}): MemoryTool {
  return new UncheckedTool(fieldsOf(userMemory, resolveToolOptions(options)));
}

/**
 * The same for Claude by `ChatAnthropic`, which sends it as the native `memory_20250818`. Images are shown, and a call that is
 * delivered again does nothing twice. Only for Claude: `ChatOpenAI`, too, would send `extras.providerToolDefinition`.
 *
 * @see https://platform.claude.com/docs/en/agents-and-tools/tool-use/memory-tool
 */
export function anthropicMemoryTool(userMemory: UserMemory): MemoryTool {
  const providerToolDefinition = { type: "memory_20250818", name: toolName };
  const fields = fieldsOf(userMemory, claude);
  return new UncheckedTool({ ...fields, extras: { providerToolDefinition } });
}

/**
 * The messages as `ChatAnthropic` needs them for Claude to be told which results are errors: it leaves out the
 * status of a `ToolMessage`, and takes a `tool_result` block of a `HumanMessage` as it is. For `wrapModelCall` of a
 * middleware, or before `model.invoke`. Other tools' failures are marked too; the messages given are not changed.
 */
export function markToolErrors(messages: readonly BaseMessage[]): BaseMessage[] {
  return messages.map((message) => {
    if (!ToolMessage.isInstance(message) || message.status !== "error") return message;
    const { content, tool_call_id } = message;
    // The Messages API refuses an empty error, and the blocks that it knows are not LangChain's.
    if (typeof content !== "string" || content === "") return message;
    return new HumanMessage({ content: [{ type: "tool_result", tool_use_id: tool_call_id, content, is_error: true }] });
  });
}

type Fields = ConstructorParameters<typeof DynamicStructuredTool<JSONSchema, unknown, unknown, MemoryToolOutput>>[0] & {
  readonly name: "memory";
};

function fieldsOf(userMemory: UserMemory, { images, uniqueCallIds }: Required<MemoryToolOptions>): Fields {
  const { description, inputSchema } = definition(userMemory.settings);
  return {
    name: toolName,
    description,
    schema: schemaOf(inputSchema),
    func: async (input, _runManager, config: ToolRunnableConfig = {}) => {
      const { signal, toolCall } = config;
      // Another tool that hands its config on hands its own call on, which may be for many edits.
      const id = uniqueCallIds && toolCall?.name === toolName ? toolCall.id : undefined;
      const result = await answer(userMemory, input, { id, signal });
      const content = contentOf(result, images);
      if (toolCall === undefined) {
        if (result.isError) throw result.error;
        return content;
      }
      const message = { name: toolName, tool_call_id: toolCall.id ?? "", content };
      // The code alone: the error's details are the operator's, and a checkpointer keeps artifacts.
      return new ToolMessage(
        result.isError
          ? { ...message, status: "error", artifact: { code: result.code } }
          : { ...message, status: "success" },
      );
    },
  };
}

function contentOf({ content }: MemoryResult, images: boolean): Exclude<MemoryToolOutput, ToolMessage> {
  if (typeof content === "string") return content;
  // A text alone is a string: some integrations know no blocks in tool messages at all.
  if (!images) return textOf(content);
  return content.map((block) =>
    block.type === "text"
      ? { ...block }
      : { type: "image", mimeType: block.source.media_type, data: block.source.data },
  );
}

/** LangChain judges an input by the schema, and would answer in the memory's place: what it runs takes everything. */
class UncheckedTool extends DynamicStructuredTool<JSONSchema, unknown, unknown, MemoryToolOutput, unknown, "memory"> {
  override invoke<
    TInput extends StructuredToolCallInput<JSONSchema, unknown>,
    TConfig extends ToolRunnableConfig | undefined,
  >(input: TInput, config?: TConfig): Promise<ToolReturnType<TInput, TConfig, MemoryToolOutput>> {
    // Of arguments that look like a call themselves LangChain hands on a part.
    const sent: unknown = isCall(input) ? input.args : input;
    const func: this["func"] = (_part, ...context) => this.func(sent, ...context);
    const unchecked: this = Object.create(this, { schema: { value: unknown() }, func: { value: func } });
    return super.invoke.call<this, [TInput, TConfig?], Promise<ToolReturnType<TInput, TConfig, MemoryToolOutput>>>(
      unchecked,
      input,
      config,
    );
  }
}

function isCall(input: unknown): input is ToolCall {
  return typeof input === "object" && input !== null && Reflect.get(input, "type") === "tool_call";
}

function schemaOf({ required, ...schema }: InputSchema): JSONSchema {
  return { ...schema, required: [...required] };
}
