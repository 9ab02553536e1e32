import { describe, expect, it } from "vitest";
import { createMcpServer, mcpHandler } from "../../src/adapters/mcp.ts";
import { commandTools, purposeOf } from "../../src/adapters/tool/definition.ts";
import { createMemory, type ObjectStore, type UserMemory, type UserOptions } from "../../src/index.ts";
import { inMemoryStore } from "../../src/stores/in-memory-store.ts";
import { connected, messageOf, rawRequest } from "./mcp-connections.ts";

const path = "/memories/notes.md";
const memoryOn = (store: ObjectStore = inMemoryStore(), options: UserOptions = {}): UserMemory =>
  createMemory({ store }).forUser("dana", options);

describe("the server of a memory", () => {
  it("lists a tool for each command, described and annotated as everywhere", async () => {
    const memory = memoryOn();
    const { tools } = await (await connected(memory)).listTools();
    expect(tools.map(({ name }) => name)).toEqual(
      ["view", "create", "str_replace", "insert", "delete", "rename"].map((command) => `memory_${command}`),
    );
    expect(tools).toEqual(
      commandTools(memory.settings).map(({ name, title, description, inputSchema, hints }) => ({
        name,
        title,
        description,
        inputSchema,
        annotations: {
          readOnlyHint: hints.readOnly,
          destructiveHint: hints.destructive,
          idempotentHint: hints.idempotent,
          openWorldHint: false,
        },
      })),
    );
  });

  it("says what the memory is for, who it is, and that it has tools and resources", async () => {
    const client = await connected(memoryOn(), { name: "notes", version: "2.1.0" });
    expect(client.getInstructions()).toBe(purposeOf({ readOnly: false, onExisting: "error" }));
    expect(client.getServerVersion()).toEqual({ name: "notes", version: "2.1.0" });
    expect(client.getServerCapabilities()).toEqual({ tools: {}, resources: {} });
  });

  it("lists memory_view alone where nothing may be written, and refuses the others all the same", async () => {
    const memory = memoryOn(inMemoryStore(), { readOnly: true });
    const client = await connected(memory);
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual(["memory_view"]);
    const refused = await client.callTool({ name: "memory_create", arguments: { path, file_text: "x" } });
    expect(refused).toEqual({ content: [{ type: "text", text: `Error: ${path} is read-only` }], isError: true });
  });

  it("answers a success and a failure with exactly the text of execute", async () => {
    const client = await connected(memoryOn());
    const create = { name: "memory_create", arguments: { path, file_text: "one\n" } };
    expect(await client.callTool(create)).toEqual({
      content: [{ type: "text", text: "File created successfully at: /memories/notes.md" }],
    });
    expect(await client.callTool(create)).toEqual({
      content: [{ type: "text", text: "Error: File /memories/notes.md already exists" }],
      isError: true,
    });
  });

  it("shows an image as an image", async () => {
    const store = inMemoryStore();
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0);
    store.plant("users/dana/memories/map.png", png);
    const client = await connected(memoryOn(store));
    const { content } = await client.callTool({ name: "memory_view", arguments: { path: "/memories/map.png" } });
    expect(content).toContainEqual({
      type: "image",
      mimeType: "image/png",
      data: Buffer.from(png).toString("base64"),
    });
  });

  it("hands a client's cancellation on to the store", async () => {
    const store = inMemoryStore();
    const controller = new AbortController();
    const aborted = Promise.withResolvers<void>();
    const memory = memoryOn({
      ...store,
      list: async ({ signal }) => {
        controller.abort();
        signal?.addEventListener("abort", () => aborted.resolve());
        return new Promise(() => undefined);
      },
    });
    const client = await connected(memory);
    const call = client.callTool(
      { name: "memory_view", arguments: { path: "/memories" } },
      { signal: controller.signal },
    );
    await expect(call).rejects.toThrow(/abort/i);
    await aborted.promise;
  });

  it("refuses options that make no sense at once", () => {
    expect(() => createMcpServer(memoryOn(), { name: "" })).toThrow(/createMcpServer: option name is ""/);
    const misspelt = { versions: "1" } as object;
    expect(() => createMcpServer(memoryOn(), misspelt)).toThrow(/there is no option versions. Expected one of/);
  });
});

