import { StreamableHTTPClientTransport, type Client } from "@modelcontextprotocol/client";
import { afterEach, describe, expect, it } from "vitest";
import { mcpHandler, type McpHandlerOptions, type MemoryScope } from "../../src/adapters/mcp.ts";
import { createMemory, type Memory } from "../../src/index.ts";
import { inMemoryStore } from "../../src/stores/in-memory-store.ts";
import { mcpClient, messageOf, rawRequest, served } from "./mcp-connections.ts";

const path = "/memories/notes.md";
const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Who a token belongs to; in earnest a signature is checked here. */
const byToken = ({ headers }: Request): MemoryScope | undefined => {
  const user = /^Bearer token-of-(\w+)$/.exec(headers.get("authorization") ?? "")?.[1];
  return user === undefined ? undefined : { user };
};

const handlerOf = (options: Partial<McpHandlerOptions> = {}) =>
  mcpHandler({ memory: createMemory({ store: inMemoryStore() }), authenticate: byToken, ...options });

async function clientOf(url: URL, token: string, revision?: Parameters<typeof mcpClient>[0]): Promise<Client> {
  const client = mcpClient(revision);
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  closing.push(() => client.close());
  return client;
}

async function serve(options: Partial<McpHandlerOptions>): Promise<URL> {
  const server = await served(handlerOf(options));
  closing.push(() => server.close());
  return server.url;
}

async function statusOf(options: Partial<McpHandlerOptions>, request: Request): Promise<number> {
  const handler = handlerOf({ authenticate: () => ({ user: "dana" }), ...options });
  return (await handler.fetch(request)).status;
}

const message = (method: string, params: object = {}): string =>
  JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
const callOf = (name: string, sent: object): string => message("tools/call", { name, arguments: sent });
const viewAll = callOf("memory_view", { path: "/memories" });
const asDana = { authorization: "Bearer token-of-dana" };

describe.each(["initialize", "2026-07-28"] as const)("over HTTP, for a client of %s", (revision) => {
  it("tools and resources do what they do on one connection", async () => {
    const client = await clientOf(await serve({}), "token-of-dana", revision);
    expect(client.getNegotiatedProtocolVersion()).toMatch(revision === "initialize" ? /^2025-/ : /^2026-07-28$/);
    expect((await client.listTools()).tools).toHaveLength(6);
    expect(await client.callTool({ name: "memory_create", arguments: { path, file_text: "one" } })).toMatchObject({
      content: [{ type: "text", text: "File created successfully at: /memories/notes.md" }],
    });
    expect(await client.callTool({ name: "memory_create", arguments: { path } })).toMatchObject({
      content: [{ type: "text", text: expect.stringMatching(/^Error: `file_text` is missing/) as string }],
      isError: true,
    });
    const uri = "memory:///memories/notes.md";
    expect((await client.listResources()).resources).toMatchObject([{ uri }]);
    expect(await client.readResource({ uri })).toMatchObject({ contents: [{ uri, text: "one" }] });
    await expect(client.readResource({ uri: "memory:///memories/../x" })).rejects.toThrow(/Resource not found/);
    await expect(client.callTool({ name: "search" })).rejects.toThrow(/There is no such tool/);
  });

  it("a listing is never an old one", async () => {
    const client = await clientOf(await serve({}), "token-of-dana", revision);
    expect((await client.listResources()).resources).toEqual([]);
    await client.callTool({ name: "memory_create", arguments: { path, file_text: "one" } });
    expect((await client.listResources()).resources).toHaveLength(1);
    await client.callTool({ name: "memory_delete", arguments: { path } });
    expect((await client.listResources()).resources).toEqual([]);
  });

  it("two users never see each other, though they use one handler at once", async () => {
    const store = inMemoryStore();
    const url = await serve({ memory: createMemory({ store }) });
    const users = ["dana", "eli", "fay"];
    const clients = await Promise.all(users.map((user) => clientOf(url, `token-of-${user}`, revision)));
    const rounds = Array.from({ length: 10 }, (_, round) => `/memories/${round}.md`);
    await Promise.all(
      clients.flatMap((client, index) =>
        rounds.map((file) =>
          client.callTool({ name: "memory_create", arguments: { path: file, file_text: `of ${users[index]}` } }),
        ),
      ),
    );
    for (const [index, client] of clients.entries()) {
      const { resources } = await client.listResources();
      expect(resources.map(({ name }) => name)).toEqual(rounds);
      for (const { uri } of resources) {
        expect((await client.readResource({ uri })).contents).toMatchObject([{ text: `of ${users[index]}` }]);
      }
    }
    expect(store.keys()).toHaveLength(users.length * rounds.length);
  });

  it("a client that hangs up ends its call", async () => {
    const store = inMemoryStore();
    const started = Promise.withResolvers<void>();
    const ended = Promise.withResolvers<void>();
    const memory = createMemory({
      store: {
        ...store,
        list: async ({ signal }) => {
          signal?.addEventListener("abort", () => ended.resolve());
          started.resolve();
          return new Promise(() => undefined);
        },
      },
    });
    const client = await clientOf(await serve({ memory }), "token-of-dana", revision);
    const call = client.callTool({ name: "memory_view", arguments: { path: "/memories" } });
    await started.promise;
    await client.close();
    await expect(call).rejects.toThrow();
    await ended.promise;
  });
});

