import type { APIGatewayProxyEventV2WithJWTAuthorizer } from "aws-lambda";
import { createS3Memory } from "s3-memory-tool";

/** Once for each environment that Lambda starts, beside the handler. */
export const memory = createS3Memory({ bucket: process.env["MEMORY_BUCKET"] ?? "", prefix: "agents" });
await memory.warm(); // during init: the first event finds the code loaded and the connection open

/** Who asks, by the token that the authorizer has checked. */
export function userOf({ requestContext }: APIGatewayProxyEventV2WithJWTAuthorizer): string | undefined {
  const { sub } = requestContext.authorizer.jwt.claims;
  return typeof sub === "string" ? sub : undefined;
}
