import { describe, expect, it } from "vitest";
import { movedFromOf } from "../../src/core/write-record.ts";
import { storeFailure, testMemory, type TestMemory } from "../support/test-memory.ts";

const create = (path: string, file_text: string): object => ({ command: "create", path, file_text });
const rename = (old_path: string, new_path: string): object => ({ command: "rename", old_path, new_path });

describe("rename of a file", () => {
  it("moves the content, its type and its history", async () => {
    const { say, names, store, keys, text } = testMemory();
    await say({ command: "create", path: "/memories/a.md", file_text: "x\r\n" });
    const before = store.peek(`${keys.memories}a.md`)?.metadata["write-ids"] ?? "";
    expect(await say(rename("/memories/a.md", "/memories/dir/b.md"))).toBe(
      "Successfully renamed /memories/a.md to /memories/dir/b.md",
    );
    expect(names()).toEqual(["dir/b.md"]);
    expect(text("dir/b.md")).toBe("x\r\n");
    const after = store.peek(`${keys.memories}dir/b.md`)?.metadata ?? {};
    expect(after["write-ids"]?.split(",").slice(1).join(",")).toBe(before);
    expect(movedFromOf(after)).toHaveLength(22);
  });

  it("keeps the bytes and the content type of what is no text", async () => {
    const { say, store, keys } = testMemory();
    const bytes = new Uint8Array([0x89, 0x50, 0xff, 0x00]);
    store.plant(`${keys.memories}a.png`, bytes, { contentType: "image/png" });
    await say(rename("/memories/a.png", "/memories/b.png"));
    expect(store.peek(`${keys.memories}b.png`)).toMatchObject({ body: bytes, contentType: "image/png" });
  });

  it("case 22: refuses a destination that exists, file or directory, and leaves both", async () => {
    const { say, plant, names } = testMemory();
    for (const name of ["a.md", "b.md", "dir/c.md"]) plant(name, name);
    expect(await say(rename("/memories/a.md", "/memories/b.md"))).toBe(
      "Error: The destination /memories/b.md already exists",
    );
    expect(await say(rename("/memories/a.md", "/memories/dir"))).toBe(
      "Error: The destination /memories/dir already exists",
    );
    expect(await say(rename("/memories/a.md", "/memories/a.md"))).toBe(
      "Error: The destination /memories/a.md already exists",
    );
    expect(names()).toEqual(["a.md", "b.md", "dir/c.md"]);
  });

  it("says first that the source is missing, whatever the destination, and touches nothing", async () => {
    const { say, plant, names } = testMemory();
    plant("b.md", "x");
    for (const target of ["/memories/b.md", "/memories/a.md/c", "/memories/b.md/c", "/memories/new/c"]) {
      expect(await say(rename("/memories/a.md", target))).toBe("Error: The path /memories/a.md does not exist");
    }
    expect(names()).toEqual(["b.md"]);
  });

  it("refuses to move something into itself or below a file", async () => {
    const { say, plant, names } = testMemory();
    for (const name of ["a", "f", "dir/c"]) plant(name, "x");
    expect(await say(rename("/memories/a", "/memories/a/b"))).toBe("Error: Cannot rename /memories/a into itself");
    expect(await say(rename("/memories/dir", "/memories/dir/x/y"))).toBe(
      "Error: Cannot rename /memories/dir into itself",
    );
    expect(await say(rename("/memories/a", "/memories/f/b/c"))).toBe("Error: /memories/f is a file, not a directory");
    expect(await say(rename("/memories/dir", "/memories/f/b"))).toBe("Error: /memories/f is a file, not a directory");
    expect(names()).toEqual(["a", "dir/c", "f"]);
  });

  it.each(["/memories", "/memories/", "/memories//", "/memories/.", "/memories/a/.."])(
    "case 7: refuses the root as source and as destination, spelled %s",
    async (root) => {
      const { say, plant, names } = testMemory();
      plant("a.md", "x");
      const refusal = "Error: Cannot rename the /memories directory itself";
      expect(await say(rename(root, "/memories/b"))).toBe(refusal);
      expect(await say(rename("/memories/a.md", root))).toBe(refusal);
      expect(names()).toEqual(["a.md"]);
    },
  );

  it("refuses what is too large to be moved", async () => {
    const { say, plant } = testMemory();
    plant("big.bin", new Uint8Array(6 * 1024 * 1024));
    expect(await say(rename("/memories/big.bin", "/memories/b"))).toBe(
      "Error: /memories/big.bin is too large to rename (6.0M)",
    );
  });

  it("lets the copy follow where the source was changed between copy and delete", async () => {
    const { say, plant, names, text, hooks, other } = testMemory();
    plant("a.md", "old");
    hooks.before = async ({ method, count }) => {
      if (method === "delete" && count === 1) {
        await other.execute({ command: "str_replace", path: "/memories/a.md", old_str: "old", new_str: "new" });
      }
    };
    expect(await say(rename("/memories/a.md", "/memories/b.md"))).toContain("Successfully");
    expect(names()).toEqual(["b.md"]);
    expect(text("b.md")).toBe("new");
  });

  it("keeps both where source and copy were edited meanwhile, and says so", async () => {
    const { say, plant, text, hooks, other } = testMemory();
    plant("a.md", "old");
    hooks.before = async ({ method, count }) => {
      if (method !== "delete" || count !== 1) return;
      await other.execute({ command: "str_replace", path: "/memories/a.md", old_str: "old", new_str: "new" });
      await other.execute({ command: "str_replace", path: "/memories/b.md", old_str: "old", new_str: "edited" });
    };
    expect(await say(rename("/memories/a.md", "/memories/b.md"))).toContain("were kept; view both again");
    expect([text("a.md"), text("b.md")]).toEqual(["new", "edited"]);
  });

  it("takes its copy away again where somebody else moved the source first", async () => {
    const { say, plant, names, hooks, other } = testMemory();
    plant("a.md", "x");
    hooks.before = async ({ method, count }) => {
      if (method === "delete" && count === 1) await other.execute(rename("/memories/a.md", "/memories/c.md"));
    };
    expect(await say(rename("/memories/a.md", "/memories/b.md"))).toBe("Error: The path /memories/a.md does not exist");
    expect(names()).toEqual(["c.md"]);
  });

  it("keeps its copy where the lost answer of its delete may be why the source is gone", async () => {
    const { say, plant, names, hooks } = testMemory();
    plant("a.md", "x");
    hooks.after = ({ method, count }) => {
      if (method === "delete" && count === 1) throw storeFailure("unknown");
    };
    expect(await say(rename("/memories/a.md", "/memories/b.md"))).toContain("Successfully");
    expect(names()).toEqual(["b.md"]);
  });

  it("recognises its copy when that answer was lost", async () => {
    const { say, plant, names, hooks, log } = testMemory();
    plant("a.md", "x");
    hooks.after = ({ method, count }) => {
      if (method === "put" && count === 1) throw storeFailure("unknown");
    };
    expect(await say(rename("/memories/a.md", "/memories/b.md"))).toContain("Successfully");
    expect(names()).toEqual(["b.md"]);
    expect(log.filter((request) => request === "put b.md")).toHaveLength(1);
  });

  it("finishes a rename that a dead worker left half done, also when its copy was edited since", async () => {
    const memory = testMemory();
    memory.plant("a.md", "old");
    await dieBeforeDelete(memory, rename("/memories/a.md", "/memories/b.md"));
    expect(memory.names()).toEqual(["a.md", "b.md"]);
    await memory.other.execute({ command: "str_replace", path: "/memories/b.md", old_str: "old", new_str: "edited" });
    expect(await memory.other.execute(rename("/memories/a.md", "/memories/b.md"))).toMatchObject({ isError: false });
    expect(memory.names()).toEqual(["b.md"]);
    expect(memory.text("b.md")).toBe("edited");
  });

  it("takes a marker for nothing once the source was written again", async () => {
    const memory = testMemory();
    await memory.say({ command: "create", path: "/memories/a.md", file_text: "x" });
    await dieBeforeDelete(memory, rename("/memories/a.md", "/memories/b.md"));
    await memory.say({ command: "delete", path: "/memories/a.md" });
    await memory.say({ command: "create", path: "/memories/a.md", file_text: "x" });
    expect(await memory.say(rename("/memories/a.md", "/memories/b.md"))).toContain("already exists");
  });

  it("answers a redelivery truthfully: the source does not exist any more", async () => {
    const { say, plant } = testMemory();
    plant("a.md", "x");
    await say(rename("/memories/a.md", "/memories/b.md"), { toolUseId: "toolu_1" });
    expect(await say(rename("/memories/a.md", "/memories/b.md"), { toolUseId: "toolu_1" })).toBe(
      "Error: The path /memories/a.md does not exist",
    );
  });
});

