import { describe, expect, it, vi } from "vitest";
import { memoryHandler, type MemoryHandlerOptions } from "../../src/adapters/lambda.ts";
import type { Memory } from "../../src/index.ts";
import { contextWith, postEvent, requestContext } from "./lambda-events.ts";
import {
  contentOf,
  create,
  handlerOn,
  memoryOf,
  path,
  problem,
  scope,
  use,
  view,
  type HttpAnswer,
  type HttpEvent,
} from "./lambda-fixtures.ts";

describe("the identity", () => {
  it("is what the scope says of the authorizer's claims, with the project, the actor and the leave to write", async () => {
    const memory = memoryOf();
    const handle = handlerOn(memory, {
      scope: ({ requestContext: { authorizer } }) => ({
        user: String(authorizer.jwt.claims["sub"]),
        project: "crm",
        readOnly: authorizer.jwt.claims["role"] === "reader",
        actor: undefined,
      }),
    });
    const reader = requestContext({ sub: "dana", role: "reader" });
    expect(contentOf(await handle(postEvent(create, { requestContext: reader })))).toEqual([
      expect.objectContaining({ content: `Error: ${path} is read-only`, is_error: true }),
    ]);
    await handle(postEvent(create));
    expect((await memory.forUser("dana", { project: "crm" }).files.read(path))?.text).toBe("one\n");
  });

  it("cannot be told from the body, which the scope is not shown", async () => {
    const seen: unknown[] = [];
    const handle = handlerOn(memoryOf(), {
      scope: (event) => {
        seen.push(event);
        return scope(event);
      },
    });
    const event = postEvent({ user: "mallory", content: [create] });
    await handle(event);
    const { body: _, ...rest } = event;
    expect(seen).toEqual([rest]);
    expect(event.body).toBeDefined();
  });

  it("may take its time", async () => {
    const handle = handlerOn(memoryOf(), { scope: async () => ({ user: "dana" }) });
    expect((await handle(postEvent(create))).statusCode).toBe(200);
  });

  it.each([undefined, null, {}, { user: undefined }, { user: "" }, { user: " \t" }])(
    "is missing where the scope answers %j: 401",
    async (nobody) => {
      const memory = { forUser: vi.fn<Memory["forUser"]>() };
      const handler = memoryHandler({ memory, scope: () => nobody });
      const answer = await handler(postEvent("not looked at"), contextWith());
      expect(answer).toEqual(problem(401, "Unauthorized", "It is not known whose memory this is about."));
      expect(answer.headers).toHaveProperty("www-authenticate", "Bearer");
      expect(memory.forUser).not.toHaveBeenCalled();
    },
  );

  it.each([
    {
      what: "a scope that throws",
      broken: () => {
        throw new Error("secret of idp.internal");
      },
      told: "secret of idp.internal",
    },
    {
      what: "a scope that rejects",
      broken: () => Promise.reject(new Error("secret of idp.internal")),
      told: "secret of idp.internal",
    },
    { what: "a user id that is too long", broken: () => ({ user: "x".repeat(300) }), told: "200 bytes" },
    { what: "a user that is no text", broken: () => ({ user: 7 as unknown as string }), told: "user" },
    { what: "a misspelt option", broken: () => ({ user: "dana", readonly: true }), told: "readonly" },
  ])("is the operator's matter with $what: reported, and a neutral 500", async ({ broken, told }) => {
    const errors: unknown[] = [];
    const onError = (error: unknown): never => {
      errors.push(error);
      throw new Error("a reporter that is broken too");
    };
    const answer = await handlerOn(memoryOf(), { scope: broken, onError })(postEvent(create));
    expect(answer).toEqual(problem(500, "Internal Server Error", "The function could not carry this out."));
    expect(errors).toEqual([expect.objectContaining({ message: expect.stringContaining(told) })]);
  });

  it("is reported to the console where nobody else is named", async () => {
    const log = vi.spyOn(console, "error").mockReturnValue();
    const fault = new Error("no claims");
    await handlerOn(memoryOf(), { scope: () => Promise.reject(fault) })(postEvent(create));
    expect(log.mock.calls).toEqual([["[s3-memory-tool] memoryHandler:", fault]]);
    log.mockRestore();
  });
});

