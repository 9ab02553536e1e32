import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { wrapLanguageModel, type LanguageModel } from "ai";
import {
  startScriptedChatCompletions,
  type ChatToolResult,
} from "../../../../examples/support/scripted-chat-completions.ts";
import { memoryCall } from "../../../../examples/support/scripted-reply.ts";
import { memoryTool } from "../../../../src/adapters/ai-sdk.ts";
import { byGenerateText, byStreamText, type Way } from "../../ai-sdk-ways.ts";
import type { Answer, Block, Driver } from "../driver.ts";

const opening = "Hello";

/** Another vendor's model, on a server that speaks chat completions: one whose ids are its own, and one whose ids are not to be trusted. */
export const aiSdkAny = anyDriver(byGenerateText, true);
export const aiSdkAnyStream = anyDriver(byStreamText, false);

function anyDriver({ way, run }: Way, uniqueCallIds: boolean): Driver {
  return {
    name: `AI SDK, any model, ${way}`,
    passesIds: uniqueCallIds,
    async play(userMemory, turns) {
      const replies = turns.map((calls) => calls.map(({ id, input }) => memoryCall(input, id)));
      const api = await startScriptedChatCompletions({ [opening]: [...replies, ["Done."]] });
      const failed = new Set<string>();
      try {
        await run({
          model: openModel(api.url, failed),
          tools: { memory: memoryTool(userMemory, { images: true, uniqueCallIds }) },
          prompt: opening,
        });
        const sent = new Map(api.results.map((result) => [result.tool_call_id, result]));
        return turns.map((calls) =>
          calls.map(({ id }) => ({ isError: failed.has(id), content: contentOf(sent.get(id)) })),
        );
      } finally {
        await api.close();
      }
    },
  };
}

/** Chat completions have no mark for errors: the one that the SDK gives the provider is noted on the way. */
function openModel(baseURL: string, failed: Set<string>): LanguageModel {
  const vendor = createOpenAICompatible({ name: "vendor", baseURL, supportsMultiPartToolContent: true });
  return wrapLanguageModel({
    model: vendor("vendor-1"),
    middleware: {
      transformParams: async ({ params }) => {
        for (const { role, content } of params.prompt) {
          if (role !== "tool") continue;
          for (const part of content) {
            if (part.type === "tool-result" && part.output.type === "error-text") failed.add(part.toolCallId);
          }
        }
        return params;
      },
    },
  });
}

function contentOf(result: ChatToolResult | undefined): Answer["content"] {
  if (result === undefined) throw new Error("The model was not answered.");
  const content = result.content as string | { type: string; text?: string; image_url?: { url: string } }[];
  return typeof content === "string" ? content : content.map(blockOf);
}

function blockOf({ text = "", image_url: image }: { text?: string; image_url?: { url: string } }): Block {
  if (image === undefined) return { type: "text", text };
  const [, mediaType = "", data = ""] = /^data:([^;]+);base64,(.*)$/su.exec(image.url) ?? [];
  return { type: "image", mediaType, data };
}
