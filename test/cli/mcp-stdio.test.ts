import { once } from "node:events";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { run } from "../../src/cli/run.ts";
import { faultAnswers, startFakeS3, type FakeS3 } from "../../src/testing/index.ts";
import { heldPuts } from "../support/held-puts.ts";
import { bin, danaOn, environment, line, messages, start } from "./bin.ts";

let s3: FakeS3;
beforeAll(async () => {
  s3 = await startFakeS3({ buckets: ["agent-memory"] });
});
afterEach(() => {
  vi.unstubAllEnvs();
  s3.faults.clear();
  for (const key of s3.objects().keys()) s3.remove(key);
});
afterAll(() => s3.close());

const path = "/memories/notes.md";
const create = ["tools/call", { name: "memory_create", arguments: { path, file_text: "one" } }] as const;
const created = "File created successfully at: /memories/notes.md";

/** What is written by a program in this process, told something before and something at the end of its input. */
async function talk(graceMilliseconds: number, opening: string, until: Promise<void>, end = ""): Promise<string> {
  const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
  const { signal } = new AbortController();
  const ended = run({
    ...streams,
    argv: danaOn(s3),
    env: {},
    nodeVersion: process.versions.node,
    signal,
    graceMilliseconds,
  });
  streams.stdin.write(opening);
  await until;
  streams.stdin.end(end);
  expect(await ended).toBe(0);
  return text(streams.stdout.end());
}

