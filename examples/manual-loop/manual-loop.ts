/**
 * A loop of one's own on the Messages API, with another tool beside the memory. Runs without an account;
 * with ANTHROPIC_API_KEY and S3_MEMORY_BUCKET for real.
 */
import assert from "node:assert/strict";
import type Anthropic from "@anthropic-ai/sdk";
import { createS3Memory } from "s3-memory-tool";
import { toolResults } from "s3-memory-tool/anthropic";
import { play } from "../support/play.ts";
import { memoryCall, type Script } from "../support/scripted-messages-api.ts";

const question = "What time is it in Lima? Keep the answer in /memories/lima.md.";
const script: Script = {
  [question]: [
    [memoryCall({ command: "view", path: "/memories" }), { name: "clock", input: { city: "Lima" } }],
    [memoryCall({ command: "create", path: "/memories/lima.md", file_text: "It was 09:30 in Lima.\n" })],
    ["It is 09:30 in Lima; I noted it."],
  ],
};

const tools: Anthropic.ToolUnion[] = [
  { type: "memory_20250818", name: "memory" },
  {
    name: "clock",
    description: "The time of day in a city",
    input_schema: { type: "object", properties: { city: { type: "string" } } },
  },
];

await play(script, async ({ anthropic, model, bucket, prefix, s3 }) => {
  const userMemory = createS3Memory({ bucket, prefix, client: s3 }).forUser("dana");
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: question }];

  // A bound, so that a model that never ends costs no more than this.
  for (let reply = 1; reply <= 20; reply++) {
    const message = await anthropic.messages.create({ model, max_tokens: 1024, tools, messages });
    messages.push({ role: "assistant", content: message.content });
    for (const block of message.content) if (block.type === "text") console.log(block.text);
    if (message.stop_reason !== "tool_use") break;
    const results = [...(await toolResults(userMemory, message)), ...clockResults(message)];
    messages.push({ role: "user", content: results });
  }

  const saved = await userMemory.files.read("/memories/lima.md");
  assert.match(saved?.text ?? "", /9:30/u, "the answer is saved");
  console.log("/memories/lima.md:", saved?.text);
});

function clockResults({ content }: Anthropic.Message): Anthropic.ToolResultBlockParam[] {
  const calls = content.filter((block) => block.type === "tool_use").filter(({ name }) => name === "clock");
  return calls.map(({ id }) => ({ type: "tool_result", tool_use_id: id, content: "09:30" }));
}
