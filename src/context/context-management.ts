import type {
  BetaClearThinking20251015Edit,
  BetaClearToolUses20250919Edit,
  BetaCompact20260112Edit,
} from "@anthropic-ai/sdk/resources/beta/messages";
import type { ContextManagementOptions } from "./context-options.ts";
import { resolveOptions, type ResolvedEdits } from "./resolve-options.ts";

/** What a request to the beta of the Messages API is given: spread it into the other parameters. Frozen. */
export interface ContextManagement {
  context_management: {
    edits: (BetaClearThinking20251015Edit | BetaClearToolUses20250919Edit | BetaCompact20260112Edit)[];
  };
  /** What these edits need. To send others too: `betas: [...context.betas, "files-api-2025-04-14"]`, after the spread. */
  betas: ("context-management-2025-06-27" | "compact-2026-01-12")[];
}

/**
 * The `context_management` and `betas` of a request, for `client.beta.messages.create`, `stream`, `toolRunner` and
 * `countTokens`. Without options: old tool results are cleared, with numbers for production. Sends nothing, depends on
 * nothing but its options; make it once. Throws a `TypeError` for options that make no sense together.
 *
 * @see https://platform.claude.com/docs/en/build-with-claude/context-editing
 * @see https://platform.claude.com/docs/en/build-with-claude/compaction-threshold
 */
export function contextManagement(options: ContextManagementOptions = {}): ContextManagement {
  const { thinkingKept, toolUses, compaction } = resolveOptions(options);
  // The API wants the clearing of thinking before every other edit.
  const edits = [
    ...(thinkingKept === undefined ? [] : [thinkingEdit(thinkingKept)]),
    ...(toolUses === undefined ? [] : [toolUsesEdit(toolUses)]),
    ...(compaction === undefined ? [] : [compactionEdit(compaction)]),
  ];
  const clears = thinkingKept !== undefined || toolUses !== undefined;
  return frozen<ContextManagement>({
    context_management: { edits },
    betas: [
      ...(clears ? (["context-management-2025-06-27"] as const) : []),
      ...(compaction === undefined ? [] : (["compact-2026-01-12"] as const)),
    ],
  });
}

type Chosen<Edit extends keyof ResolvedEdits> = NonNullable<ResolvedEdits[Edit]>;

function thinkingEdit(kept: Chosen<"thinkingKept">): BetaClearThinking20251015Edit {
  return { type: "clear_thinking_20251015", keep: kept === "all" ? kept : { type: "thinking_turns", value: kept } };
}

function toolUsesEdit(chosen: Chosen<"toolUses">): BetaClearToolUses20250919Edit {
  const { trigger, keep, clearAtLeast, excludeTools, clearToolInputs } = chosen;
  return {
    type: "clear_tool_uses_20250919",
    trigger,
    keep: { type: "tool_uses", value: keep },
    clear_at_least: { type: "input_tokens", value: clearAtLeast },
    ...(excludeTools.length > 0 && { exclude_tools: [...excludeTools] }),
    clear_tool_inputs: typeof clearToolInputs === "boolean" ? clearToolInputs : [...clearToolInputs],
  };
}

function compactionEdit(chosen: Chosen<"compaction">): BetaCompact20260112Edit {
  const { trigger, pauseAfterCompaction, instructions } = chosen;
  return {
    type: "compact_20260112",
    trigger: { type: "input_tokens", value: trigger },
    pause_after_compaction: pauseAfterCompaction,
    ...(instructions !== undefined && { instructions }),
  };
}

/** Shared by every request of a process, so that none can change those of the others. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
}
