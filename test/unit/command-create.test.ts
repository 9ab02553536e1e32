import { describe, expect, it } from "vitest";
import { createMemory } from "../../src/index.ts";
import { writesOf } from "../../src/core/write-record.ts";
import { storeFailure, testMemory, type TestMemory } from "../support/test-memory.ts";

const create = (path: string, file_text = "text"): object => ({ command: "create", path, file_text });

describe("create", () => {
  it("writes the text verbatim as text/plain, with the write's id and command in the metadata", async () => {
    const { say, store, keys } = testMemory();
    const text = "\u{FEFF}a\r\nb\u0085\u2028c";
    expect(await say(create("/memories/dir/a.md", text))).toBe("File created successfully at: /memories/dir/a.md");
    const object = store.peek(`${keys.memories}dir/a.md`);
    expect(new TextDecoder("utf-8", { ignoreBOM: true }).decode(object?.body)).toBe(text);
    expect(object?.contentType).toBe("text/plain; charset=utf-8");
    expect(object?.metadata["command"]).toBe("create");
    expect(writesOf(object ?? { version: "", metadata: {} })).toHaveLength(1);
  });

  it("echoes the path as it was sent and stores the canonical one", async () => {
    const { say, names } = testMemory();
    expect(await say(create("/memories//a/./x/../b.md"))).toBe(
      "File created successfully at: /memories//a/./x/../b.md",
    );
    expect(names()).toEqual(["a/b.md"]);
  });

  it("refuses an existing file and leaves it as it is", async () => {
    const { say, text, plant } = testMemory();
    plant("a.md", "old");
    expect(await say(create("/memories/a.md"))).toBe("Error: File /memories/a.md already exists");
    expect(text("a.md")).toBe("old");
  });

  it("refuses a directory, also one that only a marker object makes", async () => {
    const { say, plant } = testMemory();
    plant("dir/a.md", "x");
    plant("marker/", "");
    expect(await say(create("/memories/dir"))).toBe("Error: /memories/dir is a directory");
    expect(await say(create("/memories/marker"))).toBe("Error: /memories/marker is a directory");
  });

  it.each([
    ["with the limit of files on", {}],
    ["with the limits off", { limits: { files: Infinity } }],
  ])("case 29: refuses a path below a file, %s", async (_, options) => {
    const { say, plant, names } = testMemory(options);
    plant("a", "x");
    expect(await say(create("/memories/a/b/c.md"))).toBe("Error: /memories/a is a file, not a directory");
    expect(names()).toEqual(["a"]);
  });

  it("finds directories, files above and existing files without a listing of the scope too", async () => {
    const { say, plant, log } = testMemory({ limits: { files: Infinity } });
    plant("dir/a.md", "x");
    expect(await say(create("/memories/dir"))).toBe("Error: /memories/dir is a directory");
    expect(await say(create("/memories/dir/a.md"))).toBe("Error: File /memories/dir/a.md already exists");
    expect(await say(create("/memories/dir/b.md"))).toContain("successfully");
    expect(log.slice(-3).sort()).toEqual(["head dir", "list dir/b.md/", "put dir/b.md"]);
  });

  it("counts the files of the scope and says the limit and the current use", async () => {
    const { say, plant, code } = testMemory({ limits: { files: 2 } });
    plant("a", "x");
    expect(await code(create("/memories/b"))).toBeUndefined();
    expect(await say(create("/memories/c"))).toBe(
      "Error: The memory holds 2 files, the limit is 2. Delete or merge files first.",
    );
    expect(await say(create("/memories/a"))).toBe("Error: File /memories/a already exists");
  });

  it("case 36: refuses growth over the total size and over the size of a file, with the numbers", async () => {
    const { say } = testMemory({ limits: { totalBytes: 2_000, fileBytes: 1_500 } });
    expect(await say(create("/memories/a", "x".repeat(1_501)))).toBe(
      "Error: File /memories/a would be 1.5K, over the limit of 1.5K per file.",
    );
    expect(await say(create("/memories/a", "x".repeat(1_500)))).toContain("successfully");
    expect(await say(create("/memories/b", "x".repeat(501)))).toBe(
      "Error: The memory holds 1.5K, this would take it over the limit of 2.0K. Delete or shorten files first.",
    );
  });

  it("still tells files and directories where the scope is far over its limit", async () => {
    const { say, plant } = testMemory({ limits: { files: 2 } });
    for (let file = 0; file < 1_500; file++) plant(`f${String(file).padStart(4, "0")}`, "");
    plant("z/1", "");
    expect(await say(create("/memories/z/1"))).toBe("Error: File /memories/z/1 already exists");
    expect(await say(create("/memories/z"))).toBe("Error: /memories/z is a directory");
    expect(await say(create("/memories/z/1/2"))).toBe("Error: /memories/z/1 is a file, not a directory");
    expect(await say(create("/memories/new"))).toContain("the limit is 2");
  });

  it.each([
    ["with the limit of files on", {}],
    ["with the limits off", { limits: { files: Infinity } }],
    ["in a scope over its limit", { limits: { files: 1 } }],
  ])("judges the exact path before its neighbours, %s", async (_, options) => {
    const { say, plant, text } = testMemory(options);
    await say(create("/memories/a.md", "x"), { toolUseId: "toolu_1" });
    for (const name of ["a.md/x", "b", "c", "d"]) plant(name, "x");
    expect(await say(create("/memories/a.md"))).toBe("Error: File /memories/a.md already exists");
    expect(await say(create("/memories/a.md", "x"), { toolUseId: "toolu_1" })).toContain("successfully");
    expect(text("a.md")).toBe("x");
  });

  it("counts at most a few pages of keys that are no files of Claude's", async () => {
    const { say, plant, log, names } = testMemory();
    for (let index = 0; index < 20_000; index++) plant(`!//${String(index).padStart(5, "0")}`, "");
    expect(await say(create("/memories/a.md"))).toContain("successfully");
    expect(await say({ command: "rename", old_path: "/memories/a.md", new_path: "/memories/b.md" })).toContain(
      "Success",
    );
    expect(log.length).toBeLessThanOrEqual(24);
    expect(names().at(-1)).toBe("b.md");
  });

  it("says that it counted no further where a scope is far over its limit", async () => {
    const { say, plant } = testMemory({ limits: { files: 3 } });
    for (let file = 0; file < 2_500; file++) plant(`f${String(file).padStart(4, "0")}`, "");
    expect(await say(create("/memories/new"))).toBe(
      "Error: The memory holds at least 1000 files, the limit is 3. Delete or merge files first.",
    );
  });

  it("makes write ids of one tool_use differ between scopes", async () => {
    const { user, store } = testMemory();
    const stranger = createMemory({ store }).forUser("stranger");
    for (const memory of [user, stranger]) await memory.execute(create("/memories/a"), { toolUseId: "toolu_1" });
    const ids = store.keys().map((key) => store.peek(key)?.metadata["write-ids"]);
    expect(new Set(ids).size).toBe(2);
  });

  it("never calls refused what may have landed: a file of somebody else in its place", async () => {
    const { say, hooks, other } = testMemory();
    hooks.after = async ({ method, count }) => {
      if (method !== "put" || count !== 1) return;
      await other.execute({ command: "rename", old_path: "/memories/a.md", new_path: "/memories/b.md" });
      await other.execute(create("/memories/a.md", "theirs"));
      throw storeFailure("unknown");
    };
    expect(await say(create("/memories/a.md", "mine"))).toContain("The outcome is unknown");
  });

  it("lets exactly one of two creators win", async () => {
    const { say, hooks, other, text } = testMemory();
    hooks.before = async ({ method, count }) => {
      if (method === "put" && count === 1) await other.execute(create("/memories/a.md", "theirs"));
    };
    expect(await say(create("/memories/a.md", "mine"))).toBe("Error: File /memories/a.md already exists");
    expect(text("a.md")).toBe("theirs");
  });

  it("case 25: takes a 409 for undecided, never for existing", async () => {
    const { user, text, store } = testMemory();
    const put = store.put.bind(store);
    let raced = 0;
    store.put = async (...values) => (raced++ < 2 ? { outcome: "undecided" } : put(...values));
    expect(await user.execute(create("/memories/a.md", "mine"))).toMatchObject({ isError: false });
    expect(text("a.md")).toBe("mine");
    expect(raced).toBe(3);
  });

  it("gives a race that is never decided up as a conflict, after as many attempts as the option says", async () => {
    const { user, store, log } = testMemory({ retry: { attempts: 3 } });
    store.put = async () => ({ outcome: "undecided" });
    expect(await user.execute(create("/memories/a.md"))).toMatchObject({ isError: true, code: "conflict" });
    expect(log.filter((request) => request.startsWith("put"))).toHaveLength(3);
  });

  it("recognises its own write when the answer was lost after the commit", async () => {
    const { user, text, hooks, log } = testMemory();
    hooks.after = ({ method, count }) => {
      if (method === "put" && count === 1) throw storeFailure("unknown");
    };
    expect(await user.execute(create("/memories/a.md", "mine"))).toMatchObject({ isError: false });
    expect(text("a.md")).toBe("mine");
    expect(log.filter((request) => request.startsWith("put"))).toHaveLength(1);
  });

  it("sends again when the answer was lost before the commit", async () => {
    const { user, text, hooks } = testMemory();
    hooks.before = ({ method, count }) => {
      if (method === "put" && count === 1) throw storeFailure("unknown");
    };
    expect(await user.execute(create("/memories/a.md", "mine"))).toMatchObject({ isError: false });
    expect(text("a.md")).toBe("mine");
  });

  it("knows its own write that was cut off and arrives only after it was looked for", async () => {
    const { user, store, hooks } = testMemory();
    const put = store.put.bind(store);
    let late: (() => Promise<unknown>) | undefined;
    store.put = async (...values) => {
      if (late === undefined) {
        late = () => put(...values);
        throw storeFailure("unknown");
      }
      await late();
      return put(...values);
    };
    hooks.before = () => undefined;
    expect(await user.execute(create("/memories/a.md", "mine"))).toMatchObject({ isError: false });
  });

  it("never sends again after a time-out: found is success, not found is unknown", async () => {
    const committed = testMemory();
    committed.hooks.after = ({ method }) => {
      if (method === "put") throw storeFailure("unsettled");
    };
    expect(await committed.code(create("/memories/a.md"))).toBeUndefined();

    const lostRequest = testMemory();
    lostRequest.hooks.before = ({ method }) => {
      if (method === "put") throw storeFailure("unsettled");
    };
    expect(await lostRequest.say(create("/memories/a.md"))).toContain("The outcome is unknown");
    expect(lostRequest.log.filter((request) => request.startsWith("put"))).toHaveLength(1);
    expect(lostRequest.faults.map((fault) => fault.code)).toEqual(["outcome_unknown"]);
  });

  it("answers a redelivered tool_use with success and writes nothing", async () => {
    const { say, log, text } = testMemory();
    await say(create("/memories/a.md", "first"), { toolUseId: "toolu_1" });
    await say({ command: "str_replace", path: "/memories/a.md", old_str: "first", new_str: "second" });
    log.length = 0;
    expect(await say(create("/memories/a.md", "first"), { toolUseId: "toolu_1" })).toBe(
      "File created successfully at: /memories/a.md",
    );
    expect(log.filter((request) => request.startsWith("put"))).toEqual([]);
    expect(text("a.md")).toBe("second");
  });
});

