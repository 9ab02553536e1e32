/**
 * How a run of the tool runner may end, and how it goes on. A turn that was paused the runner resumes by itself; a reply
 * that was cut off or refused ends the run, and no call of it is carried out. Runs without an account; with
 * ANTHROPIC_API_KEY and S3_MEMORY_BUCKET for real, where Claude need not refuse anything.
 */
import assert from "node:assert/strict";
import type Anthropic from "@anthropic-ai/sdk";
import { createS3Memory } from "s3-memory-tool";
import { memoryTool } from "s3-memory-tool/anthropic";
import { play } from "../support/play.ts";
import { memoryCall, type Script } from "../support/scripted-messages-api.ts";

const path = "/memories/hints.md";
const hints = Array.from({ length: 30 }, (_, index) => `Hint ${index + 1}: save early, and often.\n`).join("");
const write = memoryCall({ command: "create", path, file_text: hints });
const search = { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "Lima" } } as const;

const long = `Write thirty short hints for writers into ${path}, one a line, each beginning with "Hint", in one go.`;
const researched = "What is on in Lima tonight? Search for it.";
const refused = "Tell me something that you would rather not tell.";
const script: Script = {
  [long]: [
    [memoryCall({ command: "view", path: "/memories" })],
    (_, { max_tokens: room }) => (room < 1000 ? [{ ...write, cutAfter: 500 }, { stop: "max_tokens" }] : [write]),
    ["Written."],
  ],
  [researched]: [
    ["I search.", search, { stop: "pause_turn" }],
    [{ type: "web_search_tool_result", tool_use_id: search.id, content: [] }, "Nothing is on."],
  ],
  [refused]: [[memoryCall({ command: "delete", path }), { stop: "refusal" }]],
};

await play(script, async ({ anthropic, model, bucket, prefix, s3, fakeS3 }) => {
  const userMemory = createS3Memory({ bucket, prefix, client: s3 }).forUser("dana");

  async function ask(question: string): Promise<string | null> {
    let messages: Anthropic.Beta.BetaMessageParam[] = [{ role: "user", content: question }];
    for (let room = 400; room < 30_000; room *= 4) {
      const runner = anthropic.beta.messages.toolRunner({
        model,
        max_tokens: room,
        max_iterations: 20,
        tools: [memoryTool(userMemory), { type: "web_search_20250305", name: "web_search", max_uses: 3 }],
        messages,
      });
      const { stop_reason: reason, content } = await runner;
      for (const block of content) if (block.type === "text") console.log(block.text);
      console.log(`(${reason})`);
      if (reason !== "max_tokens") return reason;
      // All but the reply that was cut off, and again with more room.
      messages = runner.params.messages.slice(0, -1);
    }
    return "max_tokens";
  }

  assert.equal(await ask(long), "end_turn");
  assert.equal(await ask(researched), "end_turn");
  const last = await ask(refused);
  if (fakeS3) assert.equal(last, "refusal");

  const saved = await userMemory.files.read(path);
  assert.ok((saved?.text.match(/^Hint/gmu)?.length ?? 0) >= 30, "all hints are saved, and none was deleted");
  console.log(`${path}: ${saved?.text.length} characters`);
});
