/**
 * The quick start: the memory in the tool runner of `@anthropic-ai/sdk`. Runs without an account; with
 * ANTHROPIC_API_KEY and S3_MEMORY_BUCKET for real.
 */
import assert from "node:assert/strict";
import { createS3Memory } from "s3-memory-tool";
import { memoryTool } from "s3-memory-tool/anthropic";
import { play } from "../support/play.ts";
import { memoryCall, type Script } from "../support/scripted-messages-api.ts";

const question = "Remember in /memories/preferences.md that I like short answers.";
const script: Script = {
  [question]: [
    [memoryCall({ command: "view", path: "/memories" })],
    [memoryCall({ command: "create", path: "/memories/preferences.md", file_text: "Dana likes short answers.\n" })],
    ["Noted."],
  ],
};

await play(script, async ({ anthropic, model, bucket, prefix, s3 }) => {
  const memory = createS3Memory({ bucket, prefix, client: s3 }); // once per process
  const userMemory = memory.forUser("dana"); // one per conversation

  const message = await anthropic.beta.messages.toolRunner({
    model,
    max_tokens: 1024,
    max_iterations: 20,
    tools: [memoryTool(userMemory, { cache_control: { type: "ephemeral" } })],
    messages: [{ role: "user", content: question }],
  });
  for (const block of message.content) if (block.type === "text") console.log(block.text);

  const saved = await userMemory.files.read("/memories/preferences.md");
  assert.match(saved?.text ?? "", /short/u, "the preference is saved");
  console.log("/memories/preferences.md:", saved?.text);
});
