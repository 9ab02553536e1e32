import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { toNodeHandler, type NodeIncomingMessageLike } from "@modelcontextprotocol/node";
import { mcpHandler } from "../../../../src/adapters/mcp.ts";
import type { Answer, Driver } from "../driver.ts";
import { answerOf, asToolCall } from "./mcp-answer.ts";

/**
 * A client of the newest revision, that sends the ids of the calls as Claude Code does. Its calls go one by one, because
 * requests that are on their way at once arrive in any order.
 */
export const mcpHttp: Driver = {
  name: "MCP, streamable HTTP",
  passesIds: true,
  async play(userMemory, turns) {
    const handler = mcpHandler({ memory: { forUser: () => userMemory }, authenticate: () => ({ user: "anybody" }) });
    const node = toNodeHandler(handler);
    const server = createServer((request, response) => void node(request as NodeIncomingMessageLike, response));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const client = new Client({ name: "driver", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
    try {
      await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/`)));
      const answers: Answer[][] = [];
      for (const turn of turns) {
        const read: Answer[] = [];
        for (const call of turn) {
          const meta = { "claudecode/toolUseId": call.id };
          read.push(answerOf(await client.callTool({ ...asToolCall(call), _meta: meta })));
        }
        answers.push(read);
      }
      return answers;
    } finally {
      await client.close();
      server.close();
      server.closeAllConnections();
    }
  },
};
