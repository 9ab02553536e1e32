import { AnthropicBedrock, AnthropicBedrockMantle } from "@anthropic-ai/bedrock-sdk";
import { AnthropicVertex, type ClientOptions } from "@anthropic-ai/vertex-sdk";
import { describe, expect, it } from "vitest";
import { startScriptedClouds } from "../../examples/clouds/scripted-clouds.ts";
import { memoryCall, resultText } from "../../examples/support/scripted-messages-api.ts";
import { memoryTool } from "../../src/adapters/anthropic.ts";
import { createMemory } from "../../src/index.ts";
import { inMemoryStore } from "../../src/stores/in-memory-store.ts";

const keys = { awsRegion: "eu-central-1", awsAccessKey: "test", apiKey: null, maxRetries: 0 };
const tokenHeaders = async (): Promise<Headers> => new Headers({ authorization: "Bearer test" });
const authClient = { getRequestHeaders: tokenHeaders } as unknown as NonNullable<ClientOptions["authClient"]>;

const clouds = [
  {
    cloud: "Bedrock (InvokeModel)",
    clientOf: (baseURL: string) => new AnthropicBedrock({ ...keys, baseURL, awsSecretKey: "test" }),
    paths: { whole: "/model/claude/invoke", stream: "/model/claude/invoke-with-response-stream" },
  },
  {
    cloud: "Bedrock (Messages API)",
    clientOf: (baseURL: string) => new AnthropicBedrockMantle({ ...keys, baseURL, awsSecretAccessKey: "test" }),
    paths: { whole: "/v1/messages", stream: "/v1/messages" },
  },
  {
    cloud: "Vertex",
    clientOf: (baseURL: string) =>
      new AnthropicVertex({ baseURL, region: "global", projectId: "p", authClient, maxRetries: 0 }),
    paths: {
      whole: "/projects/p/locations/global/publishers/anthropic/models/claude:rawPredict",
      stream: "/projects/p/locations/global/publishers/anthropic/models/claude:streamRawPredict",
    },
  },
] as const;

describe.each(clouds)("the tool runner of the client of $cloud", ({ clientOf, paths }) => {
  it.each(["whole", "stream"] as const)("gives Claude the exact texts and marks, by %s replies", async (way) => {
    const script = {
      Hello: [
        [memoryCall({ command: "view", path: "/memories/none.md" }, "toolu_1")],
        [memoryCall({ command: "create", path: "/memories/grüße.md", file_text: "Grüße 👋\n" }, "toolu_2")],
        [memoryCall({ command: "view", path: "/memories/grüße.md" }, "toolu_3")],
        ["Done."],
      ],
    };
    const server = await startScriptedClouds(script);
    const memory = createMemory({ store: inMemoryStore() }).forUser("dana");
    const runner = clientOf(server.url).beta.messages.toolRunner({
      model: "claude",
      max_tokens: 1024,
      stream: way === "stream",
      tools: [memoryTool(memory)],
      messages: [{ role: "user", content: "Hello" }],
    });
    await runner.runUntilDone();
    await server.close();

    expect(server.claude.results.map((result) => [resultText(result), result.is_error ?? false])).toEqual([
      ["The path /memories/none.md does not exist. Please provide a valid path.", true],
      ["File created successfully at: /memories/grüße.md", false],
      ["Here's the content of /memories/grüße.md with line numbers:\n     1\tGrüße 👋", false],
    ]);
    expect(new Set(server.paths)).toEqual(new Set([`POST ${paths[way]}`]));
    // There are no message threads: the whole history goes out each time.
    expect(server.claude.requests.map(({ messages }) => messages.length)).toEqual([1, 3, 5, 7]);
  });
});