describe("whose memory a request is about", () => {
  it("is what authenticate says, project and actor too", async () => {
    const store = inMemoryStore();
    const scope = { user: "dana", project: "crm", actor: "agent-7" };
    const handler = handlerOf({ memory: createMemory({ store }), authenticate: async () => scope });
    await messageOf(await handler.fetch(rawRequest(callOf("memory_create", { path, file_text: "x" }))));
    expect(store.keys()).toEqual(["users/dana/projects/crm/memories/notes.md"]);
    expect(store.peek("users/dana/projects/crm/memories/notes.md")?.metadata).toMatchObject({ actor: "agent-7" });
  });

  it("is nothing that the body says", async () => {
    const store = inMemoryStore();
    const handler = handlerOf({ memory: createMemory({ store }) });
    const claim = { user: "eli", project: "theirs", scope: { user: "eli" } };
    const params = { name: "memory_create", arguments: { path, file_text: "x", ...claim }, ...claim };
    const body = message("tools/call", { ...params, _meta: { ...claim, authInfo: { clientId: "eli" } } });
    await messageOf(await handler.fetch(rawRequest(body, { ...asDana, "x-user": "eli" })));
    expect(store.keys()).toEqual(["users/dana/memories/notes.md"]);
  });

  it("is asked without the body, which goes to the tool alone", async () => {
    const seen: unknown[] = [];
    const handler = handlerOf({
      authenticate: async (request) => {
        seen.push(request.method, request.headers.get("x-tenant"), await request.text());
        return { user: "dana" };
      },
    });
    const answer = await handler.fetch(rawRequest(viewAll, { "x-tenant": "7" }));
    expect(seen).toEqual(["POST", "7", ""]);
    expect((await messageOf(answer)).result?.isError).toBeUndefined();
  });

  it("may be a memory that is only read", async () => {
    const handler = handlerOf({ authenticate: () => ({ user: "dana", readOnly: true }) });
    const { result } = await messageOf(await handler.fetch(rawRequest(callOf("memory_delete", { path }))));
    expect(result?.content?.[0]?.text).toBe(`Error: ${path} is read-only`);
  });

  it.each([
    ["no scope", undefined],
    ["null", null],
    ["no user", {}],
    ["an empty user", { user: "" }],
    ["a blank user", { user: " \t" }],
  ])("is nobody's where there is %s: 401, and how to ask", async (_, scope) => {
    const handler = handlerOf({ authenticate: () => scope });
    const answer = await handler.fetch(rawRequest(viewAll, asDana));
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe("Bearer");
    expect(await answer.json()).toEqual({
      jsonrpc: "2.0",
      error: { code: -32_000, message: "Unauthorized" },
      id: null,
    });
  });

  it.each(["GET", "DELETE", "OPTIONS", "PUT"])("is asked for a %s too", async (method) => {
    const answer = await handlerOf().fetch(new Request("http://127.0.0.1/mcp", { method }));
    expect(answer.status).toBe(401);
  });

  it("may be answered by a response of one's own, such as where to get a token", async () => {
    const challenge = 'Bearer resource_metadata="https://example.com/.well-known/oauth-protected-resource"';
    const handler = handlerOf({
      authenticate: () => new Response(null, { status: 401, headers: { "www-authenticate": challenge } }),
    });
    const answer = await handler.fetch(rawRequest(viewAll));
    expect(answer.status).toBe(401);
    expect(answer.headers.get("www-authenticate")).toBe(challenge);
  });

  it.each([
    ["authenticate throws", () => Promise.reject(new Error("the key server is down: key-secret"))],
    ["the user id cannot be used", () => ({ user: "x".repeat(300) })],
    ["the scope has something else", () => ({ user: "dana", sub: "dana" }) as MemoryScope],
  ] as const)("is not known where %s: 500 without a word of it, and the operator hears", async (_, authenticate) => {
    const heard: unknown[] = [];
    const handler = handlerOf({ authenticate, onError: (error) => heard.push(error) });
    const answer = await handler.fetch(rawRequest(viewAll));
    expect(answer.status).toBe(500);
    expect(await answer.json()).toEqual({
      jsonrpc: "2.0",
      error: { code: -32_603, message: "Internal server error" },
      id: null,
    });
    expect(heard).toEqual([expect.any(Error)]);
  });

  it("is the operator's to hear even if the hook rejects", async () => {
    const handler = handlerOf({
      authenticate: () => Promise.reject(new Error("down")),
      // oxlint-disable-next-line typescript/no-misused-promises -- as an application may do all the same
      onError: () => Promise.reject(new Error("full")),
    });
    expect((await handler.fetch(rawRequest(viewAll))).status).toBe(500);
  });
});

