import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from "aws-lambda";
import type { MemoryToolResult } from "../tool/tool-result.ts";
import { readBody } from "./body.ts";
import { Problem } from "./problem.ts";

/** What comes in with an event, and how it is answered. */
export interface Exchange<Event> {
  /** The event without the body: whose memory it is must be told from the rest. */
  readonly envelope: () => Event;
  /** What was sent to be carried out, of any shape. Throws a problem where there is none. */
  readonly payload: (bodyBytes: number) => unknown;
  readonly answer: (content: readonly MemoryToolResult[]) => unknown;
  readonly refuse: (problem: Problem) => unknown;
}

/** HTTP of the payload format 2.0, HTTP of another format, or a direct invocation. */
export function exchangeOf<Event>(event: Event): Exchange<Event> {
  const { requestContext, httpMethod } = fieldsOf(event);
  const isHttp = typeof fieldsOf(fieldsOf(requestContext)["http"])["method"] === "string";
  // eslint-disable-next-line typescript/no-unsafe-type-assertion -- API Gateway or the function URL made it
  if (isHttp) return httpExchange(event as Event & APIGatewayProxyEventV2);
  return typeof httpMethod === "string" ? foreignExchange() : directExchange(event);
}

function httpExchange<Event extends APIGatewayProxyEventV2>(event: Event): Exchange<Event> {
  return {
    envelope() {
      const { body: _, ...envelope } = event;
      // eslint-disable-next-line typescript/no-unsafe-type-assertion -- the body is optional in all of these events
      return envelope as Event;
    },
    payload: (bodyBytes) => readBody(event, bodyBytes),
    answer: (content) => httpAnswer(200, { "content-type": "application/json" }, { content }),
    refuse: httpProblem,
  };
}

/** The payload format 1.0, or a load balancer's: they understand the same answer, if not the same questions. */
function foreignExchange<Event>(): Exchange<Event> {
  return { envelope: refuseForeign, payload: refuseForeign, answer: refuseForeign, refuse: httpProblem };
}

function refuseForeign(): never {
  const cause = new TypeError(
    "memoryHandler: the event is HTTP, but not of the payload format 2.0. Choose that format.",
  );
  throw new Problem(500, "The function is not set up for this kind of request.", cause);
}

/**
 * A problem is thrown: what is returned counts as success, and where nobody waits for the answer (an event that was queued)
 * it would be lost without a trace. A repeated delivery does nothing twice.
 */
function directExchange<Event>(event: Event): Exchange<Event> {
  return {
    envelope: () => event,
    payload: () => event,
    answer: (content) => ({ content }),
    refuse: (problem) => {
      throw problem;
    },
  };
}

function httpProblem({ status, headers, body }: Problem): APIGatewayProxyStructuredResultV2 {
  return httpAnswer(status, headers, body);
}

function httpAnswer(
  statusCode: number,
  headers: Readonly<Record<string, string>>,
  body: unknown,
): APIGatewayProxyStructuredResultV2 {
  return { statusCode, headers: { ...headers, "cache-control": "no-store" }, body: JSON.stringify(body) };
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
