import { ProtocolError, type Client } from "@modelcontextprotocol/client";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { pathOf, uriOf } from "../../src/adapters/mcp/resource-uri.ts";
import { createMemory, MemoryError, type ObjectStore, type UserMemory } from "../../src/index.ts";
import { inMemoryStore, type InMemoryStore } from "../../src/stores/in-memory-store.ts";
import { connected } from "./mcp-connections.ts";

const memoryOn = (store: ObjectStore): UserMemory => createMemory({ store }).forUser("dana");
const root = "users/dana/memories/";

function storeWith(files: Readonly<Record<string, string | Uint8Array>>): InMemoryStore {
  const store = inMemoryStore();
  for (const [path, body] of Object.entries(files)) store.plant(root + path, body);
  return store;
}

/** A store, and the names of the requests that it got. */
function watched(store: ObjectStore): { readonly store: ObjectStore; readonly requests: string[] } {
  const requests: string[] = [];
  const get: ObjectStore["get"] = (...call) => {
    requests.push("get");
    return store.get(...call);
  };
  const list: ObjectStore["list"] = (...call) => {
    requests.push("list");
    return store.list(...call);
  };
  return { store: { ...store, get, list }, requests };
}

async function protocolError(call: Promise<unknown>): Promise<{ code: number; message: string; data: unknown }> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProtocolError)) throw new Error(`no error of the protocol: ${String(error)}`);
  return { code: error.code, message: error.message, data: error.data };
}

/** One page. Without a cursor the client would fetch all of them, so the first is asked for by a cursor before all files. */
async function listed(client: Client, cursor = "memory:///") {
  const { resources, nextCursor } = await client.listResources({ cursor });
  return { uris: resources.map(({ uri }) => uri), nextCursor };
}

describe("the files as resources", () => {
  it("are listed by their paths, with type, size and time", async () => {
    const store = storeWith({ "notes/a b.md": "hällo", "plan.png": "x", "photo.JPEG": "x", "100%.txt": "" });
    const { resources } = await (await connected(memoryOn(store))).listResources();
    const lastModified = store.peek(`${root}plan.png`)?.modified.toISOString();
    const annotations = { lastModified };
    expect(resources).toEqual([
      {
        uri: "memory:///memories/100%25.txt",
        name: "/memories/100%.txt",
        mimeType: "text/plain",
        size: 0,
        annotations,
      },
      {
        uri: "memory:///memories/notes/a%20b.md",
        name: "/memories/notes/a b.md",
        mimeType: "text/markdown",
        size: 6,
        annotations,
      },
      {
        uri: "memory:///memories/photo.JPEG",
        name: "/memories/photo.JPEG",
        mimeType: "image/jpeg",
        size: 1,
        annotations,
      },
      { uri: "memory:///memories/plan.png", name: "/memories/plan.png", mimeType: "image/png", size: 1, annotations },
    ]);
  });

  it("come in pages of 1,000, each by as many requests as there are pages before it", async () => {
    const files = Array.from({ length: 2001 }, (_, index) => [`${String(index).padStart(5, "0")}.md`, "x"]);
    const { store, requests } = watched(storeWith(Object.fromEntries(files) as Record<string, string>));
    const client = await connected(memoryOn(store));
    const first = await listed(client);
    expect(first.uris).toHaveLength(1000);
    expect(first.nextCursor).toBe("memory:///memories/00999.md");
    const second = await listed(client, first.nextCursor);
    expect(second.uris[0]).toBe("memory:///memories/01000.md");
    const third = await listed(client, second.nextCursor);
    expect(third).toEqual({ uris: ["memory:///memories/02000.md"], nextCursor: undefined });
    expect(requests.length).toBeLessThanOrEqual(2 + 3 + 3);
  });

  it("are gone through without a gap or a repeat though files come and go meanwhile", async () => {
    const files = Array.from({ length: 1500 }, (_, index) => [`${String(index).padStart(5, "0")}.md`, "x"]);
    const store = storeWith(Object.fromEntries(files) as Record<string, string>);
    const memory = memoryOn(store);
    const client = await connected(memory);
    const first = await listed(client);
    await memory.files.delete("/memories/00999.md"); // the cursor's own
    await memory.files.delete("/memories/00000.md");
    store.plant(`${root}00500a.md`, "x");
    const second = await listed(client, first.nextCursor);
    expect(second.uris[0]).toBe("memory:///memories/01000.md");
    expect(second.uris).toHaveLength(500);
  });

  it("are listed to the ten-thousandth", async () => {
    const files = Array.from({ length: 10_100 }, (_, index) => [`${String(index).padStart(5, "0")}.md`, ""]);
    const client = await connected(memoryOn(storeWith(Object.fromEntries(files) as Record<string, string>)));
    const { resources } = await client.listResources();
    expect(resources).toHaveLength(10_000);
  });

  it.each(["nonsense", "", "https://example.com/a", "memory://memories/a"])(
    "have no page after a cursor that was not given out: %j",
    async (cursor) => {
      const client = await connected(memoryOn(inMemoryStore()));
      expect(await protocolError(client.listResources({ cursor }))).toMatchObject({ code: -32_602 });
    },
  );

  it("are read as they are, not as a model views them", async () => {
    const text = "\uFEFFone\r\ntwo\u2028";
    const client = await connected(memoryOn(storeWith({ "notes/a b.md": text, "odd.png": "no image" })));
    const uri = "memory:///memories/notes/a%20b.md";
    expect(await client.readResource({ uri })).toEqual({ contents: [{ uri, mimeType: "text/markdown", text }] });
    const odd = "memory:///memories/odd.png";
    expect(await client.readResource({ uri: odd })).toEqual({
      contents: [{ uri: odd, mimeType: "text/plain", text: "no image" }],
    });
  });

  it("are read as images where they are some", async () => {
    const png = Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 255, 254, 0);
    const client = await connected(memoryOn(storeWith({ "map.png": png })));
    const uri = "memory:///memories/map.png";
    expect(await client.readResource({ uri })).toEqual({
      contents: [{ uri, mimeType: "image/png", blob: Buffer.from(png).toString("base64") }],
    });
  });

  it("say so where they are neither", async () => {
    const client = await connected(memoryOn(storeWith({ "data.bin": Uint8Array.of(0xff, 0xfe, 0, 0xd8) })));
    expect(await protocolError(client.readResource({ uri: "memory:///memories/data.bin" }))).toMatchObject({
      code: -32_603,
      message: expect.stringContaining("/memories/data.bin is neither text nor an image that can be shown") as string,
    });
  });

  it("have one template, which names them all", async () => {
    const client = await connected(memoryOn(inMemoryStore()));
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates).toEqual([expect.objectContaining({ uriTemplate: "memory:///memories/{+path}" })]);
  });

  it("cannot be subscribed to", async () => {
    const client = await connected(memoryOn(storeWith({ "a.md": "a" })));
    expect(client.getServerCapabilities()?.resources).toEqual({});
    await expect(client.subscribeResource({ uri: "memory:///memories/a.md" })).rejects.toThrow();
  });

  it("have a URI that leads back to the path, whatever the name", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", minLength: 1 }), { minLength: 1 }), (names) => {
        const path = `/memories/${names.join("/")}`;
        fc.pre(path.isWellFormed());
        expect(pathOf(uriOf(path))).toBe(path);
        expect(uriOf(path)).toMatch(/^memory:\/\/\/memories\/[\w\-.~!*'()%/]+$/);
      }),
    );
  });
});