describe("s3-memory-tool mcp", () => {
  it.each([
    { revision: "initialize", options: {} },
    { revision: "2026-07-28", options: { versionNegotiation: { mode: "auto" } } },
  ] as const)("serves the official client over stdio: $revision", async ({ revision, options }) => {
    const client = new Client({ name: "test", version: "1.0.0" }, options);
    const args = [bin, ...danaOn(s3), "--project", "crm", "--actor", "agent-7", "--prefix", "agents"];
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, env: environment(), stderr: "ignore" }),
    );
    try {
      expect(client.getNegotiatedProtocolVersion()).toMatch(revision === "initialize" ? /^2025-/ : /^2026-07-28$/);
      expect(client.getServerVersion()?.name).toBe("s3-memory-tool");
      expect(await client.callTool({ name: "memory_create", arguments: { path, file_text: "one" } })).toMatchObject({
        content: [{ type: "text", text: created }],
      });
      expect(await client.callTool({ name: "memory_create", arguments: { path, file_text: "one" } })).toMatchObject({
        content: [{ type: "text", text: "Error: File /memories/notes.md already exists" }],
        isError: true,
      });
      const { contents } = await client.readResource({ uri: "memory:///memories/notes.md" });
      expect(contents).toMatchObject([{ text: "one" }]);
    } finally {
      await client.close();
    }
    const key = "agents/users/dana/projects/crm/memories/notes.md";
    expect([...s3.objects().keys()]).toEqual([key]);
    expect(s3.objects().get(key)?.metadata).toMatchObject({ actor: "agent-7" });
  });

  it("does what the environment says: overwrites, or only reads", async () => {
    s3.put("users/dana/memories/notes.md", "old");
    const overwriting = start(danaOn(s3), { S3_MEMORY_ON_EXISTING: "overwrite" });
    overwriting.child.stdin.end(messages(create));
    expect((await overwriting.ended).stdout).toContain(created);
    expect(s3.objects().get("users/dana/memories/notes.md")?.text).toBe("one");

    const reading = start(danaOn(s3), { S3_MEMORY_READ_ONLY: "1" });
    reading.child.stdin.end(messages(create, ["tools/list", {}]));
    const { stdout } = await reading.ended;
    expect(stdout).toContain("/memories/notes.md is read-only");
    expect(stdout).not.toContain("memory_rename");
  });

  it("writes nothing but the protocol to standard output; what is wrong goes to standard error, without a secret", async () => {
    s3.faults.add({}, { answer: faultAnswers.accessDenied });
    const running = start(danaOn(s3), { S3_MEMORY_TOKEN: "a-secret-token" });
    running.child.stdin.end(`no json\n${messages(create)}`);
    const { code, stdout, stderr } = await running.ended;
    expect(code).toBe(0);
    const answers = stdout
      .trimEnd()
      .split("\n")
      .map((answer) => JSON.parse(answer) as { id: number; result: object });
    expect(answers.map(({ id }) => id)).toEqual([0, 1]);
    expect(answers[1]?.result).toMatchObject({
      content: [{ text: expect.stringMatching(/^Error: The memory is not available/) as string }],
      isError: true,
    });
    expect(stderr).toMatch(/\[s3-memory-tool\] storage: \w+ · [^\n]*403 · AccessDenied/);
    expect(stdout).not.toContain("AccessDenied");
    expect(stderr + stdout).not.toMatch(/a-secret-token|AWS_SECRET/);
  });

  it("answers what it was asked before its input ends, and ends with 0", async () => {
    const { reached, release } = heldPuts(s3);
    const running = start(danaOn(s3));
    running.child.stdin.end(messages(create));
    await reached;
    release();
    const { code, stdout } = await running.ended;
    expect({ code, answered: stdout.includes(created) }).toEqual({ code: 0, answered: true });
  });

  it.each(["SIGTERM", "SIGINT"] as const)(
    "lets a call end after %s, takes no other, and ends with 0",
    async (signal) => {
      const { reached, release } = heldPuts(s3);
      const running = start(danaOn(s3));
      running.child.stdin.write(messages(create));
      await reached;
      const put = line(running, "stdout", /File created/);
      running.child.kill(signal);
      running.child.stdin.write(messages(create).split("\n")[1]?.replace("notes", "late") ?? "");
      release();
      await put;
      expect(await running.ended).toMatchObject({ code: 0 });
      expect([...s3.objects().keys()]).toEqual(["users/dana/memories/notes.md"]);
    },
  );

  it("ends at once at a second signal", async () => {
    const { reached, release } = heldPuts(s3);
    const running = start(danaOn(s3));
    running.child.stdin.write(messages(create));
    await reached;
    running.child.kill("SIGTERM");
    await line(running, "stderr", /stopping/);
    running.child.kill("SIGTERM");
    expect((await running.ended).code).toBeNull();
    release();
  });

  it("ends where nobody reads on", async () => {
    const running = start(danaOn(s3));
    running.child.stdin.write(messages());
    await line(running, "stdout", /serverInfo/);
    running.child.stdout.destroy();
    running.child.stdin.write(messages(["tools/list", {}]));
    const [code] = (await once(running.child, "exit")) as [number];
    expect(code).toBe(0);
  });

  it("goes on where nobody reads what goes to standard error", async () => {
    const running = start(danaOn(s3));
    running.child.stdin.write(messages());
    await line(running, "stdout", /serverInfo/);
    running.child.stderr.destroy();
    for (const id of [2, 3]) {
      running.child.stdin.write(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":null}\n`); // of which the operator hears
      await setTimeout(100);
    }
    running.child.stdin.write(messages(create).split("\n")[1] ?? "");
    running.child.stdin.end("\n");
    const [code] = (await once(running.child, "exit")) as [number];
    expect(code).toBe(0);
    expect([...s3.objects().keys()]).toEqual(["users/dana/memories/notes.md"]);
  });

  it("does not wait for a call beyond its time, nor for one that was taken back, nor for a subscription", async () => {
    for (const [name, value] of Object.entries(environment())) vi.stubEnv(name, value); // the AWS SDK looks there
    const forGood = 2 ** 31 - 1;
    const { reached, release } = heldPuts(s3);
    expect(await talk(1, messages(create), reached)).not.toContain('"id":1');
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
    const tookBack = `${JSON.stringify(cancelled)}\n`;
    expect(await talk(forGood, messages(create), reached, tookBack)).not.toContain('"id":1');
    release();

    const revision = "io.modelcontextprotocol/protocolVersion";
    const envelope = { [revision]: "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
    const params = { notifications: { resourcesListChanged: true }, _meta: envelope };
    const listen = `${JSON.stringify({ jsonrpc: "2.0", id: 7, method: "subscriptions/listen", params })}\n`;
    expect(await talk(forGood, listen, Promise.resolve())).toContain("notifications/subscriptions/acknowledged");
  });
});
