import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { listenLocally } from "../support/local-server.ts";
import { startScriptedMessagesApi, type ScriptedMessagesApi, type Script } from "../support/scripted-messages-api.ts";
import { asEventStream } from "./event-stream.ts";

export interface ScriptedClouds {
  /** The base URL of a client of any of the clouds. */
  readonly url: string;
  /** Method and path of all requests, as the clouds get them. */
  readonly paths: readonly string[];
  /** What the model was sent. */
  readonly claude: ScriptedMessagesApi;
  close(): Promise<void>;
}

/** What a path says beside the body: the model, and whether to stream. */
interface Target {
  readonly authorization: RegExp;
  readonly model: string | undefined;
  readonly stream: boolean;
  readonly framed: boolean;
}

const signature = /^AWS4-HMAC-SHA256 Credential=/u;

/**
 * Claude from a script behind the addresses of Bedrock (InvokeModel, and the Messages API) and of Vertex: the model in
 * the path, the version in the body, and a signature or a token that is looked at, not verified.
 */
export async function startScriptedClouds(script: Script): Promise<ScriptedClouds> {
  const claude = await startScriptedMessagesApi(script);
  const paths: string[] = [];
  const server = createServer((request, response) => {
    paths.push(`${request.method} ${request.url}`);
    forward(claude.url, request, response).catch((error: unknown) => {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ message: String(error) }));
    });
  });
  const { url, close } = await listenLocally(server);
  return {
    url,
    paths,
    claude,
    async close() {
      await close();
      await claude.close();
    },
  };
}

async function forward(claude: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const target = targetOf(decodeURIComponent(request.url ?? ""));
  if (!target.authorization.test(request.headers.authorization ?? "")) throw new Error("not authorized");
  const sent = (await json(request)) as Record<string, unknown>;
  const { model = sent["model"], stream } = target;
  const answer = await fetch(`${claude}/v1/messages`, {
    method: "POST",
    body: JSON.stringify({ ...sent, model, stream: stream || sent["stream"] === true }),
  });
  const body = await answer.text();
  const isFramed = target.framed && answer.ok;
  const type = isFramed ? "application/vnd.amazon.eventstream" : (answer.headers.get("content-type") ?? "");
  response.writeHead(answer.status, { "content-type": type }).end(isFramed ? asEventStream(body) : body);
}

function targetOf(path: string): Target {
  const [, invoked, how] = /^\/model\/(.+)\/(invoke|invoke-with-response-stream)$/u.exec(path) ?? [];
  if (invoked !== undefined) {
    const stream = how === "invoke-with-response-stream";
    return { authorization: signature, model: invoked, stream, framed: stream };
  }
  const publishers =
    /^\/projects\/[^/]+\/locations\/[^/]+\/publishers\/anthropic\/models\/(.+):(rawPredict|streamRawPredict)$/u;
  const [, predicted, predict] = publishers.exec(path) ?? [];
  if (predicted !== undefined) {
    return { authorization: /^Bearer /u, model: predicted, stream: predict === "streamRawPredict", framed: false };
  }
  if (/^\/v1\/messages(?:\?beta=true)?$/u.test(path)) {
    return { authorization: signature, model: undefined, stream: false, framed: false };
  }
  throw new Error(`no such address: ${path}`);
}
