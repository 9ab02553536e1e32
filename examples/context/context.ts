/**
 * The memory in a long conversation: old tool results are cleared, what matters is in a file. Runs without an account;
 * with ANTHROPIC_API_KEY and S3_MEMORY_BUCKET for real.
 */
import assert from "node:assert/strict";
import { createS3Memory } from "s3-memory-tool";
import { memoryTool } from "s3-memory-tool/anthropic";
import { contextManagement, memoryPrompt } from "s3-memory-tool/context";
import { play } from "../support/play.ts";
import { memoryCall, type Script } from "../support/scripted-messages-api.ts";

const file = "/memories/crm/decisions.md";
const question = `We decided that orders are numbered by day. Note it in ${file}, with the reason: support reads them aloud.`;
const note = "Orders are numbered by day: support reads the numbers aloud.\n";
const script: Script = {
  [question]: [
    [memoryCall({ command: "view", path: "/memories" })],
    [memoryCall({ command: "create", path: file, file_text: note })],
    ["Noted."],
  ],
};

const thinking = { type: "adaptive" } as const;
const context = contextManagement({
  thinking, // the same value as in the request
  clearThinking: { keep: "all" },
});

await play(script, async ({ anthropic, model, bucket, prefix, s3 }) => {
  const userMemory = createS3Memory({ bucket, prefix, client: s3 }).forUser("dana");

  const runner = anthropic.beta.messages.toolRunner({
    model,
    max_tokens: 4096,
    max_iterations: 20,
    cache_control: { type: "ephemeral" },
    system: memoryPrompt({ project: "crm", never: ["names or numbers of customers"] }),
    thinking,
    tools: [memoryTool(userMemory)],
    messages: [{ role: "user", content: question }],
    ...context,
  });
  for await (const { content, context_management: applied } of runner) {
    for (const block of content) if (block.type === "text") console.log(block.text);
    for (const edit of applied?.applied_edits ?? [])
      console.log(edit.type, edit.cleared_input_tokens, "tokens cleared");
  }

  const sent = runner.params.context_management?.edits?.map(({ type }) => type);
  assert.deepEqual(sent, ["clear_thinking_20251015", "clear_tool_uses_20250919"]);
  const saved = await userMemory.files.read(file);
  assert.match(saved?.text ?? "", /day/u, "the decision is saved");
  console.log(`${file}:`, saved?.text);
});
