/**
 * The memory beside a tool of one's own and one that runs at Anthropic, all called in one reply. Runs without an account;
 * with ANTHROPIC_API_KEY and S3_MEMORY_BUCKET for real.
 */
import assert from "node:assert/strict";
import { betaTool } from "@anthropic-ai/sdk/helpers/beta/json-schema";
import { createS3Memory } from "s3-memory-tool";
import { memoryTool } from "s3-memory-tool/anthropic";
import { play } from "../support/play.ts";
import { memoryCall, type Script } from "../support/scripted-messages-api.ts";

const path = "/memories/lima.md";
const question = `What time is it in Lima, and what is on there tonight? Search once, and keep both answers in ${path}.`;
const search = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "Lima" } } as const;
const script: Script = {
  [question]: [
    [
      memoryCall({ command: "view", path: "/memories" }),
      { name: "clock", input: { city: "Lima" } },
      search, // Anthropic runs it when it has the results of the other two
    ],
    [
      { type: "web_search_tool_result", tool_use_id: search.id, content: [] },
      memoryCall({ command: "create", path, file_text: "09:30 in Lima.\n" }),
      memoryCall({ command: "insert", path, insert_line: 1, insert_text: "Nothing is on.\n" }),
    ],
    ["It is 09:30, and nothing is on. I noted both."],
  ],
};

const clock = betaTool({
  name: "clock",
  description: "The time of day in a city",
  inputSchema: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  run: ({ city }) => `09:30 in ${city}`,
});

await play(script, async ({ anthropic, model, bucket, prefix, s3 }) => {
  const userMemory = createS3Memory({ bucket, prefix, client: s3 }).forUser("dana");
  const runner = anthropic.beta.messages.toolRunner({
    model,
    max_tokens: 1024,
    max_iterations: 20,
    tools: [memoryTool(userMemory), clock, { type: "web_search_20250305", name: "web_search", max_uses: 3 }],
    messages: [{ role: "user", content: question }],
  });
  for await (const { content } of runner) {
    // The runner starts the calls of one reply together; the memory puts those on one file in their order.
    for (const block of content) {
      if (block.type === "text") console.log(block.text);
      if (block.type === "tool_use") console.log(`(a call of ${block.name})`);
      if (block.type === "server_tool_use") console.log(`(a call of ${block.name}, at Anthropic)`);
    }
  }

  const saved = await userMemory.files.read(path);
  assert.match(saved?.text ?? "", /9:30/u, "the time is saved");
  console.log(`${path}:\n${saved?.text}`);
});
