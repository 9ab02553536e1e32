import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { buffer as readAll } from "node:stream/consumers";
import { errorAnswer } from "./answer.ts";
import { decodeBody } from "./body.ts";
import { parseBatch, type BatchEntry } from "./delete-operations.ts";
import { follow, makePlan, send, type Outcome } from "./exchange.ts";
import type { Faults } from "./faults.ts";
import type { OpenRequest, RequestLog } from "./request-log.ts";
import { S3Error } from "./s3-error.ts";
import { parseHead, type S3Request } from "./s3-request.ts";
import type { Behaviour, Store } from "./store.ts";

/** What the server works with. */
export interface ServerParts {
  readonly store: Store;
  readonly requests: RequestLog;
  readonly faults: Faults;
  readonly settings: Behaviour;
  /** Work that is not done yet, also after its answer. */
  readonly pending: Set<Promise<unknown>>;
}

/** For the log; a body that is no batch is refused when the request is carried out. */
function batchOf(request: S3Request): readonly BatchEntry[] {
  if (request.operation !== "DeleteObjects") return [];
  try {
    return parseBatch(request.body).entries;
  } catch {
    return [];
  }
}

function finish(
  outcome: Outcome,
  logged: OpenRequest,
  requestId: string,
  response: ServerResponse,
  log: RequestLog,
): void {
  if (outcome === "hang") return;
  if (outcome === "drop") {
    log.end(logged);
    response.destroy();
    return;
  }
  logged.status = outcome.status;
  if (outcome.code !== undefined) logged.code = outcome.code;
  // Before the answer leaves: what the client sends next starts after it.
  log.end(logged);
  send(outcome, requestId, response);
}

async function handle(
  incoming: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  parts: ServerParts,
): Promise<void> {
  const { store, requests, faults, settings, pending } = parts;
  const head = parseHead(incoming.method ?? "GET", incoming.url ?? "/", incoming.headers);
  const logged = requests.open(head);
  response.on("close", () => requests.end(logged));
  const raw = await readAll(incoming);
  let outcome: Outcome;
  try {
    const request: S3Request = { ...head, body: decodeBody(raw, head.headers) };
    logged.batch = batchOf(request);
    logged.faults = faults.hit(logged);
    const followed = await follow(makePlan(logged.faults, settings), request, logged, { store, requestId });
    ({ outcome } = followed);
    if (followed.late !== undefined) track(pending, followed.late);
  } catch (error) {
    if (!(error instanceof S3Error)) throw error;
    outcome = errorAnswer(error, requestId);
  }
  finish(outcome, logged, requestId, response, requests);
}

function track(pending: Set<Promise<unknown>>, work: Promise<unknown>): void {
  const settled = work.then(
    () => undefined,
    () => undefined,
  );
  pending.add(settled);
  void settled.then(() => pending.delete(settled));
}

/** A fault of the fake itself, of a test's own function, or of a client that went away in the middle of its body. */
function fail(error: unknown, requestId: string, response: ServerResponse): void {
  if (response.headersSent || response.destroyed) return;
  const known =
    error instanceof S3Error ? error : new S3Error(500, "InternalError", `The fake S3 failed: ${String(error)}`);
  send(errorAnswer(known, requestId), requestId, response);
}

export function makeServer(parts: ServerParts): Server {
  let lastRequest = 0;
  return createServer((incoming, response) => {
    lastRequest += 1;
    const requestId = `FAKE${lastRequest.toString(16).toUpperCase().padStart(12, "0")}`;
    track(
      parts.pending,
      handle(incoming, response, requestId, parts).catch((error: unknown) => fail(error, requestId, response)),
    );
  });
}

/** Listens on a free port of the loopback interface. */
export async function listen(server: Server): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the fake S3 has no port");
  return `http://127.0.0.1:${address.port}`;
}

/** Closes every connection, hanging requests too. */
export async function stop(server: Server): Promise<void> {
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
