import type { APIGatewayProxyEventV2WithJWTAuthorizer, Context } from "aws-lambda";
import { memoryHandler, type MemoryAnswer, type MemoryToolResult } from "../../../../src/adapters/lambda.ts";
import { contextWith, postEvent } from "../../lambda-events.ts";
import type { Answer, Driver } from "../driver.ts";
import { contentOf } from "./sent-results.ts";

type Handle<Event> = (event: Event, context: Context) => Promise<MemoryAnswer>;

/** One HTTP event for each turn; the answer is what the body of the response says. */
export const lambdaHttp: Driver = {
  name: "Lambda, HTTP event",
  passesIds: true,
  play(userMemory, turns) {
    const handler = memoryHandler({
      memory: { forUser: () => userMemory },
      scope: (event: APIGatewayProxyEventV2WithJWTAuthorizer) => ({
        user: String(event.requestContext.authorizer.jwt.claims["sub"]),
      }),
    });
    return playWith(
      turns,
      (message) => postEvent(message),
      async (event, context) => {
        const { body = "" } = await handler(event, context);
        return JSON.parse(body) as MemoryAnswer;
      },
    );
  },
};

/** One invocation by another program for each turn; event and answer pass through JSON, as Lambda passes them. */
export const lambdaDirect: Driver = {
  name: "Lambda, direct invocation",
  passesIds: true,
  play(userMemory, turns) {
    const handler = memoryHandler({
      memory: { forUser: () => userMemory },
      scope: ({ user }: { user: string; content: unknown }) => ({ user }),
    });
    return playWith(
      turns,
      (message) => asJson({ user: "dana", ...message }),
      async (event, context) => asJson(await handler(event, context)),
    );
  },
};

async function playWith<Event>(
  turns: Parameters<Driver["play"]>[1],
  eventOf: (message: { content: unknown[] }) => Event,
  handle: Handle<Event>,
): Promise<Answer[][]> {
  const answers: Answer[][] = [];
  for (const turn of turns) {
    const content = turn.map(({ id, input }) => ({ type: "tool_use", id, name: "memory", input }));
    const answer = await handle(eventOf({ content }), contextWith());
    const byId = new Map(answer.content.map((result) => [result.tool_use_id, result]));
    answers.push(turn.map(({ id }) => answerOf(byId.get(id))));
  }
  return answers;
}

function answerOf(result: MemoryToolResult | undefined): Answer {
  if (result === undefined) throw new Error("A call was not answered.");
  return { isError: result.is_error ?? false, content: contentOf(result.content) };
}

function asJson<Value>(value: Value): Value {
  return JSON.parse(JSON.stringify(value)) as Value;
}
