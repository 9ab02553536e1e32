import type { APIGatewayProxyEventV2WithJWTAuthorizer, Context } from "aws-lambda";

type HttpEvent = APIGatewayProxyEventV2WithJWTAuthorizer;

/** A context of Lambda's, of a function that has so long to go. */
export function contextWith(remainingMilliseconds = 60_000): Context {
  return {
    callbackWaitsForEmptyEventLoop: true,
    functionName: "memory",
    functionVersion: "$LATEST",
    invokedFunctionArn: "arn:aws:lambda:us-east-1:123456789012:function:memory",
    memoryLimitInMB: "512",
    awsRequestId: "8476a536-e9f4-11e8-9739-2dfe598c3fcd",
    logGroupName: "/aws/lambda/memory",
    logStreamName: "2026/12/01/[$LATEST]1",
    getRemainingTimeInMillis: () => remainingMilliseconds,
    done: () => undefined,
    fail: () => undefined,
    succeed: () => undefined,
  };
}

/** The event of a POST with this as its JSON, as an HTTP API with a JWT authorizer makes it. */
export function postEvent(json: unknown, event: Partial<HttpEvent> = {}): HttpEvent {
  return {
    version: "2.0",
    routeKey: "POST /memory",
    rawPath: "/memory",
    rawQueryString: "",
    headers: { "content-type": "application/json", host: "api.example.com" },
    requestContext: requestContext(),
    body: JSON.stringify(json),
    isBase64Encoded: false,
    ...event,
  };
}

export function requestContext(
  claims: HttpEvent["requestContext"]["authorizer"]["jwt"]["claims"] = { sub: "dana" },
  method = "POST",
): HttpEvent["requestContext"] {
  return {
    accountId: "123456789012",
    apiId: "api",
    authorizer: { jwt: { claims, scopes: null } },
    domainName: "api.example.com",
    domainPrefix: "api",
    http: { method, path: "/memory", protocol: "HTTP/1.1", sourceIp: "192.0.2.1", userAgent: "test" },
    requestId: "request",
    routeKey: `${method} /memory`,
    stage: "$default",
    time: "01/Dec/2026:00:00:00 +0000",
    timeEpoch: 1_796_083_200_000,
  };
}
