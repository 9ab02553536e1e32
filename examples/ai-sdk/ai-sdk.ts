/**
 * The memory in the loop of Vercel's AI SDK: Claude's own tool writes a file, a plain tool lets another vendor's model read
 * it and add a line. Runs without an account; with ANTHROPIC_API_KEY and S3_MEMORY_BUCKET for real, with Claude in both parts.
 */
import assert from "node:assert/strict";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isStepCount, streamText, type LanguageModel } from "ai";
import { createS3Memory } from "s3-memory-tool";
import { anthropicMemoryTool, memoryTool } from "s3-memory-tool/ai-sdk";
import { play } from "../support/play.ts";
import { startScriptedChatCompletions, type ChatScript } from "../support/scripted-chat-completions.ts";
import { memoryCall } from "../support/scripted-reply.ts";

const path = "/memories/preferences.md";
const telling = `Remember in ${path} that I like short answers.`;
const asking = `How do I like answers? Look into ${path}, and note there, on a line of its own, that I asked.`;
const script: ChatScript = {
  [telling]: [
    [memoryCall({ command: "view", path: "/memories" })],
    [memoryCall({ command: "create", path, file_text: "Dana likes short answers.\n" })],
    ["Noted."],
  ],
};
const vendorScript: ChatScript = {
  [asking]: [
    [memoryCall({ command: "view", path })],
    [memoryCall({ command: "insert", path, insert_line: 1, insert_text: "Dana asked for this.\n" })],
    ["Short."],
  ],
};

await play(script, async ({ fakeS3, anthropic: { apiKey, baseURL }, model, bucket, prefix, s3 }) => {
  const memory = createS3Memory({ bucket, prefix, client: s3 }); // once per process
  const anthropic = createAnthropic({ apiKey: apiKey ?? "", baseURL: `${baseURL}/v1` });

  // Claude, with its own memory tool.
  const { text } = await generateText({
    model: anthropic(model),
    tools: { memory: anthropicMemoryTool(anthropic, memory.forUser("dana")) },
    stopWhen: isStepCount(20),
    prompt: telling,
  });
  console.log(text);

  // Any model, streamed.
  const vendor = fakeS3 && (await startScriptedChatCompletions(vendorScript));
  const other: LanguageModel = vendor
    ? createOpenAICompatible({ name: "vendor", baseURL: vendor.url })("vendor-1")
    : anthropic(model);
  const result = streamText({
    model: other,
    tools: { memory: memoryTool(memory.forUser("dana")) },
    stopWhen: isStepCount(20),
    prompt: asking,
  });
  for await (const delta of result.textStream) process.stdout.write(delta);
  console.log();
  await vendor?.close();

  const saved = await memory.forUser("dana").files.read(path);
  assert.match(saved?.text ?? "", /short/u, "the preference is saved");
  assert.match(saved?.text ?? "", /\n.*asked/iu, "the other model's line is there too");
  console.log(`${path}:`, saved?.text);
});
