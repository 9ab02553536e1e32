import Anthropic from "@anthropic-ai/sdk";
import { toolResults } from "../../../../src/adapters/anthropic.ts";
import type { Driver } from "../driver.ts";
import { opening, playByMessagesApi } from "./sent-results.ts";

const request = { model: "claude-opus-5-5", max_tokens: 1024 } as const;
const tools = [{ type: "memory_20250818", name: "memory" }] as const;

type Send = (client: Anthropic, messages: Anthropic.MessageParam[]) => Promise<Anthropic.Message>;

/** A loop of one's own on `client.messages`. */
export const manualLoop = loopDriver("create", (client, messages) =>
  client.messages.create({ ...request, tools: [...tools], messages }),
);
export const manualLoopStream = loopDriver("stream", (client, messages) =>
  client.messages.stream({ ...request, tools: [...tools], messages }).finalMessage(),
);

function loopDriver(way: string, send: Send): Driver {
  return {
    name: `loop of one's own, ${way}`,
    passesIds: true,
    play(userMemory, turns) {
      return playByMessagesApi(turns, async (baseURL) => {
        const client = new Anthropic({ apiKey: "scripted", baseURL, maxRetries: 0 });
        const messages: Anthropic.MessageParam[] = [{ role: "user", content: opening }];
        for (;;) {
          const message = await send(client, messages);
          if (message.stop_reason !== "tool_use") break;
          const results = await toolResults(userMemory, message);
          messages.push({ role: "assistant", content: message.content }, { role: "user", content: results });
        }
      });
    },
  };
}
