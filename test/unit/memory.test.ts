import { describe, expect, it, vi } from "vitest";
import { createMemory, isMemoryError, MemoryError, s3Store } from "../../src/index.ts";
import { inMemoryStore } from "../../src/stores/in-memory-store.ts";
import { storeFailure, testMemory } from "../support/test-memory.ts";

const everyCommand: readonly Record<string, unknown>[] = [
  { command: "view", path: "/memories/a.md" },
  { command: "create", path: "/memories/new.md", file_text: "x" },
  { command: "str_replace", path: "/memories/a.md", old_str: "x", new_str: "y" },
  { command: "insert", path: "/memories/a.md", insert_line: 0, insert_text: "x" },
  { command: "delete", path: "/memories/a.md" },
  { command: "rename", old_path: "/memories/a.md", new_path: "/memories/b.md" },
];

describe("execute", () => {
  const hugeText = "x".repeat(10_000_000);
  it.each<[string, unknown]>([
    ["nothing", undefined],
    ["null", null],
    ["a string", '{"command":"view","path":"/memories"}'],
    ["a list", []],
    ["a number", 7],
    ["no command", {}],
    ["a name of Object.prototype", { command: "constructor" }],
    ["another one", { command: "toString", path: "/memories" }],
    ["__proto__", JSON.parse('{"__proto__":{"command":"view"},"command":"__proto__"}')],
    ["a wrong type", { command: "view", path: 7 }],
    ["a path of 10 MB", { command: "view", path: `/memories/${hugeText}` }],
    ["a command of 10 MB", { command: hugeText }],
    ["a path of 10,000 segments", { command: "view", path: `/memories${"/a".repeat(10_000)}` }],
    ["a path of 10,000 dots", { command: "view", path: `/memories${"/..".repeat(10_000)}` }],
    ["10 MB of percent signs", { command: "delete", path: `/memories/${"%25".repeat(3_000_000)}` }],
    ["a text of 10 MB", { command: "create", path: "/memories/a", file_text: hugeText }],
    ["half a surrogate pair", { command: "create", path: "/memories/a", file_text: "a\ud800" }],
    ["a lone surrogate in the path", { command: "view", path: "/memories/\udc00" }],
    [
      "a getter that throws",
      Object.defineProperty({}, "command", {
        enumerable: true,
        get: () => {
          throw new Error("gotcha");
        },
      }),
    ],
    [
      "a proxy that throws",
      new Proxy(
        {},
        {
          get: () => {
            throw new Error("gotcha");
          },
          ownKeys: () => {
            throw new Error("gotcha");
          },
        },
      ),
    ],
    ["old_str and the rest missing", { command: "str_replace", path: "/memories/a" }],
    ["a fractional line", { command: "insert", path: "/memories/a", insert_line: 1.5, insert_text: "" }],
  ])("answers %s with an error text, in under 50 ms of CPU, without a request", async (_, input) => {
    const { user, log } = testMemory();
    await user.execute({ command: "view" }); // nothing is measured while code is loaded
    const result = await user.execute(input);
    const cpu = await leastCpu(() => user.execute(input));
    expect(result).toMatchObject({ isError: true });
    expect(JSON.stringify(result.content).length).toBeGreaterThan(20);
    expect(JSON.stringify(result.content).length).toBeLessThan(3_000);
    expect(log).toEqual([]);
    expect(cpu).toBeLessThan(50);
  });

  it.each(everyCommand)("case 8: refuses what is outside /memories in %o", async (command) => {
    const { user, log, plant } = testMemory();
    plant("a.md", "x");
    for (const path of [
      "/memories_backup/x",
      "/memoriesX",
      "/Memories/a",
      "a.md",
      "/",
      "/memories/../x",
      "/memories/%2e%2e/x",
    ]) {
      const outside = "path" in command ? { ...command, path } : { ...command, new_path: path };
      const result = await user.execute(outside);
      expect(result).toMatchObject({ isError: true, code: "invalid_path" });
      expect(result.content).toContain(`The path ${path} does not exist. Please provide a valid path.`);
    }
    expect(log).toEqual([]);
  });

  it("case 16: takes two spellings of one path for one file, and keeps scopes apart", async () => {
    const store = inMemoryStore();
    const memory = createMemory({ store });
    const [acme, crm, other] = [
      memory.forUser("acme"),
      memory.forUser("acme", { project: "crm" }),
      memory.forUser("Acme"),
    ];
    await acme.execute({ command: "create", path: "/memories/a/../b", file_text: "x" });
    expect(await acme.execute({ command: "view", path: "/memories/b" })).toMatchObject({ isError: false });
    expect(await acme.execute({ command: "create", path: "/memories/./b", file_text: "x" })).toMatchObject({
      code: "already_exists",
    });
    for (const stranger of [crm, other]) {
      expect(await stranger.execute({ command: "view", path: "/memories/b" })).toMatchObject({ code: "not_found" });
    }
    expect(store.keys()).toEqual(["users/acme/memories/b"]);
  });

  it("case 28: takes the NFC and the NFD spelling of a name for one file", async () => {
    const { say, names } = testMemory();
    await say({ command: "create", path: "/memories/caf\u0065\u0301.md", file_text: "x" });
    expect(await say({ command: "create", path: "/memories/caf\u00e9.md", file_text: "x" })).toContain(
      "already exists",
    );
    expect(names()).toEqual(["caf\u00e9.md"]);
  });

  it("takes a path whose key has the 1,024 bytes that S3 allows, and asks for nothing below it", async () => {
    const { say, keys, log } = testMemory();
    const path = `/memories/${"x".repeat(1_024 - keys.memories.length)}`;
    expect(await say({ command: "create", path, file_text: "x" })).toContain("successfully");
    for (const command of ["view", "delete"]) expect(await say({ command, path })).not.toContain("Error");
    expect(log.some((request) => request.startsWith("list x"))).toBe(false);
    expect(await say({ command: "create", path: `${path}x`, file_text: "x" })).toContain("A path may have at most");
  });

  it("takes the root for a directory in every command that means a file", async () => {
    const { say, log } = testMemory();
    const path = "/memories/";
    expect(await say({ command: "create", path, file_text: "x" })).toBe("Error: /memories/ is a directory");
    expect(await say({ command: "str_replace", path, old_str: "x" })).toBe(
      "Error: The path /memories/ does not exist. Please provide a valid path.",
    );
    expect(await say({ command: "insert", path, insert_line: 0, insert_text: "x" })).toBe(
      "Error: The path /memories/ does not exist",
    );
    expect(log).toEqual([]);
  });

  it("case 15: edits the exact name or none", async () => {
    const { code, plant, text } = testMemory();
    plant("notes.md", "x");
    expect(await code({ command: "str_replace", path: "/memories/note.md", old_str: "x", new_str: "y" })).toBe(
      "not_found",
    );
    expect(await code({ command: "str_replace", path: "/memories/Notes.md", old_str: "x", new_str: "y" })).toBe(
      "not_found",
    );
    expect(text("notes.md")).toBe("x");
  });

  it("case 13: takes [...slug].ts for a name", async () => {
    const { code, names } = testMemory();
    expect(await code({ command: "create", path: "/memories/[...slug].ts", file_text: "x" })).toBeUndefined();
    expect(names()).toEqual(["[...slug].ts"]);
  });

  it("case 17: takes null for absent, and ignores fields it does not know", async () => {
    const { say, plant, text } = testMemory();
    plant("a.md", "one two");
    const extra = { view_range: null, file_text: null, old_path: null, surprise: { deep: [1] } };
    expect(await say({ command: "view", path: "/memories/a.md", ...extra })).toContain("one two");
    await say({ command: "str_replace", path: "/memories/a.md", old_str: " two", new_str: null, ...extra });
    expect(text("a.md")).toBe("one");
  });

  it("refuses every write of a read-only memory, and shows what is there", async () => {
    const { say, plant, names } = testMemory({ readOnly: true });
    plant("a.md", "x");
    for (const command of everyCommand.slice(1)) {
      expect(await say(command)).toMatch(/^Error: \/memories\/(a|new)\.md is read-only$/);
    }
    expect(await say(everyCommand[0])).toContain("     1\tx");
    expect(names()).toEqual(["a.md"]);
  });

  it.each(everyCommand)(
    "case 6: tells Claude nothing of a store that fails, and the operator everything, in %o",
    async (command) => {
      const { user, hooks, faults, plant } = testMemory();
      plant("a.md", "x");
      hooks.before = () => {
        throw new MemoryError("storage", "Error: neutral", {
          effect: "none",
          operation: "GetObject",
          key: "users/tester/memories/a.md",
          reason: "AccessDenied",
          hint: "grant s3:GetObject",
        });
      };
      const result = await user.execute(command);
      expect(result).toMatchObject({ isError: true, code: "storage", content: "Error: neutral" });
      expect(faults.map((fault) => fault.details.hint)).toEqual(["grant s3:GetObject"]);
    },
  );

  it("turns what a store should never throw into a storage fault", async () => {
    const { user, hooks, faults } = testMemory();
    hooks.before = () => {
      throw new RangeError("arn:aws:s3:::secret-bucket");
    };
    const result = await user.execute({ command: "view", path: "/memories" });
    expect(result).toMatchObject({ isError: true, code: "storage" });
    expect(result.content).not.toContain("secret-bucket");
    expect(faults[0]?.cause).toBeInstanceOf(RangeError);
  });

  it.each([
    [
      "throws",
      (): void => {
        throw new Error("logger down");
      },
    ],
    ["rejects", async (): Promise<void> => Promise.reject(new Error("logger down"))],
  ])("answers although the operator's own reporting %s", async (_, onError) => {
    const { user, hooks } = testMemory({ onError });
    hooks.before = () => {
      throw storeFailure("none");
    };
    expect(await user.execute({ command: "view", path: "/memories" })).toMatchObject({ code: "storage" });
  });

  it("does not call onError for what Claude did wrong", async () => {
    const { user, faults } = testMemory();
    await user.execute({ command: "view", path: "/memories/missing" });
    await user.execute({ command: "nonsense" });
    expect(faults).toEqual([]);
  });

  it("logs one line with code, request and hint where no onError is given", async () => {
    const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const store = inMemoryStore();
    store.list = async () => {
      throw new MemoryError("storage", "Error: neutral", { operation: "ListObjectsV2", status: 403, hint: "grant it" });
    };
    await createMemory({ store }).forUser("u").execute({ command: "view", path: "/memories" });
    expect(log).toHaveBeenCalledTimes(1);
    expect(log.mock.calls[0]?.[0]).toBe("[s3-memory-tool] storage: ListObjectsV2 of ? · status 403 · grant it");
    log.mockRestore();
  });

  it("stops before the next request when its signal is aborted, and answers", async () => {
    const { user, log, names } = testMemory();
    const result = await user.execute(
      { command: "create", path: "/memories/a.md", file_text: "x" },
      { signal: AbortSignal.abort() },
    );
    expect(result).toMatchObject({ isError: true, code: "aborted" });
    expect(result.content).toContain("view /memories/a.md");
    expect([log, names()]).toEqual([[], []]);
  });

  it("stops between two requests, and leaves nothing half-written", async () => {
    const { user, hooks, plant, text } = testMemory();
    plant("a.md", "x");
    const abort = new AbortController();
    hooks.after = ({ method }) => {
      if (method === "get") abort.abort();
    };
    const result = await user.execute(
      { command: "str_replace", path: "/memories/a.md", old_str: "x", new_str: "y" },
      { signal: abort.signal },
    );
    expect(result).toMatchObject({ isError: true, code: "aborted" });
    expect(text("a.md")).toBe("x");
  });

  it("does not wait for earlier commands once its signal is aborted", async () => {
    const { user, hooks, plant } = testMemory();
    plant("a.md", "x");
    const gate = Promise.withResolvers<void>();
    hooks.before = ({ method }) => (method === "put" ? gate.promise : undefined);
    const first = user.execute({ command: "insert", path: "/memories/a.md", insert_line: 0, insert_text: "y" });
    const abort = new AbortController();
    const second = user.execute({ command: "view", path: "/memories/a.md" }, { signal: abort.signal });
    abort.abort();
    expect(await second).toMatchObject({ code: "aborted" });
    gate.resolve();
    expect(await first).toMatchObject({ isError: false });
  });

  it("gives up after the total time of its retry option", async () => {
    let now = 0;
    const { user, store, log } = testMemory({
      retry: { totalMilliseconds: 1_000 },
      runtime: { now: () => now, random: () => 0.5, sleep: async (milliseconds) => void (now += milliseconds) },
    });
    store.put = async () => {
      now += 90;
      return { outcome: "undecided" };
    };
    const result = await user.execute({ command: "create", path: "/memories/a", file_text: "x" });
    expect(result).toMatchObject({ code: "conflict" });
    expect(now).toBeLessThanOrEqual(1_090);
    expect(log.filter((request) => request.startsWith("put")).length).toBeLessThan(20);
  });

  it("starts no retry storm on a store that is down", async () => {
    const { user, hooks, log } = testMemory();
    hooks.before = ({ method }) => {
      if (method === "put") throw storeFailure("unknown", 503);
    };
    const result = await user.execute({ command: "create", path: "/memories/a", file_text: "x" });
    expect(result).toMatchObject({ code: "storage" });
    expect(log.filter((request) => request.startsWith("put"))).toHaveLength(4);
  });

  it.each<[object | null | number, RegExp]>([
    [null, /execute: the options are null. Expected an object/],
    [5, /execute: the options are 5/],
    [{ toolUseID: "toolu_1" }, /there is no option toolUseID. Expected one of: signal, toolUseId/],
    [{ toolUseId: "" }, /option toolUseId is "". Expected the id of a tool_use block/],
    [{ signal: {} }, /option signal is an object. Expected an AbortSignal/],
  ])(
    "refuses the options %o, by a TypeError that names the option, the value and what is expected",
    async (options, text) => {
      const { user, log } = testMemory();
      const call = user.execute({ command: "view", path: "/memories" }, options as never);
      await expect(call).rejects.toThrow(TypeError);
      await expect(call).rejects.toThrow(text);
      expect(log).toEqual([]);
    },
  );
});

