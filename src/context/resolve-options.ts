import * as z from "zod/mini";
import { checkOptions, optionsObject, wholeNumber } from "../core/check-options.ts";
import type { ContextManagementOptions } from "./context-options.ts";

/** The edits that were chosen, with every default filled in. */
export interface ResolvedEdits {
  readonly thinkingKept: "all" | number | undefined;
  readonly toolUses: ResolvedToolUses | undefined;
  readonly compaction: ResolvedCompaction | undefined;
}

interface ResolvedToolUses {
  readonly trigger: { readonly type: "input_tokens" | "tool_uses"; readonly value: number };
  readonly keep: number;
  readonly clearAtLeast: number;
  readonly excludeTools: readonly string[];
  readonly clearToolInputs: boolean | readonly string[];
}

interface ResolvedCompaction {
  readonly trigger: number;
  readonly pauseAfterCompaction: boolean;
  readonly instructions: string | undefined;
}

const where = "contextManagement";

/** As the memory tool is named in every request. */
const memoryTool = "memory";

/** What the API's documentation gives as the least trigger of a compaction. */
const leastCompactionTrigger = 50_000;

const atLeast = (least: number) => wholeNumber(`a whole number from ${least}`, least);

const flag = z.boolean({ error: "true or false" });
const toolNames = z.array(
  z.custom<string>((value) => typeof value === "string" && value !== "", { error: "the name of a tool" }),
  { error: "an array of names of tools" },
);
const choice = z.custom<boolean | object>(
  (value) => typeof value === "boolean" || (typeof value === "object" && value !== null && !Array.isArray(value)),
  { error: "true, false or an object" },
);

const schema = optionsObject({
  thinking: z.optional(
    z.looseObject(
      { type: z.string({ error: "the type of the request's thinking" }) },
      { error: "the request's thinking" },
    ),
  ),
  clearThinking: z.optional(
    optionsObject({
      keep: z.union([z.literal("all"), z.strictObject({ thinkingTurns: atLeast(1) })], {
        error: '"all" or { thinkingTurns: a whole number from 1 }',
      }),
    }),
  ),
  clearToolUses: z.optional(choice),
  compaction: z.optional(choice),
});

const toolUsesSchema = optionsObject({
  trigger: z.optional(optionsObject({ inputTokens: z.optional(atLeast(1)), toolUses: z.optional(atLeast(1)) })),
  keep: z.optional(optionsObject({ toolUses: atLeast(0) })),
  clearAtLeast: z.optional(optionsObject({ inputTokens: atLeast(0) })),
  keepMemoryResults: z.optional(flag),
  excludeTools: z.optional(toolNames),
  clearToolInputs: z.optional(z.union([flag, toolNames], { error: "true, false or an array of names of tools" })),
});

const compactionSchema = optionsObject({
  trigger: z.optional(optionsObject({ inputTokens: atLeast(leastCompactionTrigger) })),
  pauseAfterCompaction: z.optional(flag),
  instructions: z.optional(
    z.custom<string>((value) => typeof value === "string" && value.trim() !== "", {
      error: "a text that is not blank",
    }),
  ),
});

/** Throws a `TypeError` that names the option, its value and what is expected. */
export function resolveOptions(options: ContextManagementOptions): ResolvedEdits {
  const { thinking, clearThinking, clearToolUses = true, compaction = false } = checkOptions(where, schema, options);
  if (clearThinking !== undefined && thinking?.type !== "enabled" && thinking?.type !== "adaptive") {
    const given =
      thinking === undefined ? "thinking is undefined" : `thinking.type is ${JSON.stringify(thinking.type)}`;
    refuse(
      where,
      given,
      'what the request has, "enabled" or "adaptive": without it there is nothing for clearThinking',
    );
  }
  if (clearToolUses === false && compaction === false && clearThinking === undefined) {
    refuse(where, "clearToolUses is false", "compaction or clearThinking beside it: else there is nothing to do");
  }
  const keep = clearThinking?.keep;
  const edits: ResolvedEdits = {
    thinkingKept: typeof keep === "object" ? keep.thinkingTurns : keep,
    toolUses: clearToolUses === false ? undefined : resolveToolUses(clearToolUses === true ? {} : clearToolUses),
    compaction: compaction === false ? undefined : resolveCompaction(compaction === true ? {} : compaction),
  };
  assertClearedFirst(edits);
  return edits;
}

function resolveToolUses(options: object): ResolvedToolUses {
  const name = `${where}.clearToolUses`;
  const checked = checkOptions(name, toolUsesSchema, options);
  const { clearToolInputs = false, keepMemoryResults = false } = checked;
  const excludeTools = [...new Set([...(keepMemoryResults ? [memoryTool] : []), ...(checked.excludeTools ?? [])])];
  const trigger = triggerOf(name, checked.trigger ?? { inputTokens: 35_000 });
  const keep = checked.keep?.toolUses ?? 5;
  const clearAtLeast = checked.clearAtLeast?.inputTokens ?? 4_000;
  if (trigger.type === "tool_uses" && keep >= trigger.value) {
    refuse(
      name,
      `keep.toolUses is ${keep}`,
      `fewer than trigger.toolUses, ${trigger.value}: else nothing is left to clear`,
    );
  }
  if (trigger.type === "input_tokens" && clearAtLeast >= trigger.value) {
    refuse(name, `clearAtLeast.inputTokens is ${clearAtLeast}`, `less than trigger.inputTokens, ${trigger.value}`);
  }
  const kept = Array.isArray(clearToolInputs) ? clearToolInputs.find((tool) => excludeTools.includes(tool)) : undefined;
  if (kept !== undefined) {
    refuse(name, `clearToolInputs has ${JSON.stringify(kept)}`, "no tool whose uses are kept");
  }
  return { trigger, keep, clearAtLeast, excludeTools, clearToolInputs };
}

function triggerOf(name: string, given: { inputTokens?: number | undefined; toolUses?: number | undefined }) {
  const { inputTokens, toolUses } = given;
  if (inputTokens !== undefined && toolUses === undefined) return { type: "input_tokens", value: inputTokens } as const;
  if (toolUses !== undefined && inputTokens === undefined) return { type: "tool_uses", value: toolUses } as const;
  return refuse(name, "trigger is an object", "one of inputTokens and toolUses in it");
}

function resolveCompaction(options: object): ResolvedCompaction {
  const checked = checkOptions(`${where}.compaction`, compactionSchema, options);
  return {
    trigger: checked.trigger?.inputTokens ?? 150_000,
    pauseAfterCompaction: checked.pauseAfterCompaction ?? false,
    instructions: checked.instructions,
  };
}

/** A conversation that is summarised before clearing begins never comes to be cleared. */
function assertClearedFirst({ toolUses, compaction }: ResolvedEdits): void {
  if (toolUses?.trigger.type !== "input_tokens" || compaction === undefined) return;
  const { value } = toolUses.trigger;
  if (compaction.trigger > value) return;
  const expected = `more than clearToolUses.trigger.inputTokens, ${value}, or clearToolUses: false`;
  refuse(`${where}.compaction`, `trigger.inputTokens is ${compaction.trigger}`, expected);
}

function refuse(name: string, given: string, expected: string): never {
  throw new TypeError(`${name}: option ${given}. Expected ${expected}.`);
}
