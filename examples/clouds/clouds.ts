/**
 * One memory, Claude on three clouds' addresses: what Claude learns on Bedrock it knows on Vertex. The clouds are played by
 * a server inside this process, the requests are those of the clouds' own clients. With S3_MEMORY_BUCKET the memory is on
 * that bucket.
 */
import assert from "node:assert/strict";
import type Anthropic from "@anthropic-ai/sdk";
import { AnthropicBedrock, AnthropicBedrockMantle } from "@anthropic-ai/bedrock-sdk";
import { AnthropicVertex, type ClientOptions } from "@anthropic-ai/vertex-sdk";
import { createS3Memory, type UserMemory } from "s3-memory-tool";
import { memoryTool, toolResults } from "s3-memory-tool/anthropic";
import { playOnBucket } from "../support/play.ts";
import { memoryCall, resultText, type Script } from "../support/scripted-messages-api.ts";
import { startScriptedClouds } from "./scripted-clouds.ts";

const path = "/memories/deploy.md";
const prompts = { learn: "We deploy on Tuesdays.", correct: "On Wednesdays, sorry.", recall: "When do we deploy?" };
const script: Script = {
  [prompts.learn]: [[memoryCall({ command: "create", path, file_text: "deploy day: Tuesday\n" })], ["Noted."]],
  [prompts.correct]: [
    [memoryCall({ command: "str_replace", path, old_str: "Tuesday", new_str: "Wednesday" })],
    ["Corrected."],
  ],
  [prompts.recall]: [
    [memoryCall({ command: "view", path })],
    ([seen]) => [`On ${/(\w+day)$/mu.exec(seen ? resultText(seen) : "")?.[1]}s.`],
  ],
};

/** Stands for a client of google-auth-library, which would ask Google for a token. */
const authClient = { getRequestHeaders: tokenHeaders } as unknown as NonNullable<ClientOptions["authClient"]>;

await playOnBucket(async ({ bucket, prefix, s3 }) => {
  const clouds = await startScriptedClouds(script);
  const userMemory = createS3Memory({ bucket, prefix, client: s3 }).forUser("dana");
  const { url: baseURL } = clouds;
  const keys = { awsRegion: "eu-central-1", awsAccessKey: "embedded", apiKey: null };
  try {
    const bedrock = new AnthropicBedrock({ ...keys, baseURL, awsSecretKey: "embedded" });
    console.log(
      "Bedrock, InvokeModel:",
      await run(bedrock, "global.anthropic.claude-sonnet-5-5", userMemory, prompts.learn),
    );

    const mantle = new AnthropicBedrockMantle({ ...keys, baseURL, awsSecretAccessKey: "embedded" });
    console.log(
      "Bedrock, Messages API:",
      await run(mantle, "anthropic.claude-sonnet-5-5", userMemory, prompts.correct),
    );

    const vertex = new AnthropicVertex({ baseURL, region: "global", projectId: "embedded", authClient });
    const recalled = await loop(vertex, "claude-sonnet-5-5", userMemory, prompts.recall);
    console.log("Vertex:", recalled);

    assert.equal(recalled, "On Wednesdays.");
    for (const line of new Set(clouds.paths)) console.log(" ", line);
  } finally {
    await clouds.close();
  }
});

/** The tool runner, streamed: on Bedrock's InvokeModel that is another framing. */
async function run(
  client: AnthropicBedrock | AnthropicBedrockMantle,
  model: string,
  userMemory: UserMemory,
  content: string,
): Promise<string> {
  const message = await client.beta.messages
    .toolRunner({
      model,
      max_tokens: 1024,
      max_iterations: 20,
      stream: true,
      tools: [memoryTool(userMemory)],
      messages: [{ role: "user", content }],
    })
    .runUntilDone();
  return message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
}

/** A loop of one's own. */
async function loop(client: AnthropicVertex, model: string, userMemory: UserMemory, content: string): Promise<string> {
  const messages: Anthropic.MessageParam[] = [{ role: "user", content }];
  for (let reply = 1; reply <= 20; reply++) {
    const message = await client.messages.create({
      model,
      max_tokens: 1024,
      tools: [{ type: "memory_20250818", name: "memory" }],
      messages,
    });
    if (message.stop_reason !== "tool_use") {
      return message.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
    }
    const results = await toolResults(userMemory, message);
    messages.push({ role: "assistant", content: message.content }, { role: "user", content: results });
  }
  throw new Error("Claude was not done after 20 replies.");
}

async function tokenHeaders(): Promise<Headers> {
  return new Headers({ authorization: "Bearer embedded" });
}
