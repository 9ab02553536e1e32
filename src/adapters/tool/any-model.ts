import { boolean, optional } from "zod/mini";
import { checkOptions, optionsObject } from "../../core/check-options.ts";
import type { ImageBlock, MemoryResult } from "../../core/result.ts";
import { blocksOf } from "./answer.ts";

/** What has to be known of a model, and of its provider, that is not Claude. */
export interface MemoryToolOptions {
  /**
   * Whether an image goes to the model as an image. For providers that take images in the results of tools: others fail,
   * or send its bytes as text. Without it the model reads that the file is an image.
   *
   * @default false
   */
  readonly images?: boolean;
  /**
   * Whether the provider never gives two calls the same id. A call that is delivered again then does nothing twice. Some
   * providers count calls anew in each reply (`memory:0`): with those an edit would be taken for an earlier one and left out.
   *
   * @default false
   */
  readonly uniqueCallIds?: boolean;
}

const toggle = optional(boolean({ error: "true or false" }));
const schema = optionsObject({ images: toggle, uniqueCallIds: toggle });

/** Throws a `TypeError` that names the option, the value and what is expected. */
export function resolveToolOptions(options: MemoryToolOptions): Required<MemoryToolOptions> {
  const { images = false, uniqueCallIds = false } = checkOptions("memoryTool", schema, options);
  return { images, uniqueCallIds };
}

/** What Claude's own integrations can: the Messages API takes images, and gives every call an id of its own. */
export const claude: Required<MemoryToolOptions> = { images: true, uniqueCallIds: true };

/** The content for a model that is shown no images. */
export function textOf(content: MemoryResult["content"]): string {
  return blocksOf(content)
    .map((block) => (block.type === "text" ? block.text : notShown(block)))
    .join("\n");
}

function notShown({ source }: ImageBlock): string {
  return `This file is an image (${source.media_type}), and images cannot be shown here.`;
}