const append = (path: string) => ({ command: "insert", path, insert_line: 1, insert_text: "edit" });

describe("rename of a directory", () => {
  const directory = { command: "rename", old_path: "/memories/src", new_path: "/memories/other" };
  it.each<readonly [string, (memory: TestMemory) => unknown, string, readonly string[]]>([
    [
      "moved by another rename",
      ({ other }) => other.execute({ ...directory, new_path: "/memories/dst" }),
      "1 of 1 files were moved by someone else meanwhile; view again",
      ["dst/a.md"],
    ],
    [
      "deleted",
      ({ other }) => other.execute({ command: "delete", path: "/memories/src" }),
      "1 of 1 files were moved by someone else meanwhile; view again",
      [],
    ],
    [
      "made too large",
      ({ store, keys, plant }) => {
        const { metadata = {} } = store.peek(`${keys.memories}src/a.md`) ?? {};
        plant("src/a.md", "x".repeat(6_000_000));
        Object.assign(store.peek(`${keys.memories}src/a.md`) ?? {}, { metadata });
      },
      "1 files that were added or changed meanwhile stayed in /memories/src; view again",
      ["src/a.md"],
    ],
  ])("takes its copy away again of a file that was edited after it, and then %s", async (_, then, said, left) => {
    const memory = testMemory();
    const { say, hooks, other, names } = memory;
    await other.execute({ command: "create", path: "/memories/src/a.md", file_text: "text\n" });
    hooks.before = async ({ method, count }) => {
      if (method === "deleteMany" && count === 1) await other.execute(append("/memories/src/a.md"));
      if (method === "copy" && count === 2) await then(memory);
    };
    expect([await say(directory), names()]).toEqual([said, left]);
  });

  it("says that a copy was kept on which somebody has written, where its source went after an edit", async () => {
    const { say, hooks, other, names } = testMemory();
    await other.execute({ command: "create", path: "/memories/src/a.md", file_text: "text\n" });
    hooks.before = async ({ method, count }) => {
      if (method === "deleteMany" && count === 1) await other.execute(append("/memories/src/a.md"));
      if (method !== "copy" || count !== 2) return;
      await other.execute(append("/memories/other/a.md"));
      await other.execute({ command: "delete", path: "/memories/src" });
    };
    expect(await say(directory)).toContain("was kept; view both again");
    expect(names()).toEqual(["other/a.md"]);
  });

  it("moves everything below it, hidden files, markers and odd keys too, and nothing beside it", async () => {
    const { say, plant, names, log } = testMemory();
    for (const name of ["dir/a.md", "dir/.hidden", "dir/sub/b.md", "dir/empty/", "dir/x//y", "dirt"]) plant(name, name);
    expect(await say(rename("/memories/dir", "/memories/new/place"))).toBe(
      "Successfully renamed /memories/dir to /memories/new/place",
    );
    expect(names()).toEqual([
      "dirt",
      "new/place/.hidden",
      "new/place/a.md",
      "new/place/empty/",
      "new/place/sub/b.md",
      "new/place/x//y",
    ]);
    expect(log.filter((request) => request.startsWith("list"))).toHaveLength(2);
  });

  it("refuses a destination that exists, and moves nothing", async () => {
    const { say, plant, names } = testMemory();
    for (const name of ["dir/a", "file", "other/b"]) plant(name, name);
    const before = names();
    expect(await say(rename("/memories/dir", "/memories/file"))).toContain("/memories/file already exists");
    expect(await say(rename("/memories/dir", "/memories/other"))).toContain("/memories/other already exists");
    expect(await say(rename("/memories/dir", "/memories/dir"))).toContain("/memories/dir already exists");
    expect(names()).toEqual(before);
  });

  it("refuses a destination that has one of its names but is no half-done rename of it", async () => {
    const { say, plant, names } = testMemory();
    for (const name of ["dir/a", "dir/b", "new/b"]) plant(name, name);
    const before = names();
    expect(await say(rename("/memories/dir", "/memories/new"))).toContain("/memories/new already exists");
    expect(names()).toEqual(before);
  });

  it("refuses before the first copy where one file would get a path that is too long or too deep", async () => {
    const { say, plant, names, keys } = testMemory();
    plant("dir/a", "x");
    plant(`dir/${Array.from({ length: 18 }, (_, index) => index).join("/")}`, "x");
    const before = names();
    expect(await say(rename("/memories/dir", "/memories/one/two/three"))).toContain("at most 20 parts");
    expect(await say(rename("/memories/dir", `/memories/${"x".repeat(990)}`))).toContain("bytes");
    expect(names()).toEqual(before);
    plant(`d2//${"y".repeat(1_024 - `${keys.memories}d2//`.length)}`, "x");
    expect(await say(rename("/memories/d2", "/memories/longer"))).toContain("a path that is too long");
    expect(names().filter((name) => name.startsWith("longer"))).toEqual([]);
  });

  it("moves what is added while it copies", async () => {
    const { say, plant, names, hooks, other } = testMemory();
    plant("dir/a", "x");
    plant("dir/b", "x");
    hooks.before = async ({ method, count }) => {
      if (method === "copy" && count === 1) {
        await other.execute({ command: "create", path: "/memories/dir/late", file_text: "x" });
        await other.execute({ command: "str_replace", path: "/memories/dir/b", old_str: "x", new_str: "y" });
      }
    };
    expect(await say(rename("/memories/dir", "/memories/new"))).toContain("Successfully");
    expect(names()).toEqual(["new/a", "new/b", "new/late"]);
  });

  it("lets every file follow that was changed after its copy", async () => {
    const { say, plant, names, text, hooks, other } = testMemory();
    plant("dir/a", "x");
    hooks.after = async ({ method, count }) => {
      if (method !== "copy" || count !== 1) return;
      await other.execute({ command: "str_replace", path: "/memories/dir/a", old_str: "x", new_str: "y" });
    };
    expect(await say(rename("/memories/dir", "/memories/new"))).toContain("Successfully");
    expect(names()).toEqual(["new/a"]);
    expect(text("new/a")).toBe("y");
  });

  it("lets a file follow that was changed just before its delete", async () => {
    const { say, plant, names, text, hooks, other } = testMemory();
    plant("dir/a", "x");
    plant("dir/b", "x");
    hooks.before = async ({ method, count }) => {
      if (method !== "deleteMany" || count !== 1) return;
      await other.execute({ command: "str_replace", path: "/memories/dir/a", old_str: "x", new_str: "y" });
    };
    expect(await say(rename("/memories/dir", "/memories/new"))).toContain("Successfully");
    expect(names()).toEqual(["new/a", "new/b"]);
    expect(text("new/a")).toBe("y");
  });

  it("leaves a file where it is that is changed before each delete, and says so", async () => {
    const { say, plant, names, hooks, other } = testMemory();
    plant("dir/a", "1");
    plant("dir/b", "x");
    hooks.before = async ({ method, count }) => {
      if (method !== "deleteMany") return;
      const [old_str, new_str] = [String(count), String(count + 1)];
      await other.execute({ command: "str_replace", path: "/memories/dir/a", old_str, new_str });
    };
    expect(await say(rename("/memories/dir", "/memories/new"))).toBe(
      "1 files that were added or changed meanwhile stayed in /memories/dir; view again",
    );
    expect(names()).toEqual(["dir/a", "new/b"]);
  });

  it("leaves every file in exactly one place where two workers rename one directory to two names", async () => {
    const { user, other, plant, names } = testMemory();
    const files = Array.from({ length: 20 }, (_, index) => `f${index}`);
    for (const file of files) plant(`dir/${file}`, file);
    const answers = await Promise.all([
      user.execute(rename("/memories/dir", "/memories/one")),
      other.execute(rename("/memories/dir", "/memories/two")),
    ]);
    const places = names().map((name) => name.replace(/^(one|two)\//, ""));
    expect(places.sort()).toEqual([...files].sort());
    expect(answers.some((answer) => answer.isError)).toBe(true);
  });

  it.each([
    ["answered with 503 after the commit", storeFailure("unknown", 503)],
    ["cut off after the commit", storeFailure("unknown")],
    ["timed out after the commit", storeFailure("unsettled")],
  ])("keeps every copy where its batch delete was %s", async (_, failure) => {
    const { say, plant, names, hooks } = testMemory();
    for (const name of ["dir/a", "dir/b"]) plant(name, name);
    hooks.after = ({ method, count }) => {
      if (method === "deleteMany" && count === 1) throw failure;
    };
    expect(await say(rename("/memories/dir", "/memories/new"))).toContain("Successfully");
    expect(names()).toEqual(["new/a", "new/b"]);
  });

  it("says that the outcome is unknown where its batch delete timed out and files are still there", async () => {
    const { code, plant, names, hooks, log } = testMemory();
    for (const name of ["dir/a", "dir/b"]) plant(name, name);
    hooks.before = ({ method }) => {
      if (method === "deleteMany") throw storeFailure("unsettled");
    };
    expect(await code(rename("/memories/dir", "/memories/new"))).toBe("outcome_unknown");
    expect(names()).toEqual(["dir/a", "dir/b", "new/a", "new/b"]);
    expect(log.filter((request) => request.startsWith("deleteMany"))).toHaveLength(1);
  });

  it("finishes what a dead worker left half done", async () => {
    const memory = testMemory();
    for (const name of ["dir/a", "dir/b", "dir/c"]) memory.plant(name, name);
    memory.hooks.before = ({ method, count }) => {
      if (method === "copy" && count >= 3) throw storeFailure("none");
    };
    expect(await memory.code(rename("/memories/dir", "/memories/new"))).toBe("storage");
    expect(memory.names().filter((name) => name.startsWith("dir/"))).toHaveLength(3);
    memory.hooks.before = () => undefined;
    expect(await memory.say(rename("/memories/dir", "/memories/new"))).toContain("Successfully");
    expect(memory.names()).toEqual(["new/a", "new/b", "new/c"]);
    expect(memory.text("new/b")).toBe("dir/b");
  });

  it("works where no limit makes a listing of the scope necessary, and where the scope is over its limit", async () => {
    for (const limits of [{ files: Infinity }, { files: 1 }]) {
      const { say, plant, names } = testMemory({ limits });
      for (const name of ["dir/a", "dir/b", "z"]) plant(name, name);
      expect(await say(rename("/memories/dir", "/memories/new/place"))).toContain("Successfully");
      expect(await say(rename("/memories/z", "/memories/new/z.md"))).toContain("Successfully");
      expect(names()).toEqual(["new/place/a", "new/place/b", "new/z.md"]);
    }
  });
});

const refuse = async (): Promise<never> => {
  throw storeFailure("none");
};

/** Runs a rename whose worker dies when it is about to delete the source. */
async function dieBeforeDelete(memory: TestMemory, command: object): Promise<void> {
  memory.hooks.before = ({ method }) => {
    if (method === "delete") throw storeFailure("none");
  };
  expect(await memory.code(command)).toBe("storage");
  memory.hooks.before = () => undefined;
}

describe("a new file in the place of the one that was renamed", () => {
  it("is left alone where another worker finished the rename first, and a third wrote there", async () => {
    const { say, text, hooks, other } = testMemory();
    await say(create("/memories/a.md", "precious"));
    hooks.before = async ({ method, count }) => {
      if (method !== "delete" || count !== 1) return;
      await other.execute(rename("/memories/a.md", "/memories/b.md"));
      await other.execute(create("/memories/a.md", "new"));
    };
    expect(await say(rename("/memories/a.md", "/memories/b.md"))).toContain("/memories/b.md was kept");
    expect([text("a.md"), text("b.md")]).toEqual(["new", "precious"]);
  });

  it("is left alone where the delete landed without an answer, and somebody wrote there", async () => {
    const { say, text, hooks, other } = testMemory();
    await say(create("/memories/a.md", "precious"));
    hooks.after = async ({ method, count }) => {
      if (method !== "delete" || count !== 1) return;
      await other.execute(create("/memories/a.md", "new"));
      throw storeFailure("unknown", 503);
    };
    expect(await say(rename("/memories/a.md", "/memories/b.md"))).toContain("Successfully");
    expect([text("a.md"), text("b.md")]).toEqual(["new", "precious"]);
  });

  it("stays, and this call's copy goes, where somebody deleted the file and wrote another", async () => {
    const { say, text, hooks, other } = testMemory();
    await say(create("/memories/a.md", "old"));
    hooks.before = async ({ method, count }) => {
      if (method !== "delete" || count !== 1) return;
      await other.execute({ command: "delete", path: "/memories/a.md" });
      await other.execute(create("/memories/a.md", "new"));
    };
    expect(await say(rename("/memories/a.md", "/memories/b.md"))).toContain("nothing was changed by this command");
    expect([text("a.md"), text("b.md")]).toEqual(["new", undefined]);
  });

  it("stays where it is in a directory whose rename another worker finished first", async () => {
    const { say, names, text, hooks, other } = testMemory();
    await say(create("/memories/dir/a", "precious"));
    await say(create("/memories/dir/b", "precious"));
    let listings = 0;
    hooks.before = async ({ method }) => {
      if (method !== "list" || ++listings !== 2) return;
      await other.execute(rename("/memories/dir", "/memories/new"));
      await other.execute(create("/memories/dir/a", "other"));
    };
    expect(await say(rename("/memories/dir", "/memories/new"))).toContain("/memories/new was kept");
    expect(names()).toEqual(["dir/a", "new/a", "new/b"]);
    expect([text("dir/a"), text("new/a")]).toEqual(["other", "precious"]);
  });

  it("keeps both where another tool overwrote the source, since it leaves no ids behind", async () => {
    const { say, text, plant, hooks } = testMemory();
    plant("a.md", "old");
    hooks.before = ({ method, count }) => {
      if (method === "delete" && count === 1) plant("a.md", "overwritten");
    };
    expect(await say(rename("/memories/a.md", "/memories/b.md"))).toContain("were kept; view both again");
    expect([text("a.md"), text("b.md")]).toEqual(["overwritten", "old"]);
  });
});

describe("a rename whose copy got no answer", () => {
  it.each([
    ["a file", "a.md", "b.md", "/memories/a.md", "/memories/b.md", "put"],
    ["a directory", "dir/a", "new/a", "/memories/dir", "/memories/new", "copy"],
  ] as const)(
    "brings nothing back that somebody deleted meanwhile: %s",
    async (_, source, target, from, to, method) => {
      const { code, plant, text, hooks, other } = testMemory();
      plant(source, "x");
      plant("dir/b", "x");
      hooks.after = async (step) => {
        if (step.method !== method || !step.key.endsWith(source.split("/").at(-1) === "a" ? source : target)) return;
        hooks.after = () => undefined;
        await other.execute({ command: "delete", path: `/memories/${source}` });
        throw storeFailure("unknown");
      };
      expect(await code(rename(from, to))).toBeDefined();
      expect([text(source), text(target)]).toEqual([undefined, undefined]);
    },
  );

  it.each([
    ["a file", "a.md", "/memories/a.md", "/memories/b.md", "b.md"],
    ["a directory", "dir/a", "/memories/dir", "/memories/new", "new/a"],
  ])(
    "never takes another worker's finished copy for its own, which it took over without an answer: %s",
    async (_, source, from, to, target) => {
      const memory = testMemory();
      const { user, plant, text, hooks, other } = memory;
      plant(source, "precious");
      let raced = false;
      let dropped = false;
      hooks.before = async ({ method, key }) => {
        // The other worker copies first, and finishes once this one has seen the copy.
        if ((method === "put" || method === "copy") && !raced) {
          raced = true;
          hooks.after = async (step) => {
            if (step.method === "get" && step.key.endsWith(target)) await other.execute(rename(from, to));
            if (step.method === "put" && step.key.endsWith(target) && !dropped) {
              dropped = true;
              throw storeFailure("unknown");
            }
          };
          await halfDone(key);
        }
      };
      const halfDone = async (_key: string): Promise<void> => {
        const { store, keys } = memory;
        const remove = store.delete.bind(store);
        const removeMany = store.deleteMany.bind(store);
        Object.assign(store, { delete: refuse, deleteMany: refuse });
        await other.execute(rename(from, to));
        Object.assign(store, { delete: remove, deleteMany: removeMany });
        expect(store.peek(keys.memories + target)).toBeDefined();
      };
      await user.execute(rename(from, to));
      expect([text(source), text(target)]).toEqual([undefined, "precious"]);
    },
  );

  it("goes on where the copy timed out and yet landed", async () => {
    const { say, plant, names, hooks } = testMemory();
    plant("a.md", "x");
    hooks.after = ({ method, count }) => {
      if (method === "put" && count === 1) throw storeFailure("unsettled");
    };
    expect(await say(rename("/memories/a.md", "/memories/b.md"))).toContain("Successfully");
    expect(names()).toEqual(["b.md"]);
  });

  it("names both paths where the outcome stays unknown", async () => {
    const { say, plant, hooks } = testMemory();
    plant("a.md", "x");
    hooks.before = ({ method }) => {
      if (method === "put") throw storeFailure("unsettled");
    };
    expect(await say(rename("/memories/a.md", "/memories/b.md"))).toContain(
      "view /memories/a.md and /memories/b.md again",
    );
  });

  it("says that a directory may be in both places where one of its copies is never decided", async () => {
    const { say, plant, store } = testMemory({ retry: { attempts: 3 } });
    plant("dir/a", "x");
    plant("dir/b", "x");
    const copy = store.copy.bind(store);
    store.copy = async (source, target, options) => {
      if (!source.endsWith("b")) return copy(source, target, options);
      return {
        outcome: "undecided",
        source: { size: 1, version: '"v"', modified: new Date(), metadata: {}, contentType: "" },
      };
    };
    expect(await say(rename("/memories/dir", "/memories/new"))).toContain("The same rename again finishes it");
  });
});

function plantMany(memory: TestMemory, directory: string, count: number): void {
  for (let file = 0; file < count; file++) memory.plant(`${directory}/${String(file).padStart(5, "0")}`, "x");
}

function sentOf(memory: TestMemory, method: string): number {
  return memory.log.filter((request) => request.startsWith(`${method} `) || request === method).length;
}

describe("rename where there are many files", () => {
  it("looks at one page of a large scope, whatever its limit, and then around the target", async () => {
    const memory = testMemory({ limits: { files: 50_000 } });
    plantMany(memory, "other", 5_000);
    memory.plant("a.md", "x");
    expect(await memory.say(rename("/memories/a.md", "/memories/x/b.md"))).toContain("Successfully");
    expect(sentOf(memory, "list")).toBe(2);
    expect(sentOf(memory, "head")).toBe(1);
  });

  it("looks at both ends of a directory at once where its name tells what it is", async () => {
    const memory = testMemory({ limits: { files: Infinity } });
    plantMany(memory, "dir", 3);
    memory.plant("other/a", "x");
    const awaited = new Set(["list dir/", "list new/", "head new"]);
    const sent = Promise.withResolvers<void>();
    memory.hooks.before = async ({ method, key }) => {
      awaited.delete(memory.log.at(-1) ?? "");
      if (awaited.size === 0) sent.resolve();
      if (method === "get" && key.endsWith("/dir")) await sent.promise; // never comes if one of them waits for this
    };
    expect(await memory.say(rename("/memories/dir", "/memories/new"))).toContain("Successfully");
    expect(sentOf(memory, "list")).toBe(3); // and the second look at the source
    expect(memory.names()).toEqual(["new/00000", "new/00001", "new/00002", "other/a"]);
  });

  it.each(["/memories/dir", "/memories/dir.d"])(
    "refuses a file at the destination of %s without a limit too",
    async (path) => {
      const memory = testMemory({ limits: { files: Infinity } });
      plantMany(memory, path.replace("/memories/", ""), 2);
      memory.plant("file", "x");
      expect(await memory.say(rename(path, "/memories/file"))).toContain("/memories/file already exists");
      expect(memory.names()).toHaveLength(3);
    },
  );

  it("refuses a destination with other files of the same names at the first of them", async () => {
    const memory = testMemory({ limits: { files: Infinity } });
    plantMany(memory, "dir", 500);
    plantMany(memory, "new", 500);
    expect(await memory.say(rename("/memories/dir", "/memories/new"))).toBe(
      "Error: The destination /memories/new already exists",
    );
    expect(sentOf(memory, "head")).toBeLessThanOrEqual(1 + 2 * 16);
    expect(memory.names()).toHaveLength(1_000);
  });

  it("deletes the sources of a directory in batches of 1,000, after all copies", async () => {
    const memory = testMemory({ limits: { files: Infinity } });
    plantMany(memory, "dir", 2_100);
    expect(await memory.say(rename("/memories/dir", "/memories/new"))).toContain("Successfully");
    expect(sentOf(memory, "deleteMany")).toBe(3);
    const lastCopy = memory.log.findLastIndex((request) => request.startsWith("copy "));
    expect(memory.log.findIndex((request) => request.startsWith("deleteMany"))).toBeGreaterThan(lastCopy);
    expect(memory.names().filter((name) => name.startsWith("new/"))).toHaveLength(2_100);
    expect(memory.names()).toHaveLength(2_100);
  });

  it("finishes the rename of 2,100 files that another worker left half done", async () => {
    const memory = testMemory({ limits: { files: Infinity } });
    plantMany(memory, "dir", 2_100);
    const { store, other } = memory;
    const deleteMany = store.deleteMany.bind(store);
    store.deleteMany = async () => Promise.reject(storeFailure("none", 403));
    await other.execute(rename("/memories/dir", "/memories/new"));
    store.deleteMany = deleteMany;
    expect(memory.names()).toHaveLength(4_200);
    expect(await memory.say(rename("/memories/dir", "/memories/new"))).toContain("Successfully");
    expect(memory.names().filter((name) => name.startsWith("new/"))).toHaveLength(2_100);
    expect(memory.names()).toHaveLength(2_100);
  });
});
