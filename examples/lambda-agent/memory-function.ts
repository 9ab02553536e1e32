/** The memory tool for agents that run elsewhere: `tool_use` blocks in, `tool_result` blocks out. */
import type { APIGatewayProxyEventV2WithJWTAuthorizer } from "aws-lambda";
import { memoryHandler } from "s3-memory-tool/lambda";
import { memory, userOf } from "./memory.ts";

export const handler = memoryHandler({
  memory,
  scope: (event: APIGatewayProxyEventV2WithJWTAuthorizer) => ({ user: userOf(event) }),
});