describe("requests that are refused", () => {
  it.each([
    { origin: undefined, allowedOrigins: undefined, status: 200 },
    { origin: "https://evil.example", allowedOrigins: undefined, status: 403 },
    { origin: "http://localhost:3000", allowedOrigins: undefined, status: 403 },
    { origin: "null", allowedOrigins: ["app.example"], status: 403 },
    { origin: "https://app.example:8443", allowedOrigins: ["app.example"], status: 200 },
    { origin: "https://app.example.evil.example", allowedOrigins: ["app.example"], status: 403 },
  ])("by the page that sends them: $origin with $allowedOrigins", async ({ origin, allowedOrigins, status }) => {
    const request = rawRequest(viewAll, origin === undefined ? {} : { origin });
    expect(await statusOf(allowedOrigins ? { allowedOrigins } : {}, request)).toBe(status);
  });

  it.each([
    { host: "localhost:8080", status: 200 },
    { host: "[::1]:8080", status: 200 },
    { host: "rebound.evil.example", status: 403 },
    { host: "localhost.evil.example", status: 403 },
    { host: "", status: 403 },
  ])("by the name that they were sent to: $host", async ({ host, status }) => {
    const request = rawRequest(viewAll, { host });
    expect(await statusOf({ allowedHosts: ["localhost", "[::1]"] }, request)).toBe(status);
  });

  it("before anybody is asked who it is", async () => {
    let asked = 0;
    const handler = handlerOf({
      authenticate: () => {
        asked += 1;
        return { user: "dana" };
      },
    });
    await handler.fetch(rawRequest(viewAll, { origin: "https://evil.example" }));
    expect(asked).toBe(0);
  });

  it("by their size", async () => {
    const large = rawRequest(callOf("memory_create", { path, file_text: "x".repeat(1000) }));
    expect(await statusOf({ maxRequestBodySize: 500 }, large)).toBe(413);
    const huge = rawRequest(callOf("memory_create", { path, file_text: "x".repeat(4 * 1024 * 1024) }));
    expect(await statusOf({}, huge)).toBe(413);
  });

  it.each([
    ["415", rawRequest(viewAll, { "content-type": "text/plain" })],
    ["400", rawRequest("{ no json")],
    ["405", new Request("http://127.0.0.1/mcp")],
  ] as const)("by their form: %s", async (status, request) => {
    expect(await statusOf({}, request)).toBe(Number(status));
  });

  it("because they come after the handler was closed", async () => {
    const handler = handlerOf({ onError: () => undefined });
    await handler.close();
    expect((await handler.fetch(rawRequest(viewAll, asDana))).status).toBe(500);
  });
});

describe("options that make no sense", () => {
  it.each([
    [{ authenticate: undefined }, /mcpHandler: option authenticate is undefined. Expected a function/],
    [{ memory: {} }, /option memory is an object. Expected a memory, as createS3Memory makes it/],
    [{ maxRequestBodySize: 0 }, /option maxRequestBodySize is 0. Expected a whole number of bytes/],
    [{ allowedHosts: "localhost" }, /option allowedHosts is "localhost". Expected an array of host names/],
    [{ authorise: () => undefined }, /there is no option authorise/],
  ])("are refused at once: %o", (options, text) => {
    const memory: Memory = createMemory({ store: inMemoryStore() });
    const all = { memory, authenticate: () => undefined, ...options } as unknown as McpHandlerOptions;
    expect(() => mcpHandler(all)).toThrow(text);
  });
});
