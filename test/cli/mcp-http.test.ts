import { once } from "node:events";
import { Agent, request, type IncomingMessage } from "node:http";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { run } from "../../src/cli/run.ts";
import { startFakeS3, type FakeS3 } from "../../src/testing/index.ts";
import { heldPuts } from "../support/held-puts.ts";
import { danaOn, line, start, type Running } from "./bin.ts";

let s3: FakeS3;
beforeAll(async () => {
  s3 = await startFakeS3({ buckets: ["agent-memory"] });
});
const started: Running[] = [];
afterEach(async () => {
  s3.faults.clear();
  for (const { child, ended } of started.splice(0)) {
    child.kill("SIGKILL");
    await ended.catch(() => undefined); // one of its streams may have been closed
  }
});
afterAll(() => s3.close());

const path = "/memories/notes.md";
const call = (name: string, sent: object): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: sent } });

async function serving(address: string, variables: Record<string, string> = {}): Promise<Running & { url: URL }> {
  const running = start([...danaOn(s3), "--http", address], variables);
  started.push(running);
  return { ...running, url: new URL(await line(running, "stderr", /listening on (\S+)\n/)) };
}

/** By node:http, which sends a Host and an Origin as it is told. */
function post(
  url: URL,
  body: string,
  headers: Record<string, string> = {},
  agent?: Agent,
): Promise<{ status: number; text: string }> {
  const standard = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  return new Promise((resolve, reject) => {
    const options = { method: "POST", headers: { ...standard, ...headers }, ...(agent && { agent }) };
    const sent = request(url, options, (response) => {
      text(response).then((answered) => resolve({ status: response.statusCode ?? 0, text: answered }), reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

const viewAll = call("memory_view", { path: "/memories" });

describe("s3-memory-tool mcp --http", () => {
  it.each(["initialize", "2026-07-28"] as const)("serves the official client: %s", async (revision) => {
    const { url } = await serving("0");
    expect(url.href).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
    const mode = revision === "initialize" ? "legacy" : "auto";
    const client = new Client({ name: "test", version: "1.0.0" }, { versionNegotiation: { mode } });
    await client.connect(new StreamableHTTPClientTransport(url));
    const file = `/memories/${revision}.md`;
    await client.callTool({ name: "memory_create", arguments: { path: file, file_text: "one" } });
    await client.close();
    expect(s3.objects().get(`users/dana/memories/${revision}.md`)?.text).toBe("one");
  });

  it("answers at /mcp alone", async () => {
    const { url } = await serving("0");
    for (const other of ["/", "/mcp/", "/mcpx", "//", "/mcp%2f"]) {
      expect((await post(new URL(`http://${url.host}${other}`), viewAll)).status).toBe(404);
    }
  });

  it("refuses what a web page makes a browser send", async () => {
    const { url } = await serving("0");
    expect((await post(url, viewAll)).status).toBe(200);
    expect((await post(url, viewAll, { host: `localhost:${url.port}` })).status).toBe(200);
    expect((await post(url, viewAll, { host: `evil.example:${url.port}` })).status).toBe(403);
    expect((await post(url, viewAll, { origin: "https://evil.example" })).status).toBe(403);
    expect((await post(url, viewAll, { origin: `http://localhost:${url.port}` })).status).toBe(403);
  });

  it("asks for the token that it was given, and never says it", async () => {
    const { url, child, ended } = await serving("0.0.0.0:0", { S3_MEMORY_TOKEN: "a-secret-token" });
    url.hostname = "127.0.0.1";
    for (const authorization of [
      undefined,
      "a-secret-token",
      "Basic a-secret-token",
      "Bearer ",
      "Bearer wrong",
      "Bearer a-secret-toke",
      "Bearer a-secret-token2",
      "Bearer A-SECRET-TOKEN",
    ]) {
      const { status, text: answered } = await post(url, viewAll, authorization === undefined ? {} : { authorization });
      expect({ authorization, status }).toEqual({ authorization, status: 401 });
      expect(answered).not.toContain("a-secret-token");
    }
    expect(await post(url, viewAll, { authorization: "Bearer a-secret-token" })).toMatchObject({
      status: 200,
      text: expect.stringContaining("/memories") as string,
    });
    expect((await post(url, viewAll, { authorization: "bearer a-secret-token" })).status).toBe(200);
    child.kill("SIGTERM");
    const { code, stdout, stderr } = await ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: "" });
    expect(stderr).not.toContain("secret");
  });

  it("reads nothing of what comes without the token", async () => {
    const { url } = await serving("0", { S3_MEMORY_TOKEN: "a-secret-token" });
    const headers = { "content-type": "application/json", "content-length": 4_000_000 };
    const sent = request(url, { method: "POST", headers });
    sent.on("error", () => undefined);
    sent.write("{"); // and no more
    const [response] = (await once(sent, "response", { signal: AbortSignal.timeout(2_000) })) as [IncomingMessage];
    expect(response.statusCode).toBe(401);
    expect(response.headers).toMatchObject({ "www-authenticate": "Bearer", connection: "close" });
    sent.destroy();
  });

  it("knows one user, whatever a request says", async () => {
    const { url } = await serving("0");
    const claim = { user: "eli", project: "theirs" };
    await post(url, call("memory_create", { path, file_text: "mine", ...claim }), { "x-user": "eli" });
    expect(s3.objects().get("users/dana/memories/notes.md")?.text).toBe("mine");
    expect([...s3.objects().keys()].filter((key) => key.includes("eli"))).toEqual([]);
  });

  it("refuses a body that is too large", async () => {
    const { url } = await serving("0");
    const large = call("memory_create", { path: "/memories/b.md", file_text: "x".repeat(5_000_000) });
    // It may hang up before all of it was sent.
    const status = await post(url, large).then(
      (answer) => answer.status,
      () => 413,
    );
    expect(status).toBe(413);
    expect((await post(url, viewAll)).status).toBe(200);
  });

  it.each(["SIGTERM", "SIGINT"] as const)(
    "lets a call end after %s, takes no other, and ends with 0",
    async (signal) => {
      const running = await serving("0");
      const { url, child, ended } = running;
      const { reached, release } = heldPuts(s3);
      const connection = new Agent({ keepAlive: true, maxSockets: 1 });
      const first = call("memory_create", { path: `/memories/${signal}.md`, file_text: "x" });
      const late = call("memory_create", { path: "/memories/late.md", file_text: "x" });
      const answered = post(url, first, {}, connection);
      await reached;
      const queued = post(url, late, {}, connection); // is sent once the first is answered
      child.kill(signal);
      await line(running, "stderr", /stopping/);
      const outcomes = [post(url, late, {}, new Agent()), queued].map((sent) =>
        sent.then(
          ({ status }) => status,
          () => 503,
        ),
      );
      release();
      expect((await answered).text).toContain("File created successfully");
      expect(await Promise.all(outcomes)).toEqual([503, 503]);
      expect(await ended).toMatchObject({ code: 0, stdout: "" });
      expect([...s3.objects().keys()]).not.toContain("users/dana/memories/late.md");
    },
  );

  it("ends with 0 where it was told to before it listened", async () => {
    const streams = { stdin: new PassThrough(), stdout: new PassThrough(), stderr: new PassThrough() };
    const argv = [...danaOn(s3), "--http", "0"];
    expect(
      await run({ ...streams, argv, env: {}, nodeVersion: process.versions.node, signal: AbortSignal.abort() }),
    ).toBe(0);
  });

  it("goes on where nobody reads what goes to standard error", async () => {
    const { url, child } = await serving("0");
    child.stderr.destroy();
    const logged = { host: "[" }; // a fault of the request, of which the operator hears
    for (const headers of [logged, logged, {}]) await post(url, viewAll, headers);
    expect((await post(url, viewAll)).status).toBe(200);
    expect(child.exitCode).toBeNull();
  });

  it("ends with 1, and says why, where the port is taken", async () => {
    const { url } = await serving("0");
    const second = await start([...danaOn(s3), "--http", url.port]).ended;
    expect(second.code).toBe(1);
    expect(second.stderr).toMatch(/^\[s3-memory-tool\] Error: listen EADDRINUSE[^\n]*\n$/);
  });
});
