/**
 * The tool runner with streams: text as it comes, and calls that start while the reply still streams. Runs without an
 * account; with ANTHROPIC_API_KEY and S3_MEMORY_BUCKET for real.
 */
import assert from "node:assert/strict";
import { createS3Memory } from "s3-memory-tool";
import { memoryTool } from "s3-memory-tool/anthropic";
import { play } from "../support/play.ts";
import { memoryCall, type Script } from "../support/scripted-messages-api.ts";

const path = "/memories/preferences.md";
const question = `Remember in ${path}, one a line, that I like short answers and that I speak German.`;
const script: Script = {
  [question]: [
    ["I look first.\n", memoryCall({ command: "view", path: "/memories" })],
    [
      "I note both.\n",
      memoryCall({ command: "create", path, file_text: "Dana likes short answers.\n" }),
      memoryCall({ command: "insert", path, insert_line: 1, insert_text: "Dana speaks German.\n" }),
    ],
    ["Noted."],
  ],
};

await play(script, async ({ anthropic, model, bucket, prefix, s3 }) => {
  const userMemory = createS3Memory({ bucket, prefix, client: s3 }).forUser("dana");
  const runner = anthropic.beta.messages.toolRunner({
    model,
    max_tokens: 1024,
    max_iterations: 20,
    stream: true,
    runToolsEagerly: true, // a call of a reply that is then refused or cut off has been carried out
    tools: [memoryTool(userMemory)],
    messages: [{ role: "user", content: question }],
  });
  for await (const stream of runner) {
    for await (const event of stream) {
      if (event.type === "content_block_delta" && event.delta.type === "text_delta") {
        process.stdout.write(event.delta.text);
      }
      if (event.type === "content_block_start" && event.content_block.type === "tool_use") {
        console.log(`(a call of ${event.content_block.name})`);
      }
    }
  }

  const saved = await userMemory.files.read(path);
  assert.match(saved?.text ?? "", /short[^]*German/u, "both are saved, in this order");
  console.log(`\n${path}:\n${saved?.text}`);
});