describe("create with onExisting: overwrite", () => {
  it("replaces an existing file and carries its write ids on", async () => {
    const { say, text, store, keys } = testMemory({ onExisting: "overwrite" });
    await say(create("/memories/a.md", "one"));
    expect(await say(create("/memories/a.md", "two"))).toBe("File created successfully at: /memories/a.md");
    expect(text("a.md")).toBe("two");
    expect(writesOf(store.peek(`${keys.memories}a.md`) ?? { version: "", metadata: {} })).toHaveLength(2);
  });

  it("refuses to overwrite a version that it did not find, and says to view again", async () => {
    const { say, hooks, other, text } = testMemory({ onExisting: "overwrite" });
    await other.execute(create("/memories/a.md", "seen"));
    hooks.before = async ({ method, count }) => {
      if (method === "put" && count === 1) await other.execute(create("/memories/a.md", "theirs"));
    };
    expect(await say(create("/memories/a.md", "mine"))).toContain("was changed since you viewed it");
    expect(text("a.md")).toBe("theirs");
  });

  it.each([
    [
      "created",
      async (memory: TestMemory) => memory.other.execute(create("/memories/new.md", "theirs")),
      "new.md",
      "theirs",
    ],
    [
      "deleted",
      async (memory: TestMemory) => memory.other.execute({ command: "delete", path: "/memories/old.md" }),
      "old.md",
      undefined,
    ],
  ] as const)(
    "refuses, and does not replay, where the file was %s between its look and its write",
    async (_, act, name, left) => {
      const memory = testMemory({ onExisting: "overwrite" });
      memory.plant("old.md", "seen");
      memory.hooks.before = async ({ method, count }) => {
        if (method === "put" && count === 1) await act(memory);
      };
      expect(await memory.say(create(`/memories/${name}`, "mine"))).toContain("was changed since you viewed it");
      expect(memory.text(name)).toBe(left);
    },
  );

  it("takes the place of a half-done rename's copy, so that a repeat does not take it for one and delete the source", async () => {
    const { say, hooks, other, text } = testMemory({ onExisting: "overwrite" });
    await other.execute(create("/memories/a.md", "precious"));
    hooks.before = ({ method }) => {
      if (method === "delete") throw storeFailure("unsettled");
    };
    const move = { command: "rename", old_path: "/memories/a.md", new_path: "/memories/b.md" };
    expect(await say(move)).toContain("The outcome is unknown");
    await other.execute(create("/memories/b.md", "another text"));
    expect(await say(move)).toBe("Error: The destination /memories/b.md already exists");
    expect([text("a.md"), text("b.md")]).toEqual(["precious", "another text"]);
  });

  it("says that the outcome is unknown where its write got no answer and the file was deleted and created anew", async () => {
    const { say, hooks, other, text } = testMemory({ onExisting: "overwrite" });
    hooks.after = async ({ method, count }) => {
      if (method !== "put" || count !== 1) return;
      await other.execute({ command: "delete", path: "/memories/a.md" });
      throw storeFailure("unknown", 503);
    };
    hooks.before = async ({ method, count }) => {
      if (method === "put" && count === 2) await other.execute(create("/memories/a.md", "theirs"));
    };
    expect(await say(create("/memories/a.md", "mine"))).toContain("The outcome is unknown");
    expect(text("a.md")).toBe("theirs");
  });

  it.each(["409", "503", "created and deleted again"])(
    "refuses to replace a file that came after this call had seen that there was none: %s",
    async (road) => {
      const { say, store, hooks, other, text } = testMemory({ onExisting: "overwrite" });
      const put = store.put.bind(store);
      const created = create("/memories/a.md", "theirs");
      hooks.before = async ({ method, count }) => {
        if (method === "get" && road.startsWith("created") && count === 1) {
          await other.execute({ command: "delete", path: "/memories/a.md" });
        }
        if (method === "put" && road.startsWith("created") && count <= 2) await other.execute(created);
        if (method !== "put" || count !== 1 || road.startsWith("created")) return;
        if (road === "503") {
          await other.execute(created);
          throw storeFailure("unknown", 503);
        }
        store.put = async () => {
          store.put = put;
          await other.execute(created);
          return { outcome: "undecided" };
        };
      };
      expect(await say(create("/memories/a.md", "mine"))).toMatch(/was changed since you viewed it|outcome is unknown/);
      expect(text("a.md")).toBe("theirs");
    },
  );

  it("replaces a file of a scope that is at its limit of files", async () => {
    const { say, plant, text } = testMemory({ onExisting: "overwrite", limits: { files: 1 } });
    plant("a.md", "old");
    plant("b.md", "old");
    expect(await say(create("/memories/b.md", "new"))).toContain("successfully");
    expect(text("b.md")).toBe("new");
  });
});
