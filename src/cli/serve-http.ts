import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { setTimeout } from "node:timers/promises";
import { toNodeHandler, type NodeIncomingMessageLike } from "@modelcontextprotocol/node";
import { localhostAllowedHostnames } from "@modelcontextprotocol/server";
import { mcpHandler } from "../adapters/mcp.ts";
import type { Served } from "./mcp-command.ts";
import { isLoopback, type HttpAddress } from "./mcp-settings.ts";

interface HttpOptions extends HttpAddress {
  readonly token: string | undefined;
  readonly signal: AbortSignal;
}

/** Serves one user's memory at `/mcp` until the signal ends it. Rejects where the address cannot be had. */
export async function serveHttp(served: Served, { host, port, token, signal }: HttpOptions): Promise<void> {
  const { memory, user, userOptions, version, log, onError } = served;
  const isAllowed = token === undefined ? () => true : bearerOf(token);
  const handler = mcpHandler({
    memory,
    version,
    onError,
    authenticate: () => ({ user, ...userOptions }), // nobody comes here without the token
    // A web page can make a browser ask this machine under a name of the page's own; a name that others use is not known here.
    ...(isLoopback(host) && { allowedHosts: [...localhostAllowedHostnames(), host] }),
  });
  const answer = toNodeHandler(handler, { onerror: onError });
  const server = createServer((request, response) => {
    if (signal.aborted) {
      response.writeHead(503, { connection: "close" }).end(); // on a connection that was kept
    } else if (request.url?.split("?")[0] !== "/mcp") {
      response.writeHead(404).end();
    } else if (!isAllowed(request.headers.authorization)) {
      response.writeHead(401, { "www-authenticate": "Bearer", connection: "close" }).end(); // its body is not read
    } else {
      response.on("close", () => signal.aborted && setImmediate(() => server.closeIdleConnections()));
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same, but for exactOptionalPropertyTypes
      void answer(request as NodeIncomingMessageLike, response);
    }
  });
  server.listen(port, host);
  await once(server, "listening");
  log(`listening on http://${addressOf(server)}/mcp`);
  void memory.warm({ signal });
  if (!signal.aborted) await once(signal, "abort");
  await drain(server, served.graceMilliseconds);
  await handler.close();
  server.closeAllConnections();
}

/** Takes no more connections, and lets the requests that are under way end. */
async function drain(server: Server, graceMilliseconds: number): Promise<void> {
  server.close();
  await Promise.race([once(server, "close"), setTimeout(graceMilliseconds, undefined, { ref: false })]);
}

function addressOf(server: Server): string {
  const address = server.address();
  if (typeof address !== "object" || address === null) return String(address);
  return `${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
}

/** How long it takes tells nothing of the token: digests are compared, which are of one length. */
function bearerOf(token: string): (authorization: string | undefined) => boolean {
  const expected = digest(token);
  return (authorization) => {
    const sent = /^bearer +(.+)$/i.exec(authorization ?? "")?.[1];
    return sent !== undefined && timingSafeEqual(digest(sent), expected);
  };
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
