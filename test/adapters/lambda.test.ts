import type { APIGatewayProxyHandlerV2WithJWTAuthorizer } from "aws-lambda";
import { describe, expect, it } from "vitest";
import { memoryHandler, type MemoryAnswer } from "../../src/adapters/lambda.ts";
import { createMemory } from "../../src/index.ts";
import { inMemoryStore } from "../../src/stores/in-memory-store.ts";
import { contextWith, postEvent } from "./lambda-events.ts";
import { contentOf, create, handlerOn, memoryOf, path, scope, use, view, type HttpAnswer } from "./lambda-fixtures.ts";

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe("memoryHandler on an HTTP event", () => {
  it("is a handler as Lambda's own types have it", () => {
    const handler: APIGatewayProxyHandlerV2WithJWTAuthorizer = memoryHandler({ memory: memoryOf(), scope });
    expect(handler).toHaveLength(2); // three would be the form with a callback, which Node 24's runtime refuses
  });

  it("answers one tool_result for each tool_use, in their order", async () => {
    const answer = await handlerOn(memoryOf())(postEvent({ content: [create, view] }));
    expect(answer).toEqual({
      statusCode: 200,
      headers: { "content-type": "application/json", "cache-control": "no-store" },
      body: expect.any(String),
    });
    expect(contentOf(answer)).toEqual([
      { type: "tool_result", tool_use_id: "toolu_1", content: `File created successfully at: ${path}` },
      {
        type: "tool_result",
        tool_use_id: "toolu_2",
        content: `Here's the content of ${path} with line numbers:\n     1\tone`,
      },
    ]);
  });

  it.each([
    { shape: "one block", body: create },
    { shape: "an array of blocks", body: [create] },
    { shape: "a message of the Messages API", body: { id: "msg_1", role: "assistant", content: [create] } },
  ])("takes $shape", async ({ body }) => {
    const content = contentOf(await handlerOn(memoryOf())(postEvent(body)));
    expect(content).toEqual([expect.objectContaining({ tool_use_id: "toolu_1" })]);
  });

  it("leaves alone what is no call of memory", async () => {
    const others = [
      { type: "text", text: "I note it." },
      { type: "tool_use", id: "toolu_9", name: "weather", input: {} },
      { type: "server_tool_use", id: "srvtoolu_1", name: "memory", input: {} },
    ];
    const content = contentOf(await handlerOn(memoryOf())(postEvent({ content: [...others, create] })));
    expect(content.map((result) => result.tool_use_id)).toEqual(["toolu_1"]);
  });

  it("reads a body in base64", async () => {
    const memory = memoryOf();
    const input = { command: "create", path, file_text: "Zürich 🏔\n" };
    const body = Buffer.from(JSON.stringify(use("toolu_1", input))).toString("base64");
    const answer = await handlerOn(memory)(postEvent({}, { body, isBase64Encoded: true }));
    expect(answer.statusCode).toBe(200);
    expect((await memory.forUser("dana").files.read(path))?.text).toBe("Zürich 🏔\n");
  });

  it.each([
    { what: "null", input: null, text: /^Error: The input should be an object/u },
    { what: "no input at all", input: undefined, text: /^Error: The input should be an object/u },
    { what: "a command in the wrong case", input: { command: "View", path }, text: /^Error: .*`View`/u },
    {
      what: "a number as a string",
      input: { command: "insert", path, insert_line: "0", insert_text: "x" },
      text: /^Error: .*`insert_line`/u,
    },
  ])("lets the memory answer an input that is $what", async ({ input, text }) => {
    const answer = await handlerOn(memoryOf())(postEvent(use("toolu_1", input)));
    expect(answer.statusCode).toBe(200);
    expect(contentOf(answer)).toEqual([
      { type: "tool_result", tool_use_id: "toolu_1", content: expect.stringMatching(text), is_error: true },
    ]);
  });

  it("does nothing twice when an event is delivered again", async () => {
    const memory = memoryOf();
    await memory.forUser("dana").files.write(path, "one\n", { ifAbsent: true });
    const event = postEvent(use("toolu_1", { command: "insert", path, insert_line: 1, insert_text: "two\n" }));
    const handle = handlerOn(memory);
    const answers = [await handle(event), await handle(event)];
    expect(answers[1]).toEqual(answers[0]);
    expect((await memory.forUser("dana").files.read(path))?.text).toBe("one\ntwo\n");
  });

  it("does nothing twice of the largest event that is taken, though all of it is about one file", async () => {
    const memory = memoryOf();
    await memory.forUser("dana").files.write(path, "0\n", { ifAbsent: true });
    const inserts = Array.from({ length: 16 }, (_, index) =>
      use(`toolu_${index}`, { command: "insert", path, insert_line: index + 1, insert_text: `${index + 1}\n` }),
    );
    const handle = handlerOn(memory);
    for (const delivery of [1, 2]) {
      const { statusCode } = await handle(postEvent(inserts));
      const lines = (await memory.forUser("dana").files.read(path))?.text.split("\n");
      expect({ delivery, statusCode, lines: lines?.length }).toEqual({ delivery, statusCode: 200, lines: 18 });
    }
    const oneMore = use("toolu_16", { command: "view", path });
    expect((await handle(postEvent([...inserts, oneMore]))).statusCode).toBe(400);
  });

  it("carries out the calls of one event in their order where they are about the same file", async () => {
    const memory = memoryOf();
    const edits = ["two", "three", "four"].map((word, index) =>
      use(`toolu_edit_${index}`, { command: "insert", path, insert_line: index + 1, insert_text: word }),
    );
    await handlerOn(memory)(postEvent([create, ...edits]));
    expect((await memory.forUser("dana").files.read(path))?.text).toBe("one\ntwo\nthree\nfour\n");
  });
});

