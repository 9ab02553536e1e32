/**
 * The memory as an MCP server, asked by the official client: over stdio, as coding agents start it, and over HTTP for many
 * users, each known by a token. Runs without an account; with S3_MEMORY_BUCKET on a bucket of yours.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { fileURLToPath } from "node:url";
import { Client, StreamableHTTPClientTransport, type Transport } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { toNodeHandler, type NodeIncomingMessageLike } from "@modelcontextprotocol/node";
import { createS3Memory } from "s3-memory-tool";
import { mcpHandler } from "s3-memory-tool/mcp";
import { playOnBucket } from "../support/play.ts";
import type { Environment } from "../support/surroundings.ts";

const path = "/memories/deploys.md";
const bin = fileURLToPath(new URL("dist/cli/bin.js", import.meta.resolve("s3-memory-tool/package.json")));

/** In earnest: the subject of a token whose signature, audience and expiry were checked. */
const userOfToken = new Map([
  ["token-of-dana", "dana"],
  ["token-of-eli", "eli"],
]);

await playOnBucket(async ({ bucket, prefix, s3, environment }) => {
  const agent = await connect(
    new StdioClientTransport({
      command: process.execPath, // in a client's configuration: npx -y --package=… s3-memory-tool mcp
      args: [bin, "mcp", "--user", "dana"],
      env: definedOnly(environment),
    }),
  );
  const { tools } = await agent.listTools();
  console.log("stdio:", tools.map(({ name }) => name).join(", "));
  console.log("stdio:", await say(agent, "memory_create", { path, file_text: "We deploy on Tuesday.\n" }));
  const refused = await say(agent, "memory_create", { path });
  assert.match(refused, /^failed: Error: `file_text` is missing/u, "a model reads what it did wrong");
  await agent.close();

  const memory = createS3Memory({ bucket, prefix, client: s3 });
  const handler = mcpHandler({
    memory,
    authenticate: ({ headers }) => ({
      user: userOfToken.get(headers.get("authorization")?.slice("Bearer ".length) ?? ""),
    }),
  });
  const node = toNodeHandler(handler);
  const server = createServer((request, response) => void node(request as NodeIncomingMessageLike, response));
  const url = await listen(server);
  try {
    const dana = await connect(overHttp(url, "token-of-dana"));
    const { contents } = await dana.readResource({ uri: "memory:///memories/deploys.md" });
    assert.deepEqual(
      contents.map((content) => "text" in content && content.text),
      ["We deploy on Tuesday.\n"],
    );
    console.log("HTTP, Dana:", await say(dana, "memory_str_replace", { path, old_str: "Tuesday", new_str: "Friday" }));

    const eli = await connect(overHttp(url, "token-of-eli"));
    assert.deepEqual((await eli.listResources()).resources, [], "nobody sees another one's files");
    console.log("HTTP, Eli:", await say(eli, "memory_view", { path: "/memories" }));
    await assert.rejects(connect(overHttp(url, "token-of-nobody")), "nobody comes in without a token");
    await Promise.all([dana.close(), eli.close()]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
  assert.equal((await memory.forUser("dana").files.read(path))?.text, "We deploy on Friday.\n");
});

async function connect(transport: Transport): Promise<Client> {
  const client = new Client({ name: "example", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
  await client.connect(transport);
  return client;
}

/** What a model would read. */
async function say(client: Client, name: string, fields: Record<string, unknown>): Promise<string> {
  const { content, isError } = await client.callTool({ name, arguments: fields });
  const text = content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("\n");
  return isError ? `failed: ${text}` : text;
}

function overHttp(url: URL, token: string): Transport {
  return new StreamableHTTPClientTransport(url, { requestInit: { headers: { authorization: `Bearer ${token}` } } });
}

async function listen(server: Server): Promise<URL> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  return new URL(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/mcp`);
}

function definedOnly(environment: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