describe("a URI that leads elsewhere", () => {
  it.each([
    "memory:///memories/none.md",
    "memory:///memories",
    "memory:///memories/",
    "memory:///memories/dir",
    "memory:///../../secret.md",
    "memory:///memories/../../other/memories/a.md",
    "memory:///memories/%2e%2e/%2e%2e/other/memories/a.md",
    "memory:///memories/..%2f..%2fother%2fmemories%2fa.md",
    "memory:///memories/%252e%252e/%252e%252e/other/memories/a.md",
    "memory:///memories/..%5c..%5cother",
    "memory:///memories/a%00.md",
    "memory:///memories/%E0%A4%A",
    "memory:///memories_backup/a.md",
    "memory:///notes.md",
    "memory://other/memories/notes.md",
    "memory://memories/notes.md",
    "memory:/memories/notes.md",
    "MEMORY:///memories/notes.md",
    "file:///memories/notes.md",
    "https://example.com/memories/notes.md",
    "/memories/notes.md",
    "users/other/memories/a.md",
    "",
  ])("is answered as one of nothing: %s", async (uri) => {
    const store = storeWith({ "notes.md": "mine", "dir/a.md": "x" });
    store.plant("users/other/memories/a.md", "theirs");
    store.plant("secret.md", "theirs");
    const client = await connected(memoryOn(store));
    expect(await protocolError(client.readResource({ uri }))).toEqual({
      code: -32_602,
      message: `Resource not found: ${uri}`,
      data: { uri },
    });
  });

  it("asks the store for nothing", async () => {
    const { store, requests } = watched(inMemoryStore());
    const client = await connected(memoryOn(store));
    for (const uri of ["memory:///memories/%2e%2e/a", "memory:///etc/passwd", "s3://bucket/key"]) {
      await protocolError(client.readResource({ uri }));
    }
    expect(requests).toEqual([]);
  });
});

describe("where the storage fails", () => {
  const fault = new MemoryError("storage", "Error: The memory is not available.", { key: "users/dana/secret-key" });
  const failing = async (): Promise<never> => {
    throw fault;
  };

  it.each([
    ["listing", (client: Client) => client.listResources({ cursor: "memory:///" })],
    ["reading", (client: Client) => client.readResource({ uri: "memory:///memories/a.md" })],
  ] as const)("the client reads a neutral text, and the operator hears of it: %s", async (_, request) => {
    const heard: unknown[] = [];
    const memory = memoryOn({ ...inMemoryStore(), get: failing, list: failing });
    const client = await connected(memory, { onError: (error) => heard.push(error) });
    const { code, message } = await protocolError(request(client));
    expect({ code, message }).toEqual({ code: -32_603, message: "Error: The memory is not available." });
    expect(heard).toEqual([fault]);
  });

  it("an operator's hook that throws changes no answer", async () => {
    const memory = memoryOn({ ...inMemoryStore(), get: failing });
    const client = await connected(memory, {
      onError: () => {
        throw new Error("the log is full");
      },
    });
    const { message } = await protocolError(client.readResource({ uri: "memory:///memories/a.md" }));
    expect(message).toBe("Error: The memory is not available.");
  });
});
