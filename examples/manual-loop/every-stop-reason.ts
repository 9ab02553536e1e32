/**
 * A loop of one's own that streams, and knows what to do with every `stop_reason`: several tools in one reply, a paused
 * turn, a reply that is cut off in the middle of a call, a refusal. Runs without an account; with ANTHROPIC_API_KEY and
 * S3_MEMORY_BUCKET for real, where Claude need not refuse anything.
 */
import assert from "node:assert/strict";
import type Anthropic from "@anthropic-ai/sdk";
import { createS3Memory, type UserMemory } from "s3-memory-tool";
import { toolResults } from "s3-memory-tool/anthropic";
import { play } from "../support/play.ts";
import type { Clients } from "../support/surroundings.ts";
import { prompts, script, path } from "./stop-reason-script.ts";

const tools: Anthropic.ToolUnion[] = [
  { type: "memory_20250818", name: "memory" },
  { type: "web_search_20250305", name: "web_search", max_uses: 3 },
  { name: "clock", description: "The time of day in Lima", input_schema: { type: "object" } },
];

await play(script, async (clients) => {
  const { bucket, prefix, s3, fakeS3 } = clients;
  const userMemory = createS3Memory({ bucket, prefix, client: s3 }).forUser("dana");
  const reasons: string[] = [];
  for (const prompt of Object.values(prompts)) {
    console.log(`> ${prompt}`);
    reasons.push(...(await converse(clients, userMemory, [{ role: "user", content: prompt }])));
    console.log();
  }
  if (fakeS3) {
    const expected = ["end_turn", "max_tokens", "pause_turn", "refusal", "tool_use"];
    assert.deepEqual([...new Set(reasons)].sort(), expected, "each of them came up");
  }
  const saved = await userMemory.files.read(path);
  assert.match(saved?.text ?? "", /9:30[^]*port: 9443/u, "both are saved, and the port was not deleted");
  console.log(`${path}:\n${saved?.text}`);
});

/** Answers the reason of each reply. `messages` then hold the conversation, without what cannot be gone on from. */
async function converse(
  { anthropic, model }: Clients,
  userMemory: UserMemory,
  messages: Anthropic.MessageParam[],
): Promise<readonly string[]> {
  const reasons: string[] = [];
  let room = 256;
  // A bound, so that a model that never ends costs no more than this.
  for (let reply = 1; reply <= 20; reply++) {
    const stream = anthropic.messages.stream({ model, max_tokens: room, tools, messages });
    stream.on("text", (text) => process.stdout.write(text));
    const message = await stream.finalMessage();
    const { stop_reason: reason, content } = message;
    console.log(` (${reason})`);
    reasons.push(String(reason));
    switch (reason) {
      case "tool_use": {
        const results = [...(await toolResults(userMemory, message)), ...clockResults(message)];
        messages.push({ role: "assistant", content }, { role: "user", content: results });
        break;
      }
      case "pause_turn":
        messages.push({ role: "assistant", content }); // as it is, and nothing with it
        break;
      case "max_tokens":
        // Its last call may lack its last field, and then asks for something else. Without the reply, and with more room:
        room *= 8;
        break;
      case "refusal":
        messages.pop(); // what it refused must not be sent again
        return reasons;
      case "end_turn":
      case "stop_sequence":
        messages.push({ role: "assistant", content });
        return reasons;
      case "model_context_window_exceeded":
      case null:
        return reasons; // cut off, and more room does not help
      default:
        reason satisfies never;
    }
  }
  return reasons;
}

function clockResults({ content }: Anthropic.Message): Anthropic.ToolResultBlockParam[] {
  const calls = content.filter((block) => block.type === "tool_use").filter(({ name }) => name === "clock");
  return calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "09:30" }));
}
