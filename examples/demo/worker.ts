// One conversation in a process of its own, as in a Lambda: it has its user, its prompt and the bucket.
import { createS3Memory } from "s3-memory-tool";
import { memoryTool } from "s3-memory-tool/anthropic";
import { reportFault } from "../support/play.ts";
import { clientsOf } from "../support/surroundings.ts";

/** What this process tells the one that started it, after each reply of Claude. */
export interface Report {
  readonly says: readonly string[];
  readonly calls: readonly { readonly input: unknown; readonly result: string; readonly failed: boolean }[];
}

const [user = "", prompt = ""] = process.argv.slice(2);
const { anthropic, model, s3, bucket, prefix } = clientsOf(process.env);
const memory = createS3Memory({
  bucket,
  prefix,
  client: s3,
  // The demo holds a write back until another process is there, which takes a while on a busy machine.
  timeouts: { request: 60_000 },
  retry: { totalMilliseconds: 60_000 },
}).forUser(user, { actor: "demo" });

await converse().catch((error: unknown) => reportFault(error));

async function converse(): Promise<void> {
  const runner = anthropic.beta.messages.toolRunner({
    model,
    max_tokens: 2048,
    max_iterations: 20,
    tools: [memoryTool(memory)],
    messages: [{ role: "user", content: prompt }],
  });

  for await (const { content } of runner) {
    const response = await runner.generateToolResponse();
    const results = (Array.isArray(response?.content) ? response.content : []).filter(
      (block) => block.type === "tool_result",
    );
    const calls = content.filter((block) => block.type === "tool_use");
    const report: Report = {
      says: content.flatMap((block) => (block.type === "text" ? [block.text] : [])),
      calls: calls.map(({ id, input }) => {
        const result = results.find((candidate) => candidate.tool_use_id === id);
        const text = typeof result?.content === "string" ? result.content : JSON.stringify(result?.content);
        return { input, result: text, failed: result?.is_error === true };
      }),
    };
    process.send?.(report);
  }
}
