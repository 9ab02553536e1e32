import {
  createMcpHandler,
  hostHeaderValidationResponse,
  originValidationResponse,
  type AuthInfo,
} from "@modelcontextprotocol/server";
import * as z from "zod/mini";
import { aFunction, checkOptions, optionsObject, wholeNumber } from "../../core/check-options.ts";
import type { UserMemory } from "../../core/memory.ts";
import { reporter } from "../tool/operator.ts";
import { memoryOfUsers } from "../tool/option-schemas.ts";
import { memoryOf, type MemoryOfUsers, type MemoryScope } from "../tool/scope.ts";
import { createMcpServer, serverShape, type McpServerOptions } from "./server.ts";

export interface McpHandlerOptions extends McpServerOptions {
  /** Made once, beside the handler: `createS3Memory(…)`, or `createMemory(…)`. */
  readonly memory: MemoryOfUsers;
  /**
   * Whose memory a request is about: from a token, a session or a certificate that you verify here. It is shown the request
   * without its body, so that no model can say who it is. `undefined` or no user: 401 with `WWW-Authenticate: Bearer`. A
   * `Response` is sent as it is, such as a 401 that names your authorization server. What it throws is reported to `onError`,
   * and answered with 500.
   */
  readonly authenticate: (request: Request) => Authenticated | Promise<Authenticated>;
  /** Host names, without ports, under which requests are taken; any where it is left out. Set it where nobody is asked for a secret. */
  readonly allowedHosts?: readonly string[];
  /** Host names of the web pages whose scripts may send requests. @default none: requests with an `Origin` are refused */
  readonly allowedOrigins?: readonly string[];
  /** Of a request's body, in bytes. @default 4194304 */
  readonly maxRequestBodySize?: number;
}

type Authenticated = MemoryScope | Response | null | undefined;

/** A handler of web-standard requests, for a runtime that has such, or for `toNodeHandler` of `@modelcontextprotocol/node`. */
export interface McpHandler {
  /** Answers one request. Never rejects. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Ends what is under way, and takes no more. */
  readonly close: () => Promise<void>;
}

const names = z.optional(z.array(z.string({ error: "a host name" }), { error: "an array of host names" }));

const schema = optionsObject({
  memory: memoryOfUsers,
  authenticate: aFunction<McpHandlerOptions["authenticate"]>(),
  allowedHosts: names,
  allowedOrigins: names,
  maxRequestBodySize: z.optional(wholeNumber("a whole number of bytes, at least 1", 1)),
  ...serverShape,
});

/**
 * The memories of many users over streamable HTTP, for clients of the protocol's revision 2026-07-28 and for those before it.
 * Each request stands alone: there are no sessions, any worker answers any of them, and what one has authenticated serves no
 * other. Throws a `TypeError` for options that make no sense.
 *
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#streamable-http
 */
export function mcpHandler(options: McpHandlerOptions): McpHandler {
  checkOptions("mcpHandler", schema, options);
  const { memory, authenticate, allowedHosts, allowedOrigins, maxRequestBodySize, ...serverOptions } = options;
  const report = reporter("mcp", serverOptions.onError);
  // What is passed through the SDK beside a request; a key that no request can make up.
  const memories = new WeakMap<AuthInfo, UserMemory>();
  const handler = createMcpHandler(
    ({ authInfo }) => {
      const userMemory = authInfo && memories.get(authInfo);
      if (userMemory === undefined) throw new Error("A request came past the authentication.");
      return createMcpServer(userMemory, serverOptions);
    },
    maxRequestBodySize === undefined ? {} : { maxRequestBodySize },
  );

  async function answer(request: Request): Promise<Response> {
    const refusal =
      (allowedHosts && hostHeaderValidationResponse(request, [...allowedHosts])) ??
      originValidationResponse(request, [...(allowedOrigins ?? [])]);
    if (refusal !== undefined) return refusal;
    const { method, headers, signal } = request;
    const found = await authenticate(new Request(request.url, { method, headers, signal }));
    if (found instanceof Response) return found;
    const userMemory = memoryOf(memory, found);
    if (userMemory === undefined) return refused(401, "Unauthorized", { "www-authenticate": "Bearer" });
    const authInfo: AuthInfo = { token: "", clientId: "", scopes: [] };
    memories.set(authInfo, userMemory);
    return handler.fetch(request, { authInfo });
  }

  return Object.freeze<McpHandler>({
    fetch: async (request) => {
      try {
        return await answer(request);
      } catch (error) {
        await report(error);
        return refused(500, "Internal server error");
      }
    },
    close: handler.close,
  });
}

/** As the SDK refuses a request, with an error of JSON-RPC for a body. */
function refused(status: number, message: string, headers: Record<string, string> = {}): Response {
  const error = { code: status === 500 ? -32_603 : -32_000, message };
  return Response.json({ jsonrpc: "2.0", error, id: null }, { status, headers });
}