describe("a body that is not carried out", () => {
  const block = "Expected a tool_use block, an array of content blocks, or an object that has it as `content`.";
  const none = "There is no tool_use block of the tool `memory`.";

  it.each([
    { what: "no JSON", body: "{", detail: "The body is not JSON." },
    { what: "nothing", body: undefined, detail: "The body is not JSON." },
    { what: "null", body: "null", detail: block },
    { what: "a text", body: '"view"', detail: block },
    { what: "an object of another kind", body: '{"command":"view","path":"/memories"}', detail: block },
    { what: "content that is a text", body: '{"content":"hello"}', detail: block },
    { what: "an array with something else", body: "[1]", detail: "Block 0 is not a content block: it has no type." },
    { what: "no block", body: "[]", detail: none },
    { what: "no call of memory", body: JSON.stringify({ content: [{ type: "text", text: "Hi" }] }), detail: none },
    { what: "a call without an id", body: '[{"type":"tool_use","name":"memory"}]', detail: "Block 0 has no id." },
    { what: "a call with an empty id", body: JSON.stringify([view, use("", {})]), detail: "Block 1 has no id." },
    {
      what: "a call with a number as its id",
      body: JSON.stringify([{ ...view, id: 7 }]),
      detail: "Block 0 has no id.",
    },
    {
      what: "an id that is there twice",
      body: JSON.stringify([create, create]),
      detail: "Two calls have the same id.",
    },
  ])("has $what: 400", async ({ body, detail }) => {
    const event = postEvent({});
    const { body: _, ...empty } = event;
    const answer = await handlerOn(memoryOf())(body === undefined ? empty : { ...event, body });
    expect(answer).toEqual(problem(400, "Bad Request", detail));
  });

  it.each(["max_tokens", "refusal", "model_context_window_exceeded"])(
    "is a message that ended by %s, whose last call may lack a field: 400, and none is carried out",
    async (reason) => {
      const memory = memoryOf();
      const answer = await handlerOn(memory)(postEvent({ stop_reason: reason, content: [create] }));
      const detail = "The message was cut off or refused, so no call of it is carried out: see its stop_reason.";
      expect(answer).toEqual(problem(400, "Bad Request", detail));
      expect(await memory.forUser("dana").files.read(path)).toBeUndefined();
      expect((await handlerOn(memory)(postEvent({ stop_reason: "tool_use", content: [create] }))).statusCode).toBe(200);
    },
  );

  it("has bytes in base64 that are not UTF-8: 400", async () => {
    const body = Buffer.from([0x22, 0xff, 0x22]).toString("base64");
    const answer = await handlerOn(memoryOf())(postEvent({}, { body, isBase64Encoded: true }));
    expect(answer).toEqual(problem(400, "Bad Request", "The body is not JSON."));
  });

  it("has more calls than are allowed: 400, and none is carried out", async () => {
    const memory = memoryOf();
    const answer = await handlerOn(memory, { limits: { calls: 1 } })(postEvent([create, view]));
    expect(answer).toEqual(problem(400, "Bad Request", "There may be 1 calls at most; these are 2."));
    expect(await memory.forUser("dana").files.read(path)).toBeUndefined();
    const many = Array.from({ length: 17 }, (_, index) => use(`toolu_${index}`, { command: "view", path }));
    expect((await handlerOn(memory)(postEvent(many.slice(1)))).statusCode).toBe(200);
    expect((await handlerOn(memory)(postEvent(many))).statusCode).toBe(400);
  });

  it.each([{ isBase64Encoded: false }, { isBase64Encoded: true }])(
    "is larger than allowed: 413 ($isBase64Encoded)",
    async ({ isBase64Encoded }) => {
      const json = JSON.stringify(create);
      const body = isBase64Encoded ? Buffer.from(json).toString("base64") : json;
      const sent = (bodyBytes: number): Promise<HttpAnswer> =>
        handlerOn(memoryOf(), { limits: { bodyBytes } })(postEvent({}, { body, isBase64Encoded }));
      expect((await sent(json.length)).statusCode).toBe(200);
      expect(await sent(json.length - 1)).toEqual(
        problem(413, "Content Too Large", `The body may have ${json.length - 1}B at most.`),
      );
    },
  );

  it("is counted in bytes, and is 1 MiB at most unless told otherwise", async () => {
    const tooLarge = postEvent({ pad: "é".repeat(600_000), content: [view] });
    const answer = await handlerOn(memoryOf())(tooLarge);
    expect(answer).toEqual(problem(413, "Content Too Large", "The body may have 1.0M at most."));
    expect((await handlerOn(memoryOf())(postEvent({ pad: "e".repeat(600_000), content: [view] }))).statusCode).toBe(
      200,
    );
  });

  it.each([undefined, "", "text/plain", "application/x-www-form-urlencoded", "application/jsonp"])(
    "calls itself %j: 415",
    async (type) => {
      const answer = await handlerOn(memoryOf())(postEvent(create, { headers: { "content-type": type } }));
      const detail = "The body must be JSON, with content-type: application/json.";
      expect(answer).toEqual(problem(415, "Unsupported Media Type", detail));
    },
  );

  it.each([
    { "Content-Type": "application/json; charset=utf-8" },
    { "content-type": "Application/JSON" },
    { "content-type": "application/vnd.example+json" },
  ])("may call itself JSON in every way: %j", async (headers) => {
    expect((await handlerOn(memoryOf())(postEvent(create, { headers }))).statusCode).toBe(200);
  });

  it.each(["GET", "PUT", "DELETE"])("comes with %s: 405", async (method) => {
    const answer = await handlerOn(memoryOf())(
      postEvent(create, { requestContext: requestContext(undefined, method) }),
    );
    expect(answer).toEqual(problem(405, "Method Not Allowed", "Only POST is answered here."));
    expect(answer.headers).toHaveProperty("allow", "POST");
  });

  it("comes in the payload format 1.0: reported, and a neutral 500", async () => {
    const onError = vi.fn<(error: unknown) => void>();
    const event = { version: "1.0", httpMethod: "POST", headers: {}, body: JSON.stringify(create), requestContext: {} };
    const answer = await handlerOn(memoryOf(), { onError })(event as unknown as HttpEvent);
    expect(answer).toEqual(
      problem(500, "Internal Server Error", "The function is not set up for this kind of request."),
    );
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ message: expect.stringContaining("format 2.0") })]]);
  });
});

