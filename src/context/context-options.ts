import type {
  BetaThinkingConfigAdaptive,
  BetaThinkingConfigEnabled,
  BetaThinkingConfigParam,
} from "@anthropic-ai/sdk/resources/beta/messages";

/** When old tool results are cleared (`clear_tool_uses_20250919`), and what stays. */
export interface ClearToolUsesOptions {
  /**
   * Clearing starts where the prompt has more than so many input tokens, or the conversation so many tool uses.
   *
   * @default { inputTokens: 35_000 }
   */
  readonly trigger?:
    | { readonly inputTokens: number; readonly toolUses?: never }
    | { readonly toolUses: number; readonly inputTokens?: never };
  /** The newest tool uses, which stay; fewer than `trigger.toolUses`. @default { toolUses: 5 } */
  readonly keep?: { readonly toolUses: number };
  /**
   * Nothing is cleared unless so much can be, because each clearing has the prompt cached anew. Less than
   * `trigger.inputTokens`; 0 is no minimum.
   *
   * @default { inputTokens: 4_000 }
   */
  readonly clearAtLeast?: { readonly inputTokens: number };
  /** Keep what the memory tool answered: its name joins `excludeTools`. @default false */
  readonly keepMemoryResults?: boolean;
  /** Names of tools whose uses are never cleared. @default [] */
  readonly excludeTools?: readonly string[];
  /** Clear what the tools were called with too: all of them, or those named. @default false */
  readonly clearToolInputs?: boolean | readonly string[];
}

/** Which thinking blocks stay (`clear_thinking_20251015`). */
export interface ClearThinkingOptions {
  /** `"all"`, so that the cached prompt stays valid; or those of the newest turns of the assistant, at least one. */
  readonly keep: "all" | { readonly thinkingTurns: number };
}

/** When the API replaces what came before by a summary (`compact_20260112`). */
export interface CompactionOptions {
  /** At least 50,000, and more than `clearToolUses.trigger`. @default { inputTokens: 150_000 } */
  readonly trigger?: { readonly inputTokens: number };
  /** Answer with the summary alone and `stop_reason` `"compaction"`; the caller goes on from there. @default false */
  readonly pauseAfterCompaction?: boolean;
  /** The prompt for the summary. @default the API's own; one given here replaces it whole */
  readonly instructions?: string;
}

type ThinkingOn = BetaThinkingConfigEnabled | BetaThinkingConfigAdaptive;

/** The API clears thinking only where it is `enabled` or `adaptive`. */
type Thinking =
  | {
      /** The `thinking` of the request: the same value. */
      readonly thinking: ThinkingOn;
      readonly clearThinking?: ClearThinkingOptions;
    }
  | {
      /** The `thinking` of the request: the same value. */
      readonly thinking?: Exclude<BetaThinkingConfigParam, ThinkingOn>;
      /** Needs `thinking` of type `enabled` or `adaptive`. */
      readonly clearThinking?: never;
    };

/** At least one edit. */
type Edits =
  | {
      /** `false` switches it off. @default true */
      readonly clearToolUses?: true | ClearToolUsesOptions;
      /** `true` is the edit with its defaults. @default false */
      readonly compaction?: boolean | CompactionOptions;
    }
  | { readonly clearToolUses: false; readonly compaction: true | CompactionOptions }
  | { readonly clearToolUses: false; readonly compaction?: false; readonly clearThinking: ClearThinkingOptions };

/** Which edits the API makes to the context, and with which numbers. */
export type ContextManagementOptions = Thinking & Edits;
