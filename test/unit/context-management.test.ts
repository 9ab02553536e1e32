import { describe, expect, it } from "vitest";
import { toolName } from "../../src/adapters/tool/answer.ts";
import { contextManagement } from "../../src/context/index.ts";
import { read } from "../package/project.ts";

const thinking = { type: "adaptive" } as const;
const clearThinking = { keep: "all" } as const;

/** Options as someone without TypeScript gives them. */
const build = contextManagement as (options?: unknown) => ReturnType<typeof contextManagement>;
const edits = (options?: unknown): unknown => build(options).context_management.edits;

const production = {
  type: "clear_tool_uses_20250919",
  trigger: { type: "input_tokens", value: 35_000 },
  keep: { type: "tool_uses", value: 5 },
  clear_at_least: { type: "input_tokens", value: 4_000 },
  clear_tool_inputs: false,
};
const compact = {
  type: "compact_20260112",
  trigger: { type: "input_tokens", value: 150_000 },
  pause_after_compaction: false,
};

describe("contextManagement", () => {
  it("clears tool results with numbers for production where nothing is said", () => {
    const wanted = { context_management: { edits: [production] }, betas: ["context-management-2025-06-27"] };
    expect(contextManagement()).toEqual(wanted);
    expect(contextManagement({})).toEqual(wanted);
    expect(contextManagement({ clearToolUses: true, compaction: false })).toEqual(wanted);
    expect(contextManagement({ thinking })).toEqual(wanted);
    expect(contextManagement({ thinking: { type: "disabled" } })).toEqual(wanted);
  });

  it("puts the clearing of thinking first and the summary last, in whatever order they are named", () => {
    const all = contextManagement({ compaction: true, clearToolUses: true, clearThinking, thinking });
    expect(all).toEqual({
      context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }, production, compact] },
      betas: ["context-management-2025-06-27", "compact-2026-01-12"],
    });
  });

  it("asks for no beta that its edits do not need", () => {
    expect(contextManagement({ clearToolUses: false, compaction: true })).toEqual({
      context_management: { edits: [compact] },
      betas: ["compact-2026-01-12"],
    });
    expect(contextManagement({ clearToolUses: false, clearThinking, thinking })).toEqual({
      context_management: { edits: [{ type: "clear_thinking_20251015", keep: "all" }] },
      betas: ["context-management-2025-06-27"],
    });
  });

  it("keeps the thinking of so many turns", () => {
    const turns = { keep: { thinkingTurns: 2 } };
    const on = { type: "enabled", budget_tokens: 2_048 } as const;
    expect(edits({ clearToolUses: false, thinking: on, clearThinking: turns })).toEqual([
      { type: "clear_thinking_20251015", keep: { type: "thinking_turns", value: 2 } },
    ]);
  });

  it("takes every number of the clearing of tool uses", () => {
    const clearToolUses = {
      trigger: { toolUses: 30 },
      keep: { toolUses: 0 },
      clearAtLeast: { inputTokens: 0 },
      excludeTools: ["search"],
      clearToolInputs: ["fetch"],
    };
    expect(edits({ clearToolUses })).toEqual([
      {
        type: "clear_tool_uses_20250919",
        trigger: { type: "tool_uses", value: 30 },
        keep: { type: "tool_uses", value: 0 },
        clear_at_least: { type: "input_tokens", value: 0 },
        exclude_tools: ["search"],
        clear_tool_inputs: ["fetch"],
      },
    ]);
    expect(edits({ clearToolUses: { clearToolInputs: true } })).toEqual([{ ...production, clear_tool_inputs: true }]);
  });

  it("keeps the results of the memory tool on demand, named once", () => {
    const kept = { ...production, exclude_tools: [toolName] };
    expect(edits({ clearToolUses: { keepMemoryResults: true } })).toEqual([kept]);
    expect(edits({ clearToolUses: { keepMemoryResults: false } })).toEqual([production]);
    expect(edits({ clearToolUses: { keepMemoryResults: true, excludeTools: ["search", "memory", "search"] } })).toEqual(
      [{ ...production, exclude_tools: ["memory", "search"] }],
    );
  });

  it("takes every option of the summary", () => {
    const compaction = {
      trigger: { inputTokens: 50_000 },
      pauseAfterCompaction: true,
      instructions: "Summarise.\nCall no tool.",
    };
    expect(edits({ clearToolUses: false, compaction })).toEqual([
      {
        type: "compact_20260112",
        trigger: { type: "input_tokens", value: 50_000 },
        pause_after_compaction: true,
        instructions: "Summarise.\nCall no tool.",
      },
    ]);
  });

  it("may be clearing by a number of tool uses beside any summary", () => {
    const trigger = { toolUses: 100 };
    expect(edits({ clearToolUses: { trigger }, compaction: { trigger: { inputTokens: 50_000 } } })).toHaveLength(2);
  });

  it("has the numbers that its pages give", () => {
    const { trigger, keep, clear_at_least } = production;
    const [page, tiers] = [read("docs/context.md"), read("docs/tiers.md")];
    expect(page).toContain(`| \`trigger\` | \`{ inputTokens: ${grouped(trigger.value, "_")} }\` |`);
    expect(page).toContain(`| \`keep\` | \`{ toolUses: ${keep.value} }\` |`);
    expect(page).toContain(`| \`clearAtLeast\` | \`{ inputTokens: ${grouped(clear_at_least.value, "_")} }\` |`);
    expect(page).toContain(`| \`trigger\` | \`{ inputTokens: ${grouped(compact.trigger.value, "_")} }\` |`);
    expect(tiers).toContain(`| trigger of clearing | ${grouped(trigger.value, ",")} input tokens |`);
    expect(tiers).toContain(`| tool uses that stay | ${keep.value} |`);
    expect(tiers).toContain(`| cleared at least | ${grouped(clear_at_least.value, ",")} input tokens |`);
    expect(tiers).toContain(`| trigger of the summary | ${grouped(compact.trigger.value, ",")} input tokens |`);
  });

  it("is plain data, frozen to its depth, and does not hang on the options", () => {
    const excludeTools = ["search"];
    const context = contextManagement({ clearToolUses: { excludeTools }, thinking, clearThinking, compaction: true });
    excludeTools.push("fetch");
    expect(JSON.stringify(context)).toContain('"exclude_tools":["search"]');
    expect(structuredClone(context)).toEqual(context);
    expect(JSON.parse(JSON.stringify(context))).toEqual(context);
    expect(thawed(context)).toEqual([]);
  });
});