/** Milliseconds of CPU, of the best of three runs: what a busy machine adds is not the code's. */
async function leastCpu(task: () => Promise<unknown>): Promise<number> {
  const runs: number[] = [];
  for (let run = 0; run < 3; run++) {
    const before = process.cpuUsage();
    await task();
    runs.push(process.cpuUsage(before).user / 1_000);
  }
  return Math.min(...runs);
}

describe("the options", () => {
  const store = inMemoryStore();
  it.each<[string, object, RegExp]>([
    ["no store", {}, /option store is undefined. Expected an ObjectStore/],
    ["half a store", { store: { get: () => undefined } }, /option store is an object. Expected an ObjectStore/],
    ["an unknown name", { store, bukket: "x" }, /there is no option bukket/],
    ["an unknown limit", { store, limits: { file: 1 } }, /there is no option limits.file/],
    ["a negative limit", { store, limits: { files: -1 } }, /option limits.files is -1. Expected a whole number/],
    ["a view too small for its own texts", { store, limits: { viewCharacters: 10 } }, /at least 3000/],
    ["a text for a number", { store, retry: { attempts: "3" } }, /option retry.attempts is "3"/],
    [
      "another onExisting",
      { store, onExisting: "merge" },
      /option onExisting is "merge". Expected "error" or "overwrite"/,
    ],
    ["no function", { store, onError: "log" }, /option onError is "log". Expected a function/],
    ["a prefix with a wildcard", { store, prefix: "a/*" }, /prefix must be/],
    ["a prefix that ends in a slash", { store, prefix: "a/" }, /prefix must be/],
  ])(
    "are refused with %s, by a TypeError that names the option, the value and what is expected",
    (_, options, text) => {
      expect(() => createMemory(options as never)).toThrow(TypeError);
      expect(() => createMemory(options as never)).toThrow(text);
    },
  );

  it.each<[unknown, object]>([
    [undefined, {}],
    ["", {}],
    ["  ", {}],
    ["\ud800", {}],
    ["x".repeat(500), {}],
    [7, {}],
    ["acme", { project: "" }],
    ["acme", { project: 7 }],
    ["acme", { actor: "x".repeat(300) }],
    ["acme", { readOnly: "yes" }],
    ["acme", { read_only: true }],
  ])("case 20: forUser(%o, %o) throws a TypeError: there is no default scope", (user, options) => {
    expect(() => createMemory({ store }).forUser(user as string, options)).toThrow(TypeError);
  });

  it("puts the prefix before every key and the actor into the metadata", async () => {
    const own = inMemoryStore();
    const user = createMemory({ store: own, prefix: "team/ä" }).forUser("a/b", { actor: "agent ü" });
    await user.execute({ command: "create", path: "/memories/x", file_text: "" });
    expect(own.keys()).toEqual(["team/%C3%A4/users/a%2Fb/memories/x"]);
    expect(own.peek("team/%C3%A4/users/a%2Fb/memories/x")?.metadata["actor"]).toBe("agent%20%C3%BC");
  });

  it("of an s3Store are refused the same way, at once", () => {
    expect(() => s3Store({} as never)).toThrow(TypeError);
    expect(() => s3Store({ bucket: "bucket", region: "x" } as never)).toThrow(/region/);
  });
});

describe("isMemoryError", () => {
  it("knows the error class across copies of the package, and nothing else", () => {
    expect(isMemoryError(new MemoryError("not_found", "x"))).toBe(true);
    for (const value of [undefined, null, "x", new Error("x"), { code: "not_found" }])
      expect(isMemoryError(value)).toBe(false);
  });
});
