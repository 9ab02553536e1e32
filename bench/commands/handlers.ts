import { betaMemoryTool, type MemoryToolHandlers } from "@anthropic-ai/sdk/helpers/beta/memory";
import type { Side } from "./side.ts";

/** A side made of the six functions that Anthropic's SDK asks of a memory of one's own. */
export function sideOfHandlers(name: string, handlersOf: (user: string) => MemoryToolHandlers): Side {
  return {
    name,
    forUser(user) {
      const tool = betaMemoryTool(handlersOf(user));
      return { execute: async (command) => tool.run(command) };
    },
  };
}
