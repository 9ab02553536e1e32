import type Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { memoryCall, type Reply, type ServerBlock } from "../../examples/support/scripted-messages-api.ts";
import { memoryTool, toolResults } from "../../src/adapters/anthropic.ts";
import { createMemory, type UserMemory } from "../../src/index.ts";
import { inMemoryStore } from "../../src/stores/in-memory-store.ts";
import { withScriptedApi, type Conversation, type Settings } from "./conversation.ts";

const path = "/memories/notes.md";
const memoryOf = (): UserMemory => createMemory({ store: inMemoryStore() }).forUser("dana");
const create = memoryCall({ command: "create", path, file_text: "port: 8443\n" });
/** Without its last field it says something else: delete the port. */
const replace = memoryCall({ command: "str_replace", path, old_str: "8443", new_str: "9443" });
const cut = { ...replace, cutAfter: JSON.stringify(replace.input).length - 3 };
const search: ServerBlock = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "Lima" } };
const found: ServerBlock = { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [] };

const ways = [
  { how: "as a whole", settings: {} },
  { how: "as a stream", settings: { stream: true } },
  { how: "as a stream whose calls start early", settings: { stream: true, runToolsEagerly: true } },
  { how: "without a message thread", settings: { thread: false } },
] as const;

interface Run extends Conversation {
  readonly stopReason: string | null;
}

async function run(memory: UserMemory, replies: readonly Reply[], settings: Settings): Promise<Run> {
  let stopReason: string | null = null;
  const conversation = await withScriptedApi(replies, async (client, start) => {
    const runner = client.beta.messages.toolRunner({ ...start, ...settings, tools: [memoryTool(memory)] });
    stopReason = (await runner.runUntilDone()).stop_reason;
  });
  return { ...conversation, stopReason };
}

describe.each(ways)("the tool runner, where the reply comes $how,", ({ settings }) => {
  it("is given a call that was cut off as one that asks for something else", async () => {
    const { content } = await messageOf([cut, { stop: "max_tokens" }], settings);
    expect(content.map((block) => block.type === "tool_use" && block.input)).toEqual([
      { command: "str_replace", path, old_str: "8443" },
    ]);
  });

  it.each(["max_tokens", "refusal", "model_context_window_exceeded"] as const)(
    "carries out no call that was cut off by %s",
    async (stop) => {
      const memory = memoryOf();
      await memory.files.write(path, "port: 8443\n", { ifAbsent: true });
      const { stopReason, results } = await run(memory, [[cut, { stop }]], settings);
      expect({ stopReason, results }).toEqual({ stopReason: stop, results: [] });
      expect((await memory.files.read(path))?.text).toBe("port: 8443\n");
    },
  );

  it("goes on with a turn that was paused, and carries out what comes then", async () => {
    const memory = memoryOf();
    const { texts, requests, stopReason } = await run(
      memory,
      [["I look it up.", search, { stop: "pause_turn" }], [found, create], ["Done."]],
      settings,
    );
    expect(texts).toEqual([`File created successfully at: ${path}`]);
    expect(requests).toHaveLength(3);
    expect(stopReason).toBe("end_turn");
  });

  it("answers its own calls alone in a turn that a server tool has a part in", async () => {
    const memory = memoryOf();
    const { results } = await run(
      memory,
      [
        [search, { ...create, id: "toolu_1" }],
        [found, "Done."],
      ],
      settings,
    );
    expect(results.map((result) => result.tool_use_id)).toEqual(["toolu_1"]);
  });
});

describe("a loop of one's own", () => {
  it.each(["max_tokens", "refusal", "model_context_window_exceeded"] as const)(
    "carries out no call of a reply that ended by %s, whole or not",
    async (stop) => {
      const memory = memoryOf();
      await memory.files.write("/memories/port.md", "port: 8443\n", { ifAbsent: true });
      const message = await messageOf([create, cut, { stop }], {});
      expect(await toolResults(memory, message)).toEqual([]);
      expect((await Array.fromAsync(memory.files.list())).map((file) => file.path)).toEqual(["/memories/port.md"]);
    },
  );

  it("carries out those of a message that was kept without its reason", async () => {
    const { content } = await messageOf([create], {});
    expect(await toolResults(memoryOf(), { content })).toMatchObject([{ type: "tool_result" }]);
  });
});

it("is the runner's choice which calls before the cut are carried out: those alone that it started early", async () => {
  const created = await Promise.all(
    ways.map(async ({ settings }) => {
      const memory = memoryOf();
      await run(memory, [[create, cut, { stop: "max_tokens" }]], settings);
      return (await memory.files.read(path))?.text;
    }),
  );
  expect(created).toEqual([undefined, undefined, "port: 8443\n", undefined]);
});

it("does not take a paused turn that comes back changed", async () => {
  const talk = withScriptedApi([[search, { stop: "pause_turn" }]], async (client, start) => {
    const { content } = await client.messages.create(start);
    const changed = [...content, { type: "text", text: "And more." } as const];
    await client.messages.create({ ...start, messages: [...start.messages, { role: "assistant", content: changed }] });
  });
  await expect(talk).rejects.toThrow("no turn that was paused");
});

async function messageOf(reply: Reply, { stream = false }: Settings): Promise<Anthropic.Message> {
  const messages: Anthropic.Message[] = [];
  await withScriptedApi([reply], async (client, start) => {
    messages.push(await (stream ? client.messages.stream(start).finalMessage() : client.messages.create(start)));
  });
  const [message] = messages;
  if (message === undefined) throw new Error("There was no reply.");
  return message;
}
