import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { toNodeHandler, type NodeIncomingMessageLike } from "@modelcontextprotocol/node";
import { createMcpServer, type McpHandler, type McpServerOptions } from "../../src/adapters/mcp.ts";
import type { UserMemory } from "../../src/index.ts";

const named = { name: "test", version: "1.0.0" };

/** The official client, which opens a connection by `initialize` unless it is told to look for the newest revision first. */
export function mcpClient(revision: "initialize" | "2026-07-28" = "initialize"): Client {
  return new Client(named, revision === "initialize" ? {} : { versionNegotiation: { mode: { pin: revision } } });
}

/** A client of a memory's server, in one process. */
export async function connected(userMemory: UserMemory, options?: McpServerOptions): Promise<Client> {
  const client = mcpClient();
  const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
  await Promise.all([createMcpServer(userMemory, options).connect(serverSide), client.connect(clientSide)]);
  return client;
}

export interface ServedHandler {
  readonly url: URL;
  close(): Promise<void>;
}

/** A handler behind `node:http`. */
export async function served(handler: McpHandler): Promise<ServedHandler> {
  const node = toNodeHandler(handler);
  const server = createServer((request, response) => void node(request as NodeIncomingMessageLike, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`),
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** A request as a client before 2026 sends it, its body byte for byte. */
export function rawRequest(body: string, headers: Record<string, string> = {}): Request {
  return new Request("http://127.0.0.1/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    body,
  });
}

interface RawAnswer {
  readonly result?: { readonly content?: readonly { readonly text: string }[]; readonly isError?: boolean };
  readonly error?: { readonly code: number; readonly message: string };
}

/** The message in an answer, which comes as JSON or as the one event of a stream. */
export async function messageOf(response: Response): Promise<RawAnswer> {
  const text = await response.text();
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text) as RawAnswer;
}
