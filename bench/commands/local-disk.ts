import { BetaLocalFilesystemMemoryTool } from "@anthropic-ai/sdk/tools/memory/node";
import { betaMemoryTool } from "@anthropic-ai/sdk/helpers/beta/memory";
import type { Side } from "./side.ts";

/** The tool that comes with Anthropic's SDK, on a folder of this machine: another medium, and nothing that two machines share. */
export function localDisk(folderOf: (user: string) => string): Side {
  return {
    name: "the SDK's tool on disk",
    forUser(user) {
      const tool = betaMemoryTool(new BetaLocalFilesystemMemoryTool(folderOf(user)));
      return { execute: async (command) => tool.run(command) };
    },
  };
}
