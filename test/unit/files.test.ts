import { describe, expect, it } from "vitest";
import { MemoryError } from "../../src/index.ts";
import { storeFailure, testMemory } from "../support/test-memory.ts";

const codeOf = async (promise: Promise<unknown>): Promise<string | undefined> => {
  const error = await promise.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error === undefined) return undefined;
  expect(error).toBeInstanceOf(MemoryError);
  return (error as MemoryError).code;
};

describe("the application's side", () => {
  it("lists every file over all pages, with sizes and versions that compare with a read's", async () => {
    const { user, plant } = testMemory();
    for (let file = 0; file < 1_200; file++) plant(`f${file}`, "x");
    plant("dir/", "");
    plant("a//b", "odd");
    const listed = await Array.fromAsync(user.files.list());
    expect(listed).toHaveLength(1_200);
    const [first] = listed;
    expect(first).toMatchObject({
      path: "/memories/f0",
      size: 1,
      version: expect.any(String),
      modified: expect.any(Date),
    });
    expect((await user.files.read("/memories/f0"))?.version).toBe(first?.version);
  });

  it("case 38: reads back what was written, to the byte", async () => {
    const { user } = testMemory();
    const text = "\u{FEFF}a\r\n\u0085\u2028 trailing \n\n";
    const { version } = await user.files.write("/memories/a.md", text, { ifAbsent: true });
    expect(await user.files.read("/memories/a.md")).toEqual({ text, version });
    expect(await user.files.read("/memories/missing.md")).toBeUndefined();
    expect(await user.files.read("/memories/a")).toBeUndefined();
  });

  it("writes on a condition alone", async () => {
    const { user } = testMemory();
    const { version } = await user.files.write("/memories/a.md", "one", { ifAbsent: true });
    expect(await codeOf(user.files.write("/memories/a.md", "two", { ifAbsent: true }))).toBe("already_exists");
    const second = await user.files.write("/memories/a.md", "two", { ifVersion: version });
    expect(await codeOf(user.files.write("/memories/a.md", "three", { ifVersion: version }))).toBe("conflict");
    expect(await codeOf(user.files.write("/memories/b.md", "three", { ifVersion: version }))).toBe("not_found");
    expect(await user.files.read("/memories/a.md")).toEqual({ text: "two", version: second.version });
    await expect(user.files.write("/memories/a.md", "x", {} as never)).rejects.toThrow(TypeError);
    await expect(
      user.files.write("/memories/a.md", "x", { ifAbsent: true, ifVersion: version } as never),
    ).rejects.toThrow(TypeError);
    await expect(user.files.write("/memories/a.md", 7 as never, { ifAbsent: true })).rejects.toThrow(TypeError);
  });

  it("loses no write among many that are based on the version they read", async () => {
    const { user, other } = testMemory();
    await user.files.write("/memories/count", "0", { ifAbsent: true });
    const increment = async (files: typeof user.files): Promise<void> => {
      for (;;) {
        const read = await files.read("/memories/count");
        const next = String(Number(read?.text) + 1);
        const code = await codeOf(files.write("/memories/count", next, { ifVersion: read?.version ?? "" }));
        if (code === undefined) return;
        expect(code).toBe("conflict");
      }
    };
    await Promise.all(Array.from({ length: 10 }, (_, index) => increment(index % 2 ? user.files : other.files)));
    expect((await user.files.read("/memories/count"))?.text).toBe("10");
  });

  it("deletes one file, in one version where one is named", async () => {
    const { user, plant, names } = testMemory();
    plant("a", "x");
    plant("a/b", "x");
    expect(await codeOf(user.files.delete("/memories/a", { ifVersion: '"other"' }))).toBe("conflict");
    await user.files.delete("/memories/a");
    expect(names()).toEqual(["a/b"]);
    expect(await codeOf(user.files.delete("/memories/a"))).toBe("not_found");
    expect(await codeOf(user.files.delete("/memories"))).toBe("is_a_directory");
  });

  it("knows its own delete when the answer was lost", async () => {
    const { user, plant, names, hooks } = testMemory();
    plant("a", "x");
    hooks.after = ({ method, count }) => {
      if (method === "delete" && count === 1) throw storeFailure("unknown");
    };
    await user.files.delete("/memories/a");
    expect(names()).toEqual([]);
  });

  it("keeps to the same guard, limits and read-only rule as Claude", async () => {
    const { user, log } = testMemory({ limits: { fileBytes: 10 } });
    expect(await codeOf(user.files.read("/memories/../x"))).toBe("invalid_path");
    expect(await codeOf(user.files.write("/x", "x", { ifAbsent: true }))).toBe("invalid_path");
    expect(await codeOf(user.files.write("/memories/a", "x".repeat(11), { ifAbsent: true }))).toBe("too_large");
    expect(await codeOf(user.files.write("/memories/a", "\ud800", { ifAbsent: true }))).toBe("invalid_input");
    await expect(user.files.read(undefined as never)).rejects.toThrow(TypeError);
    expect(log).toEqual([]);
    const { user: reader } = testMemory({ readOnly: true });
    expect(await codeOf(reader.files.write("/memories/a", "x", { ifAbsent: true }))).toBe("read_only");
    expect(await codeOf(reader.files.delete("/memories/a"))).toBe("read_only");
  });

  it("throws for what is no text or too large, and passes the store's fault on with its details", async () => {
    const { user, plant, hooks } = testMemory();
    plant("a", new Uint8Array([0xff]));
    plant("b", new Uint8Array(6 * 1024 * 1024));
    expect(await codeOf(user.files.read("/memories/a"))).toBe("not_text");
    expect(await codeOf(user.files.read("/memories/b"))).toBe("too_large");
    hooks.before = () => {
      throw storeFailure("none", 403);
    };
    expect(await codeOf(user.files.read("/memories/a"))).toBe("storage");
    expect(await codeOf(Array.fromAsync(user.files.list()))).toBe("storage");
  });

  it.each([null, "*", "\n", 5, "", undefined])(
    "never deletes on the condition %o, which is none",
    async (ifVersion) => {
      const { user, plant, log } = testMemory();
      plant("a", "x");
      await expect(user.files.delete("/memories/a", { ifVersion } as never)).rejects.toThrow(/option ifVersion is/);
      expect(log).toEqual([]);
    },
  );

  it("refuses options that make no sense, also misspelt ones", async () => {
    const { user } = testMemory();
    const { files } = user;
    const write = files.write("/memories/a", "x", { ifAbsent: true, ifversion: "x" } as never);
    await expect(write).rejects.toThrow(/no option ifversion/);
    await expect(files.write("/memories/a", "x", undefined as never)).rejects.toThrow(/the options are undefined/);
    await expect(files.read("/memories/a", { signal: 5 } as never)).rejects.toThrow(/option signal is 5/);
    await expect(files.delete("/memories/a", { ifversion: "x" } as never)).rejects.toThrow(/no option ifversion/);
    expect(() => files.list(null as never)).toThrow(/files.list: the options are null/);
  });

  it("turns what a store should never throw into a MemoryError that names nothing of it", async () => {
    const { user, hooks } = testMemory();
    hooks.before = () => {
      throw new RangeError("secret-bucket");
    };
    expect(await codeOf(user.files.read("/memories/a"))).toBe("storage");
    expect(await codeOf(Array.fromAsync(user.files.list()))).toBe("storage");
  });
});