describe("what a model gets wrong", () => {
  const memory = memoryOn();
  const handler = mcpHandler({ memory: { forUser: () => memory }, authenticate: () => ({ user: "dana" }) });
  const call = async (name: unknown, sent: string): ReturnType<typeof messageOf> => {
    const params = `{ "name": ${JSON.stringify(name)}, "arguments": ${sent} }`;
    return messageOf(
      await handler.fetch(rawRequest(`{ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": ${params} }`)),
    );
  };

  it.each([
    "null",
    "[]",
    '["/memories"]',
    '"/memories"',
    "5",
    "{}",
    '{ "path": null }',
    '{ "path": 5, "unknown": { "deep": [] } }',
    '{ "path": "/memories", "view_range": "1-2" }',
    '{ "path": "/memories", "view_range": ["1", 2] }',
    '{ "path": "\\ud800" }',
    '{ "__proto__": { "path": "/memories" } }',
    '{ "constructor": { "prototype": { "path": "/memories" } } }',
  ])("is answered as execute answers it: memory_view of %s", async (sent) => {
    const value: unknown = JSON.parse(sent);
    const fields = typeof value === "object" && !Array.isArray(value) ? value : {};
    const { isError, content } = await memory.execute({ ...fields, command: "view" });
    const { result } = await call("memory_view", sent);
    expect(result).toEqual({ content: [{ type: "text", text: content }], isError });
    expect(isError).toBe(true);
  });

  it("is answered without arguments too", async () => {
    const request = rawRequest('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"memory_delete"}}');
    const { result } = await messageOf(await handler.fetch(request));
    expect(result?.content?.[0]?.text).toMatch(/^Error: `path` is missing/);
  });

  it("cannot turn a tool into another one by an argument", async () => {
    await memory.files.write(path, "kept", { ifAbsent: true });
    const { result } = await call("memory_view", `{ "command": "delete", "path": ${JSON.stringify(path)} }`);
    expect(result?.content?.[0]?.text).toContain("kept");
    expect(await memory.files.read(path)).toMatchObject({ text: "kept" });
  });

  it.each(["memory_View", "memory_", "memory_constructor", "memory_toString", "memory___proto__", "memory_view "])(
    "is answered like a misspelt command: %s",
    async (name) => {
      const { content } = await memory.execute({ command: name.slice("memory_".length), path });
      const { result } = await call(name, `{ "path": ${JSON.stringify(path)} }`);
      expect(result).toEqual({ content: [{ type: "text", text: content }], isError: true });
      expect(content).toMatch(/^Error: `command` should be one of view, create/);
    },
  );

  it.each(["Memory_view", "MEMORY_DELETE"])("carries nothing out where only the case is wrong: %s", async (name) => {
    const { result } = await call(name, `{ "path": ${JSON.stringify(path)} }`);
    expect(result?.content?.[0]?.text).toContain(`not \`${name}\``);
    expect(result?.isError).toBe(true);
  });

  it.each(["view", "memory", "search", "", null, 5, ["memory_view"]])(
    "is an error of the protocol where the tool is somebody else's: %j",
    async (name) => {
      const { result, error } = await call(name, "{}");
      expect(result).toBeUndefined();
      expect(error).toEqual({ code: -32_602, message: "There is no such tool." });
    },
  );

  it("is refused by its size as everywhere", async () => {
    const { result } = await call(
      "memory_create",
      JSON.stringify({ path: "/memories/b.md", file_text: "x".repeat(1e6) }),
    );
    expect(result?.content?.[0]?.text).toMatch(/over the limit of 256.0K per file/);
  });
});

describe("a call that is delivered twice", () => {
  const insert = { name: "memory_insert", arguments: { path, insert_line: 1, insert_text: "two" } };
  const textAfter = async (...metas: readonly (Record<string, unknown> | undefined)[]): Promise<string | undefined> => {
    const memory = memoryOn();
    await memory.files.write(path, "one\n", { ifAbsent: true });
    for (const meta of metas) {
      const client = await connected(memory); // a connection of its own, as after a restart, so the ids start again
      const result = await client.callTool({ ...insert, ...(meta && { _meta: meta }) });
      expect(result.isError).toBeUndefined();
    }
    return (await memory.files.read(path))?.text;
  };

  it("does nothing twice where the client sends the id of the model's call, as Claude Code does", async () => {
    const meta = { "claudecode/toolUseId": "toolu_01" };
    expect(await textAfter(meta, meta)).toBe("one\ntwo\n");
    expect(await textAfter(meta, { "claudecode/toolUseId": "toolu_02" })).toBe("one\ntwo\ntwo\n");
  });

  it("is made twice where it does not: the ids of JSON-RPC tell nothing", async () => {
    expect(await textAfter(undefined, undefined)).toBe("one\ntwo\ntwo\n");
  });

  it.each([5, "", null, { id: 1 }])("takes no other value for an id: %j", async (id) => {
    const meta = { "claudecode/toolUseId": id };
    expect(await textAfter(meta, meta)).toBe("one\ntwo\ntwo\n");
  });
});