describe("options that make no sense", () => {
  const good = { memory: memoryOf(), scope };

  it.each([
    { options: undefined, text: "memoryHandler: the options are undefined. Expected an object." },
    {
      options: { scope },
      text: "memoryHandler: option memory is undefined. Expected a memory, as createS3Memory makes it.",
    },
    { options: { memory: good.memory }, text: "memoryHandler: option scope is undefined. Expected a function." },
    { options: { ...good, scope: "dana" }, text: 'memoryHandler: option scope is "dana". Expected a function.' },
    { options: { ...good, onError: true }, text: "memoryHandler: option onError is true. Expected a function." },
    {
      options: { ...good, marginMilliseconds: -1 },
      text: "memoryHandler: option marginMilliseconds is -1. Expected a whole number of milliseconds from 0 to 900000.",
    },
    {
      options: { ...good, limits: { calls: 0 } },
      text: "memoryHandler: option limits.calls is 0. Expected a whole number, at least 1.",
    },
    {
      options: { ...good, limit: {} },
      text:
        "memoryHandler: there is no option limit. " +
        "Expected one of: memory, scope, limits, onError, marginMilliseconds.",
    },
  ])("are refused at once: $text", ({ options, text }) => {
    expect(() => memoryHandler(options as unknown as MemoryHandlerOptions<HttpEvent>)).toThrow(new TypeError(text));
  });
});
