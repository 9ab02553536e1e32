import { ProtocolError, ProtocolErrorCode, Server } from "@modelcontextprotocol/server";
import * as z from "zod/mini";
import { checkOptions, optionsObject } from "../../core/check-options.ts";
import type { UserMemory } from "../../core/memory.ts";
import { isMemoryError } from "../../errors.ts";
import { purposeOf } from "../tool/definition.ts";
import { reporter } from "../tool/operator.ts";
import { onErrorOption } from "../tool/option-schemas.ts";
import { listResources, readResource, resourceTemplates } from "./resources.ts";
import { callTool, memoryTools } from "./tools.ts";

export interface McpServerOptions {
  /** By which clients know the server. @default "s3-memory-tool" */
  readonly name?: string;
  /** Of your server. @default "1.0.0" */
  readonly version?: string;
  /**
   * Hears of what is wrong with the storage where a client lists or reads resources; of the tools' calls the `onError` of the
   * memory hears. What it throws is ignored.
   *
   * @default `console.error`
   */
  readonly onError?: (error: unknown) => void;
}

const text = z.optional(z.string({ error: "a string" }).check(z.minLength(1, { error: "a string, not empty" })));

/** The schema of {@link McpServerOptions}, for those who put more beside it. @internal */
export const serverShape = {
  name: text,
  version: text,
  onError: onErrorOption,
};

const schema = optionsObject(serverShape);

/**
 * One user's memory as a server of the Model Context Protocol, to be connected to a transport: a tool for each command, and
 * the files as resources. One server is for one connection. A model reads exactly what `execute` answers, with `isError`
 * where it failed; a memory that may only be read has the tool `memory_view` alone. Throws a `TypeError` for options that make
 * no sense.
 *
 * @see https://modelcontextprotocol.io/specification
 */
export function createMcpServer(userMemory: UserMemory, options: McpServerOptions = {}): Server {
  const { name, version, onError } = checkOptions("createMcpServer", schema, options);
  const report = reporter("mcp", onError);
  const tools = memoryTools(userMemory.settings);
  const server = new Server(
    { name: name ?? "s3-memory-tool", version: version ?? "1.0.0" },
    { capabilities: { tools: {}, resources: {} }, instructions: purposeOf(userMemory.settings) },
  );

  /** Of an error a client learns what a model may read, and no more. */
  async function guarded<Result>(work: Promise<Result>): Promise<Result> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof ProtocolError) throw error;
      if (!isMemoryError(error) || error.code === "storage") await report(error);
      throw new ProtocolError(ProtocolErrorCode.InternalError, isMemoryError(error) ? error.message : "Internal error");
    }
  }

  server.setRequestHandler("tools/list", () => ({ tools }));
  server.setRequestHandler("resources/templates/list", () => ({ resourceTemplates }));
  server.setRequestHandler("resources/list", ({ params }, { mcpReq: { signal } }) =>
    guarded(listResources(userMemory, params?.cursor, signal)),
  );
  server.setRequestHandler("resources/read", ({ params }, { mcpReq: { signal } }) =>
    guarded(readResource(userMemory, params.uri, signal)),
  );
  // Not by setRequestHandler: the SDK would judge the arguments then, and answer the model in its own words.
  server.fallbackRequestHandler = async (request, { mcpReq: { signal } }) => {
    if (request.method !== "tools/call") throw new ProtocolError(ProtocolErrorCode.MethodNotFound, "Method not found");
    return callTool(userMemory, request, signal);
  };
  return server;
}
