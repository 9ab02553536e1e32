import { Client, InMemoryTransport } from "@modelcontextprotocol/client";
import { createMcpServer } from "../../../../src/adapters/mcp.ts";
import type { Answer, Driver } from "../driver.ts";
import { answerOf, asToolCall } from "./mcp-answer.ts";

/** A client that opens a connection by `initialize`, starts the calls of a turn at once, and says nothing of their ids. */
export const mcpInMemory: Driver = {
  name: "MCP, one connection",
  passesIds: false,
  async play(userMemory, turns) {
    const server = createMcpServer(userMemory);
    const client = new Client({ name: "driver", version: "1.0.0" });
    const [clientSide, serverSide] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(serverSide), client.connect(clientSide)]);
    try {
      const answers: Answer[][] = [];
      for (const turn of turns) {
        const results = turn.map((call) => client.callTool(asToolCall(call)));
        answers.push((await Promise.all(results)).map(answerOf));
      }
      return answers;
    } finally {
      await client.close();
    }
  },
};
