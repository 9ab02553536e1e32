import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from "aws-lambda";
import { beforeDeadline } from "./lambda/deadline.ts";
import { exchangeOf } from "./lambda/exchange.ts";
import { resolveHandlerOptions, type MemoryHandlerOptions } from "./lambda/handler-options.ts";
import { asProblem, Problem } from "./lambda/problem.ts";
import { answerWithin } from "./lambda/response-size.ts";
import { toolCalls } from "./lambda/tool-calls.ts";
import { memoryOf } from "./tool/scope.ts";
import { toolResult, type MemoryToolResult } from "./tool/tool-result.ts";

export { beforeDeadline } from "./lambda/deadline.ts";
export type { DeadlineOptions } from "./lambda/deadline.ts";
export type { MemoryHandlerOptions } from "./lambda/handler-options.ts";
export type { MemoryOfUsers, MemoryScope } from "./tool/scope.ts";
export type { MemoryToolResult } from "./tool/tool-result.ts";

/** The `tool_result` blocks of the memory tool's calls, in the order of the calls. */
export interface MemoryAnswer {
  readonly content: readonly MemoryToolResult[];
}

/** A handler of Lambda's for HTTP events, or for direct invocations. */
export type MemoryHandler<Event> = (
  event: Event,
  context: Context,
) => Promise<Event extends APIGatewayProxyEventV2 ? APIGatewayProxyStructuredResultV2 : MemoryAnswer>;

/**
 * The memory tool as a function of Lambda's. The body of an HTTP event (payload format 2.0: HTTP APIs and function URLs), or
 * the event of a direct invocation, has the `tool_use` blocks: one, an array of them, or `{ content }`, as a message of the
 * Messages API has them. What is no call of `memory` is left to you.
 *
 * HTTP events are always answered: 200 with a {@link MemoryAnswer} as JSON, else 400, 401, 405, 413, 415 or 500 with a
 * problem (RFC 9457). Direct invocations are answered with a {@link MemoryAnswer}, or reject with an error named for the
 * problem: `BadRequest`, `Unauthorized`, `InternalServerError`. Throws a `TypeError` for options that make no sense.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export function memoryHandler<Event = APIGatewayProxyEventV2>(
  options: MemoryHandlerOptions<Event>,
): MemoryHandler<Event> {
  const { memory, scope, limits, marginMilliseconds, report } = resolveHandlerOptions(options);

  async function handle(event: Event, context: Context): Promise<unknown> {
    const exchange = exchangeOf(event);
    try {
      const userMemory = memoryOf(memory, await scope(exchange.envelope(), context));
      if (userMemory === undefined) throw new Problem(401, "It is not known whose memory this is about.");
      const calls = toolCalls(exchange.payload(limits.bodyBytes), limits.calls);
      const content = await beforeDeadline(
        context,
        (signal) => Promise.all(calls.map((call) => toolResult(userMemory, call, { signal }))),
        { marginMilliseconds },
      );
      return answerWithin(limits.responseBytes, content, exchange.answer);
    } catch (error) {
      const problem = asProblem(error);
      if (problem.status === 500) await report(problem.cause);
      return exchange.refuse(problem);
    }
  }

  // The exchange answers as the kind of the event asks for.
  // eslint-disable-next-line typescript/no-unsafe-type-assertion
  return handle as MemoryHandler<Event>;
}
