// Nothing here runs: `tsc -p tsconfig.json` checks it, and type-check.test.ts that it does.
import { toNodeHandler } from "@modelcontextprotocol/node";
import {
  requireBearerAuth,
  type Server,
  type Transport,
  type VerifyBearerTokenOptions,
} from "@modelcontextprotocol/server";
import { serveStdio } from "@modelcontextprotocol/server/stdio";
import { createMcpServer, mcpHandler, type McpHandler, type MemoryScope } from "../../src/adapters/mcp.ts";
import type { Memory, UserMemory } from "../../src/index.ts";

export async function fitsEveryTransport(memory: UserMemory, transport: Transport): Promise<void> {
  const server: Server = createMcpServer(memory, { name: "memory", version: "1.0.0", onError: () => undefined });
  await server.connect(transport);
  serveStdio(() => createMcpServer(memory), { transport });
  // @ts-expect-error -- a server is one user's
  createMcpServer({ forUser: () => memory });
  // @ts-expect-error -- there is no such option
  createMcpServer(memory, { title: "Memory" });
}

export function fitsServersOfEveryKind(memory: Memory, scopes: ReadonlyMap<string, MemoryScope>): unknown[] {
  const handler: McpHandler = mcpHandler({
    memory,
    authenticate: ({ headers }) => scopes.get(headers.get("authorization") ?? ""),
    allowedHosts: ["memory.example"],
    allowedOrigins: [],
    maxRequestBodySize: 1_000_000,
  });
  // @ts-expect-error -- it has to be known whose memory it is
  mcpHandler({ memory });
  // @ts-expect-error -- nobody else's claims
  mcpHandler({ memory, authenticate: () => ({ sub: "dana" }) });
  return [toNodeHandler(handler), { fetch: handler.fetch }];
}

export function takesTheSdksOwnChecks(memory: Memory, options: VerifyBearerTokenOptions): McpHandler {
  const check = requireBearerAuth(options);
  return mcpHandler({
    memory,
    authenticate: async (request) => {
      const verified = await check(request);
      return verified instanceof Response ? verified : { user: verified.clientId, readOnly: !verified.scopes.length };
    },
  });
}
