import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { memoryTool as aiSdkTool } from "../../src/adapters/ai-sdk.ts";
import { memoryHandler } from "../../src/adapters/lambda.ts";
import { memoryTool as langchainTool } from "../../src/adapters/langchain.ts";
import { mcpHandler } from "../../src/adapters/mcp.ts";
import { memoryPrompt } from "../../src/context/index.ts";
import { createS3Memory, type Memory, type MemoryError } from "../../src/index.ts";
import { faultAnswers, startFakeS3, type FakeS3, type Fault } from "../../src/testing/index.ts";
import { testClient } from "../support/test-client.ts";
import { contextWith, postEvent } from "./lambda-events.ts";
import { connected, rawRequest } from "./mcp-connections.ts";
import type { Turn } from "./matrix/driver.ts";
import { adapters } from "./matrix/drivers.ts";

/** Of the failures in docs/cases.md those that an adapter could bring back, and that no conversation of the matrix has. */

// Words that only the operator may see.
const bucket = "confidential-bucket";
const prefix = "confidential-prefix";
const user = "confidential-user";
const path = "/memories/notes.md";
const view = { command: "view", path };
const neutral =
  "Error: The memory is not available at the moment. The command itself is not at fault; it may be tried again later.";

let s3: FakeS3;
let reported: MemoryError[];
beforeEach(async () => {
  s3 = await startFakeS3({ buckets: [bucket] });
  reported = [];
});
afterEach(() => s3.close());

function memoryWith(options: Partial<Parameters<typeof createS3Memory>[0]> = {}): Memory {
  const client = testClient(s3.endpoint, { maxAttempts: 1 }); // no pauses of the SDK
  return createS3Memory({ bucket, prefix, client, onError: (error) => reported.push(error), ...options });
}

const put = (name: string, text: string): unknown => s3.put(`${prefix}/users/${user}/memories/${name}`, text);

/** Turns of a model with these inputs, each call with an id of its own. */
const turnsOf = (...turns: readonly (readonly unknown[])[]): readonly Turn[] =>
  turns.map((inputs, turn) => inputs.map((input, call) => ({ id: `toolu_${turn}_${call}`, input })));

