/** What an HTTP API with a JWT authorizer sends for a POST: who asks, and what. Without a user the token has no `sub`. */
export function httpEvent(path: string, user: string | undefined, json: unknown): Readonly<Record<string, unknown>> {
  const claims = user === undefined ? {} : { sub: user };
  return {
    version: "2.0",
    routeKey: `POST ${path}`,
    rawPath: path,
    rawQueryString: "",
    headers: { "content-type": "application/json" },
    requestContext: {
      accountId: "123456789012",
      apiId: "api",
      authorizer: { jwt: { claims, scopes: null } },
      domainName: "api.example.com",
      domainPrefix: "api",
      http: { method: "POST", path, protocol: "HTTP/1.1", sourceIp: "192.0.2.1", userAgent: "example" },
      requestId: "request",
      routeKey: `POST ${path}`,
      stage: "$default",
      time: "01/Dec/2026:00:00:00 +0000",
      timeEpoch: 1_796_083_200_000,
    },
    body: typeof json === "string" ? json : JSON.stringify(json),
    isBase64Encoded: false,
  };
}

/** A `tool_use` block of the memory tool's. */
export function memoryUse(id: string, input: unknown): Readonly<Record<string, unknown>> {
  return { type: "tool_use", id, name: "memory", input };
}
