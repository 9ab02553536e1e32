import type { APIGatewayProxyEventV2 } from "aws-lambda";
import { formatSize } from "../../core/text/size.ts";
import { Problem } from "./problem.ts";

/** The JSON that an HTTP event carries. Throws a problem where it is none, or larger than so many bytes. */
export function readBody(event: APIGatewayProxyEventV2, bodyBytes: number): unknown {
  const { isBase64Encoded, requestContext } = event;
  const body = event.body ?? "";
  if (requestContext.http.method !== "POST") throw new Problem(405, "Only POST is answered here.");
  if (!isJson(contentTypeOf(event)))
    throw new Problem(415, "The body must be JSON, with content-type: application/json.");
  // Looked at before it is decoded.
  if (Buffer.byteLength(body, isBase64Encoded ? "base64" : "utf8") > bodyBytes) {
    throw new Problem(413, `The body may have ${formatSize(bodyBytes)} at most.`);
  }
  try {
    return JSON.parse(isBase64Encoded ? decoder.decode(Buffer.from(body, "base64")) : body);
  } catch {
    throw new Problem(400, "The body is not JSON.");
  }
}

const decoder = new TextDecoder("utf-8", { fatal: true });

function contentTypeOf({ headers }: APIGatewayProxyEventV2): string {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1] ?? "";
}

function isJson(contentType: string): boolean {
  return /^\s*application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i.test(contentType);
}