describe("an answer that is too large for Lambda", () => {
  it("loses its largest result to an error, and nothing else", async () => {
    const store = inMemoryStore();
    const png = new Uint8Array(4_900_000);
    png.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    store.plant("users/dana/memories/map.png", png);
    const calls = [create, use("toolu_map", { command: "view", path: "/memories/map.png" }), view];
    const answer = await handlerOn(createMemory({ store }))(postEvent(calls));
    expect(answer.statusCode).toBe(200);
    expect(contentOf(answer)).toEqual([
      expect.objectContaining({ tool_use_id: "toolu_1", content: `File created successfully at: ${path}` }),
      {
        type: "tool_result",
        tool_use_id: "toolu_map",
        content:
          "Error: The answer to this command is too large to be sent (6.2M). " +
          "What the command does is done; view less at once.",
        is_error: true,
      },
      expect.objectContaining({ tool_use_id: "toolu_2", content: expect.stringContaining("one") }),
    ]);
    expect(bytesOf(answer)).toBeLessThan(1_000);
  });

  it("is measured as Lambda sends it, every quote and line end escaped twice", async () => {
    const memory = memoryOf();
    await memory.forUser("dana").files.write(path, '"'.repeat(2_000), { ifAbsent: true });
    const whole = bytesOf(await handlerOn(memory)(postEvent(view)));
    const limited = (responseBytes: number): Promise<HttpAnswer> =>
      handlerOn(memory, { limits: { responseBytes } })(postEvent(view));
    expect(contentOf(await limited(whole))[0]).not.toHaveProperty("is_error");
    expect(contentOf(await limited(whole - 1))[0]).toHaveProperty("is_error", true);
  });

  it("is sent as it is where errors would not make it smaller", async () => {
    const answer = await handlerOn(memoryOf(), { limits: { responseBytes: 1 } })(postEvent([create, view]));
    expect(contentOf(answer)).toHaveLength(2);
  });
});

describe("memoryHandler on a direct invocation", () => {
  interface Invocation {
    readonly user?: string;
    readonly content: unknown;
  }
  const invoke = (event: unknown, memory = memoryOf()): Promise<MemoryAnswer> =>
    memoryHandler({ memory, scope: ({ user }: Invocation) => ({ user }), onError: () => undefined })(
      event as Invocation,
      contextWith(),
    );

  it("answers what the caller's own program sent, on behalf of whom it says", async () => {
    const memory = memoryOf();
    expect(await invoke({ user: "dana", content: [create] }, memory)).toEqual({
      content: [{ type: "tool_result", tool_use_id: "toolu_1", content: `File created successfully at: ${path}` }],
    });
    expect((await memory.forUser("dana").files.read(path))?.text).toBe("one\n");
  });

  it.each([
    {
      what: "nobody is named",
      event: { content: [create] },
      name: "Unauthorized",
      message: /^Unauthorized: It is not/u,
    },
    {
      what: "there is no call",
      event: { user: "dana", content: [] },
      name: "BadRequest",
      message: /^Bad Request: There/u,
    },
    {
      what: "the scope throws",
      event: null,
      name: "InternalServerError",
      message: /^Internal Server Error: The func/u,
    },
  ])("rejects where $what, so that the event is not lost silently", async ({ event, name, message }) => {
    const error: unknown = await invoke(event).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name, message: expect.stringMatching(message) });
    // Lambda sends the stack too.
    expect((error as Error).stack).toBe(`${name}: ${(error as Error).message}`);
  });
});
