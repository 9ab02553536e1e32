import Anthropic from "@anthropic-ai/sdk";
import { memoryTool } from "../../../../src/adapters/anthropic.ts";
import type { Driver } from "../driver.ts";
import { opening, playByMessagesApi } from "./sent-results.ts";

/** The SDK's tool runner, as it runs by default: over a message thread. */
export const toolRunner = runnerDriver("whole replies", {});
export const toolRunnerStream = runnerDriver("stream", { stream: true });
/** Calls start while the reply still streams. */
export const toolRunnerEager = runnerDriver("eager stream", { stream: true, runToolsEagerly: true });
/** As on clouds that hold no threads: the whole history goes out with every request. */
export const toolRunnerWithoutThread = runnerDriver("without a thread", { thread: false });

interface Settings {
  readonly stream?: boolean;
  readonly runToolsEagerly?: boolean;
  readonly thread?: false;
}

function runnerDriver(way: string, settings: Settings): Driver {
  return {
    name: `tool runner, ${way}`,
    passesIds: true,
    play(userMemory, turns) {
      return playByMessagesApi(turns, async (baseURL) => {
        const runner = new Anthropic({ apiKey: "scripted", baseURL, maxRetries: 0 }).beta.messages.toolRunner({
          ...settings,
          model: "claude-opus-5-5",
          max_tokens: 1024,
          tools: [memoryTool(userMemory)],
          messages: [{ role: "user", content: opening }],
        });
        await runner.runUntilDone();
      });
    },
  };
}