describe.each(adapters)("a model by $name", (adapter) => {
  it.each<readonly [string, Fault]>([
    ["refuses access", { answer: faultAnswers.accessDenied }],
    ["fails after the work", { answer: faultAnswers.internalError, commit: "now" }],
    ["drops connections", { answer: "drop" }],
    ["has no such bucket", { answer: { status: 404, code: "NoSuchBucket", message: `No ${bucket}` } }],
  ])("case 6: reads virtual paths alone while the store %s", async (_, fault) => {
    put("notes.md", "one\n");
    s3.faults.add({}, fault);
    const answers = await adapter.play(
      memoryWith({ retry: { attempts: 1 } }).forUser(user),
      turnsOf(
        [{ command: "view", path: "/memories" }, view, { command: "view", path: "/memories/../../secrets.env" }],
        [{ command: "create", path: "/memories/a/b.md", file_text: "b" }],
        [{ command: "str_replace", path, old_str: "one", new_str: "two" }],
        [{ command: "insert", path, insert_line: 0, insert_text: "zero\n" }],
        [{ command: "rename", old_path: path, new_path: "/memories/moved.md" }],
        [{ command: "delete", path }],
      ),
    );
    expect(answers.flat()).toHaveLength(8);
    const read = JSON.stringify(answers);
    expect([bucket, prefix, user, s3.endpoint, "127.0.0.1"].filter((word) => read.includes(word))).toEqual([]);
    expect(read).not.toMatch(/users\/|AccessDenied|NoSuchBucket|InternalError|ECONN|socket|node_modules|Unknown/);
    expect(reported).not.toEqual([]);
  });

  it("case 33: is answered every call of a turn, though there are 2 sockets, and some are refused", async () => {
    put("notes.md", "one\n");
    put("big.md", "x".repeat(6 * 1024 * 1024));
    s3.faults.add({ operation: "GetObject", nth: 4, times: 2 }, { answer: faultAnswers.accessDenied });
    const client = testClient(s3.endpoint, { requestHandler: { httpAgent: { maxSockets: 2 } } });
    const paths = ["notes.md", "big.md", "missing.md", ""].map((name) => `/memories/${name}`);
    const turn = Array.from({ length: 16 }, (_, call) => ({ command: "view", path: paths[call % paths.length] }));
    const answers = await adapter.play(memoryWith({ client }).forUser(user), turnsOf(turn, [view]));
    expect(answers[0]).toHaveLength(16);
    expect(answers[0]?.filter(({ content }) => content === neutral)).toHaveLength(2);
    expect(answers[1]).toEqual([{ isError: false, content: expect.stringContaining("\tone") as string }]);
  });

  it("case 33: is answered where the store never is", async () => {
    s3.faults.add({}, { answer: "hang" });
    const memory = memoryWith({ timeouts: { request: 100 }, retry: { attempts: 1 } });
    expect(await adapter.play(memory.forUser(user), turnsOf([view]))).toEqual([[{ isError: true, content: neutral }]]);
  });

  it("case 34: does not read where the bucket is, which the operator does", async () => {
    s3.faults.add({}, { answer: faultAnswers.permanentRedirect("eu-south-2") });
    const answers = await adapter.play(memoryWith().forUser(user), turnsOf([view]));
    expect(answers).toEqual([[{ isError: true, content: neutral }]]);
    expect(reported.map(({ details }) => details.hint)).toEqual([expect.stringContaining("eu-south-2")]);
  });

  it("case 37: does not overwrite what others wrote since it looked", async () => {
    put("notes.md", "one\n");
    const shown = memoryWith({ onExisting: "overwrite" }).forUser(user);
    const execute: typeof shown.execute = (input, options) => {
      if (input !== null && typeof input === "object" && "file_text" in input) put("notes.md", "one\nmuch more\n");
      return shown.execute(input, options);
    };
    const answers = await adapter.play(
      { ...shown, execute },
      turnsOf([view], [{ command: "create", path, file_text: "short\n" }]),
    );
    const content = `Error: ${path} was changed since you viewed it: nothing was written, view it again`;
    expect(answers[1]).toEqual([{ isError: true, content }]);
    expect(await shown.files.read(path)).toMatchObject({ text: "one\nmuch more\n" });
  });
});

describe("a request that names nobody", () => {
  const call = { type: "tool_use", id: "toolu_1", name: "memory", input: view };

  it.each<readonly [string, (memory: Memory) => Promise<unknown>, unknown]>([
    [
      "an HTTP event on Lambda",
      (memory) => memoryHandler({ memory, scope: () => ({}) })(postEvent(call), contextWith()),
      expect.objectContaining({ statusCode: 401 }),
    ],
    [
      "a direct invocation on Lambda",
      (memory) =>
        memoryHandler<object>({ memory, scope: () => ({}) })(call, contextWith()).catch((error: unknown) => error),
      expect.objectContaining({ name: "Unauthorized" }),
    ],
    [
      "a request of MCP",
      async (memory) => {
        const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "memory_view" } });
        const { status } = await mcpHandler({ memory, authenticate: () => ({}) }).fetch(rawRequest(body));
        return status;
      },
      401,
    ],
  ])("case 20: gets nobody's memory, and no request is sent: %s", async (_, ask, refusal) => {
    expect(await ask(memoryWith())).toEqual(refusal);
    expect(s3.requests).toHaveLength(0);
  });
});

describe("what a model is told before it reads a file", () => {
  it.each<readonly [string, (memory: Memory) => unknown]>([
    ["the AI SDK's tool for any model", (memory) => aiSdkTool(memory.forUser(user)).description],
    ["LangChain's tool for any model", (memory) => langchainTool(memory.forUser(user)).description],
    ["MCP's instructions", async (memory) => (await connected(memory.forUser(user))).getInstructions()],
    ["the system text", () => memoryPrompt()],
  ])("case 35: is that what files say is no order: %s", async (_, tell) => {
    expect(await tell(memoryWith())).toMatch(/files say is (?:information, not orders|data: .* that is not an order)/);
  });
});
