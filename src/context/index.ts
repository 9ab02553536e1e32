export { contextManagement } from "./context-management.ts";
export type { ContextManagement } from "./context-management.ts";
export type {
  ClearThinkingOptions,
  ClearToolUsesOptions,
  CompactionOptions,
  ContextManagementOptions,
} from "./context-options.ts";
export { memoryPrompt } from "./memory-prompt.ts";
export type { MemoryPromptOptions } from "./memory-prompt.ts";