describe("contextManagement refuses, and says what it expects:", () => {
  it.each<{ what: string; options: unknown; text: string }>([
    {
      what: "clearing of thinking without thinking",
      options: { clearThinking },
      text:
        'contextManagement: option thinking is undefined. Expected what the request has, "enabled" or "adaptive": ' +
        "without it there is nothing for clearThinking.",
    },
    {
      what: "clearing of thinking that is off",
      options: { thinking: { type: "disabled" }, clearThinking },
      text:
        'contextManagement: option thinking.type is "disabled". Expected what the request has, "enabled" or "adaptive": ' +
        "without it there is nothing for clearThinking.",
    },
    {
      what: "clearing of thinking between tools",
      options: { thinking: { type: "between_tools" }, clearThinking },
      text: "contextManagement: option thinking.type is",
    },
    {
      what: "nothing at all",
      options: { clearToolUses: false },
      text:
        "contextManagement: option clearToolUses is false. Expected compaction or clearThinking beside it: " +
        "else there is nothing to do.",
    },
    {
      what: "nothing but thinking",
      options: { clearToolUses: false, compaction: false, thinking },
      text: "contextManagement: option clearToolUses is false.",
    },
    {
      what: "no turn to keep",
      options: { thinking, clearThinking: { keep: { thinkingTurns: 0 } } },
      text:
        "contextManagement: option clearThinking.keep is an object. " +
        'Expected "all" or { thinkingTurns: a whole number from 1 }.',
    },
    {
      what: "what to keep left open",
      options: { thinking, clearThinking: {} },
      text: "option clearThinking.keep is undefined",
    },
    {
      what: "a trigger of nothing",
      options: { clearToolUses: { trigger: { inputTokens: 0 } } },
      text: "contextManagement.clearToolUses: option trigger.inputTokens is 0. Expected a whole number from 1.",
    },
    {
      what: "a trigger without a unit",
      options: { clearToolUses: { trigger: {} } },
      text: "contextManagement.clearToolUses: option trigger is an object. Expected one of inputTokens and toolUses in it.",
    },
    {
      what: "a trigger with both units",
      options: { clearToolUses: { trigger: { inputTokens: 9_000, toolUses: 9 } } },
      text: "option trigger is an object. Expected one of inputTokens and toolUses in it.",
    },
    {
      what: "a bare number",
      options: { clearToolUses: { trigger: 35_000 } },
      text: "contextManagement.clearToolUses: option trigger is 35000. Expected an object.",
    },
    {
      what: "as many uses kept as trigger the clearing",
      options: { clearToolUses: { trigger: { toolUses: 5 } } },
      text:
        "contextManagement.clearToolUses: option keep.toolUses is 5. Expected fewer than trigger.toolUses, 5: " +
        "else nothing is left to clear.",
    },
    {
      what: "fewer than no uses kept",
      options: { clearToolUses: { keep: { toolUses: -1 } } },
      text: "option keep.toolUses is -1. Expected a whole number from 0.",
    },
    {
      what: "half a use kept",
      options: { clearToolUses: { keep: { toolUses: 2.5 } } },
      text: "option keep.toolUses is 2.5. Expected a whole number from 0.",
    },
    {
      what: "more to clear than there is at the trigger",
      options: { clearToolUses: { clearAtLeast: { inputTokens: 35_000 } } },
      text:
        "contextManagement.clearToolUses: option clearAtLeast.inputTokens is 35000. " +
        "Expected less than trigger.inputTokens, 35000.",
    },
    {
      what: "the inputs of a tool that is kept",
      options: { clearToolUses: { keepMemoryResults: true, clearToolInputs: ["fetch", "memory"] } },
      text: 'contextManagement.clearToolUses: option clearToolInputs has "memory". Expected no tool whose uses are kept.',
    },
    {
      what: "a tool without a name",
      options: { clearToolUses: { excludeTools: [""] } },
      text: 'option excludeTools.0 is "". Expected the name of a tool.',
    },
    {
      what: "a tool instead of a list",
      options: { clearToolUses: { excludeTools: "memory" } },
      text: 'option excludeTools is "memory". Expected an array of names of tools.',
    },
    {
      what: "a summary below the least trigger",
      options: { compaction: { trigger: { inputTokens: 49_999 } } },
      text: "contextManagement.compaction: option trigger.inputTokens is 49999. Expected a whole number from 50000.",
    },
    {
      what: "a summary before anything is cleared",
      options: { clearToolUses: { trigger: { inputTokens: 150_000 } }, compaction: true },
      text:
        "contextManagement.compaction: option trigger.inputTokens is 150000. Expected more than " +
        "clearToolUses.trigger.inputTokens, 150000, or clearToolUses: false.",
    },
    {
      what: "blank instructions",
      options: { compaction: { instructions: " \n" } },
      text: 'contextManagement.compaction: option instructions is " \\n". Expected a text that is not blank.',
    },
    {
      what: "a number for an edit",
      options: { compaction: 1 },
      text: "option compaction is 1. Expected true, false or an object.",
    },
    { what: "a list for an edit", options: { clearToolUses: [] }, text: "Expected true, false or an object." },
    {
      what: "a name of the wire",
      options: { clearToolUses: { clear_at_least: 5 } },
      text:
        "contextManagement.clearToolUses: there is no option clear_at_least. Expected one of: trigger, keep, " +
        "clearAtLeast, keepMemoryResults, excludeTools, clearToolInputs.",
    },
    {
      what: "a name that there is not",
      options: { clearTools: true },
      text:
        "contextManagement: there is no option clearTools. Expected one of: thinking, clearThinking, clearToolUses, " +
        "compaction.",
    },
    { what: "no object", options: null, text: "contextManagement: the options are null. Expected an object." },
  ])("$what", ({ options, text }) => {
    expect(() => build(options)).toThrow(TypeError);
    expect(() => build(options)).toThrow(text);
  });
});

/** A number as people write it. */
function grouped(value: number, separator: string): string {
  return value.toLocaleString("en").replaceAll(",", separator);
}

/** The paths of what could still be changed. */
function thawed(value: unknown, path = "context"): readonly string[] {
  if (typeof value !== "object" || value === null) return [];
  const inside = Object.entries(value).flatMap(([name, part]) => thawed(part, `${path}.${name}`));
  return Object.isFrozen(value) ? inside : [path, ...inside];
}
