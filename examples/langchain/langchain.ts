/**
 * The memory in agents of LangChain: Claude with the native tool, then another agent on the same memory with the tool
 * that every other model gets. Runs without an account; with ANTHROPIC_API_KEY and S3_MEMORY_BUCKET for real.
 */
import assert from "node:assert/strict";
import { ChatAnthropic } from "@langchain/anthropic";
import { createAgent, createMiddleware } from "langchain";
import { createS3Memory } from "s3-memory-tool";
import { anthropicMemoryTool, markToolErrors, memoryTool } from "s3-memory-tool/langchain";
import { play } from "../support/play.ts";
import { memoryCall, type Script } from "../support/scripted-messages-api.ts";

const path = "/memories/preferences.md";
const request = `Remember in ${path} that I like short answers. Correct the file if it says otherwise.`;
const question = "How do I like your answers? Look it up in your memory.";
const script: Script = {
  [request]: [
    [memoryCall({ command: "view", path: "/memories" }), memoryCall({ command: "view", path })],
    ([, missing]) => {
      assert.equal(missing?.is_error, true, "Claude is told which result is an error");
      return [memoryCall({ command: "create", path, file_text: "Dana likes short answers.\n" })];
    },
    ["Noted."],
  ],
  [question]: [[memoryCall({ command: "view", path })], ["You like them short."]],
};

await play(script, async ({ environment, model: name, bucket, prefix, s3 }) => {
  const { ANTHROPIC_API_KEY: apiKey = "", ANTHROPIC_BASE_URL: anthropicApiUrl } = environment;
  const model = new ChatAnthropic({ model: name, apiKey, ...(anthropicApiUrl !== undefined && { anthropicApiUrl }) });
  const memory = createS3Memory({ bucket, prefix, client: s3 }); // once per process
  const userMemory = memory.forUser("dana"); // one per conversation

  const claude = createAgent({
    model,
    tools: [anthropicMemoryTool(userMemory)],
    middleware: [
      createMiddleware({
        name: "errorMarks",
        wrapModelCall: (call, handler) => handler({ ...call, messages: markToolErrors(call.messages) }),
      }),
    ],
  });
  const noted = await claude.invoke({ messages: [{ role: "user", content: request }] }, { recursionLimit: 40 });
  console.log(noted.messages.at(-1)?.text);
  const saved = await userMemory.files.read(path);
  assert.match(saved?.text ?? "", /short/u, "the preference is saved");
  console.log(`${path}:`, saved?.text);

  // A model of any vendor goes here; this one is Claude again, which now sees an ordinary tool.
  const other = createAgent({ model, tools: [memoryTool(memory.forUser("dana"))] });
  const told = await other.invoke({ messages: [{ role: "user", content: question }] }, { recursionLimit: 40 });
  console.log(told.messages.at(-1)?.text);
  assert.match(told.messages.at(-1)?.text ?? "", /short/iu, "the other agent knows the preference");
});
