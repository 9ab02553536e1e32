import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { storeFailure, testMemory, type TestMemory } from "../support/test-memory.ts";

const del = (path: string): object => ({ command: "delete", path });

describe("delete", () => {
  it("deletes a file, and nothing whose name only starts the same (case 21)", async () => {
    const { say, plant, names } = testMemory();
    plant("note", "x");
    plant("notes.md", "x");
    plant("note.md", "x");
    expect(await say(del("/memories/note"))).toBe("Successfully deleted /memories/note");
    expect(names()).toEqual(["note.md", "notes.md"]);
  });

  it("says that a missing path does not exist", async () => {
    const { say } = testMemory();
    expect(await say(del("/memories/a.md"))).toBe("Error: The path /memories/a.md does not exist");
  });

  it.each(["/memories", "/memories/", "/memories//", "/memories/.", "/memories/sub/..", "//memories/a/../"])(
    "case 7: refuses the root, spelled %s",
    async (path) => {
      const { say, plant, names } = testMemory();
      plant("a.md", "x");
      expect(await say(del(path))).toBe("Error: Cannot delete the /memories directory itself");
      expect(names()).toEqual(["a.md"]);
    },
  );

  it("case 30: deletes a directory of any number of pages, with hidden files, markers and odd keys of other tools", async () => {
    const { say, plant, names, log } = testMemory();
    for (let file = 0; file < 2_100; file++) plant(`dir/${file}`, "");
    plant("dir/.hidden", "");
    plant("dir/sub/", "");
    plant("dir/a//b", "");
    plant("dirt", "stays");
    expect(await say(del("/memories/dir/"))).toBe("Successfully deleted /memories/dir/");
    expect(names()).toEqual(["dirt"]);
    expect(log.filter((request) => request.startsWith("deleteMany"))).toHaveLength(3);
  });

  it("means the file where a file and a directory share a name, and the directory at the second time", async () => {
    const { say, plant, names } = testMemory();
    plant("a", "x");
    plant("a/b", "x");
    await say(del("/memories/a"));
    expect(names()).toEqual(["a/b"]);
    await say(del("/memories/a"));
    expect(names()).toEqual([]);
  });

  it("keeps what was changed or added since the directory was listed, and says how much", async () => {
    const { say, plant, names, hooks, other } = testMemory();
    for (const name of ["dir/a", "dir/b", "dir/c"]) plant(name, "x");
    hooks.before = async ({ method }) => {
      if (method !== "deleteMany") return;
      await other.execute({ command: "str_replace", path: "/memories/dir/b", old_str: "x", new_str: "y" });
      await other.execute({ command: "create", path: "/memories/dir/d", file_text: "new" });
    };
    expect(await say(del("/memories/dir"))).toBe(
      "1 files in /memories/dir were changed meanwhile and were kept; view again",
    );
    expect(names()).toEqual(["dir/b", "dir/d"]);
  });

  it("deletes a directory again and again until the store answers for every key", async () => {
    const { say, plant, names, store } = testMemory();
    for (const name of ["dir/a", "dir/b", "dir/c"]) plant(name, "x");
    const deleteMany = store.deleteMany.bind(store);
    store.deleteMany = async (objects, options) => {
      const [first, ...rest] = objects;
      if (!first) return [];
      const [result] = await deleteMany([first], options);
      return [
        result ?? { outcome: "undecided" },
        ...rest.map((_, index) =>
          index === 0
            ? ({ outcome: "undecided" } as const)
            : ({ outcome: "failed", error: storeFailure("unknown", 500) } as const),
        ),
      ];
    };
    expect(await say(del("/memories/dir"))).toContain("Successfully");
    expect(names()).toEqual([]);
  });

  it("reports the store's fault where a key of a directory cannot be deleted, and can be repeated", async () => {
    const { code, plant, names, store } = testMemory();
    plant("dir/a", "x");
    const deleteMany = store.deleteMany.bind(store);
    store.deleteMany = async () => [{ outcome: "failed", error: storeFailure("none", 403) }];
    expect(await code(del("/memories/dir"))).toBe("storage");
    store.deleteMany = deleteMany;
    expect(await code(del("/memories/dir"))).toBeUndefined();
    expect(names()).toEqual([]);
  });

  it("says that a directory was deleted only in part where some keys are never decided", async () => {
    const { say, plant, store, names } = testMemory({ retry: { attempts: 3 } });
    for (const name of ["dir/a", "dir/b"]) plant(name, "x");
    const deleteMany = store.deleteMany.bind(store);
    store.deleteMany = async (objects, options) => {
      const kept = new Set(objects.filter(({ key }) => key.endsWith("b")));
      await deleteMany(
        objects.filter((object) => !kept.has(object)),
        options,
      );
      return objects.map((object) => ({ outcome: kept.has(object) ? "undecided" : "deleted" }) as const);
    };
    expect(await say(del("/memories/dir"))).toBe("Error: /memories/dir was deleted only in part; view again");
    expect(names()).toEqual(["dir/b"]);
  });

  it("takes a lost answer for success once the file is gone", async () => {
    const { say, plant, names, hooks } = testMemory();
    plant("a.md", "x");
    hooks.after = ({ method, count }) => {
      if (method === "delete" && count === 1) throw storeFailure("unknown");
    };
    expect(await say(del("/memories/a.md"))).toBe("Successfully deleted /memories/a.md");
    expect(names()).toEqual([]);
  });

  it("repeats a delete that did not land, only on the version it read back", async () => {
    const { say, plant, names, hooks, log, store, keys } = testMemory();
    plant("a.md", "x");
    hooks.before = ({ method, count }) => {
      if (method === "delete" && count === 1) throw storeFailure("unknown");
    };
    const remove = store.delete.bind(store);
    const conditions: unknown[] = [];
    store.delete = async (key, options) => {
      conditions.push(options.condition);
      return remove(key, options);
    };
    const version = store.peek(`${keys.memories}a.md`)?.version;
    expect(await say(del("/memories/a.md"))).toBe("Successfully deleted /memories/a.md");
    expect(names()).toEqual([]);
    expect(log.filter((request) => request.startsWith("delete "))).toHaveLength(2);
    expect(conditions).toEqual([{ kind: "unchanged", version }]);
  });

  it("says that the outcome is unknown after a time-out that left the file there", async () => {
    const { say, plant, log, hooks } = testMemory();
    plant("a.md", "x");
    hooks.before = ({ method }) => {
      if (method === "delete") throw storeFailure("unsettled");
    };
    expect(await say(del("/memories/a.md"))).toContain("The outcome is unknown");
    expect(log.filter((request) => request.startsWith("delete "))).toHaveLength(1);
  });

  it("never lets a directory follow a file whose delete got no answer", async () => {
    const { say, plant, names, hooks } = testMemory();
    plant("a", "x");
    plant("a/b", "x");
    hooks.after = ({ method, count }) => {
      if (method === "delete" && count === 1) throw storeFailure("unknown");
    };
    expect(await say(del("/memories/a"))).toContain("The outcome is unknown");
    expect(names()).toEqual(["a/b"]);
  });

  it("waits for both requests of a file, whichever fails first", async () => {
    const { code, plant, hooks, names } = testMemory();
    plant("a.md", "x");
    hooks.before = ({ method }) => {
      if (method === "list") throw storeFailure("none", 403);
    };
    expect(await code(del("/memories/a.md"))).toBeUndefined();
    expect(names()).toEqual([]);
    expect(await code(del("/memories/a.md"))).toBe("storage");
  });
});

describe("delete of a directory of many pages", () => {
  const pages = 12;
  const directory = (): TestMemory => {
    const memory = testMemory();
    for (let file = 0; file < pages * 1_000; file++) memory.plant(`dir/${String(file).padStart(5, "0")}`, "");
    return memory;
  };

  it("lists the next page while one is deleted, and holds no more than a few", async () => {
    const { say, names, hooks, store } = directory();
    const list = Promise.withResolvers<void>();
    let listed = 0;
    let deleted = 0;
    let most = 0;
    hooks.after = ({ method }) => {
      if (method === "list") most = Math.max(most, (listed += 1) - deleted);
      if (listed === 2) list.resolve();
    };
    const deleteMany = store.deleteMany.bind(store);
    store.deleteMany = async (...values) => {
      await list.promise; // never comes if the second page waits for this batch
      await setTimeout(5); // longer than a listing takes
      const results = await deleteMany(...values);
      deleted += 1;
      return results;
    };
    expect(await say(del("/memories/dir"))).toBe("Successfully deleted /memories/dir");
    expect(names()).toEqual([]);
    expect({ listed, deleted }).toEqual({ listed: pages, deleted: pages });
    expect(most).toBeLessThanOrEqual(5);
  });

  it("sends nothing more after a batch that failed, and answers once those under way have settled", async () => {
    const { user, names, hooks, store } = directory();
    const failed = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const sent = { list: 0, deleteMany: 0 };
    const deleteMany = store.deleteMany.bind(store);
    store.deleteMany = async (...values) => {
      const batch = (sent.deleteMany += 1);
      if (batch === 2) await failed.promise;
      else await held.promise;
      if (batch === 2) throw storeFailure("none", 403);
      return deleteMany(...values);
    };
    hooks.before = ({ method }) => {
      if (method !== "list") return;
      sent.list += 1;
      if (sent.list === 4) failed.resolve();
    };
    let isAnswered = false;
    const answer = user.execute(del("/memories/dir")).finally(() => (isAnswered = true));
    await failed.promise;
    await setTimeout(20);
    expect(isAnswered).toBe(false);
    held.resolve();
    expect(await answer).toMatchObject({
      code: "storage",
      content: "Error: /memories/dir was deleted only in part; view again",
    });
    expect(sent.list).toBeLessThanOrEqual(5);
    const deleted = pages * 1_000 - names().length;
    expect(deleted).toBe((sent.deleteMany - 1) * 1_000);
    await setTimeout(20);
    expect(pages * 1_000 - names().length).toBe(deleted);
  });

  it("looks no further than to the last key of a batch that got no answer", async () => {
    const { say, names, hooks, log } = directory();
    hooks.before = ({ method, count }) => {
      if (method === "deleteMany" && count === 1) throw storeFailure("unknown", 500);
    };
    expect(await say(del("/memories/dir"))).toBe("Successfully deleted /memories/dir");
    expect(names()).toEqual([]);
    expect(log.filter((request) => request.startsWith("list"))).toHaveLength(pages + 1);
  });

  it("finds the keys of a batch that got no answer on pages of any size, in whatever order the store lists them", async () => {
    const { say, plant, names, hooks, store } = testMemory();
    for (const name of ["dir/a", "dir/b/x", "dir/b.md"]) plant(name, "x");
    const list = store.list.bind(store);
    let pageSize = 1_000;
    store.list = async (options) => {
      const { objects, ...page } = await list({ ...options, pageSize });
      return { ...page, objects: objects.toReversed() };
    };
    hooks.before = ({ method, count }) => {
      if (method !== "deleteMany" || count > 1) return;
      pageSize = 2;
      throw storeFailure("unknown", 500);
    };
    expect(await say(del("/memories/dir"))).toBe("Successfully deleted /memories/dir");
    expect(names()).toEqual([]);
  });

  it("sends again what a lost batch left", async () => {
    const { say, names, hooks, plant, log } = testMemory();
    for (const name of ["dir/a", "dir/b", "dir/c😀"]) plant(name, "x");
    hooks.before = ({ method, count }) => {
      if (method === "deleteMany" && count === 1) throw storeFailure("unknown", 500);
    };
    expect(await say(del("/memories/dir"))).toBe("Successfully deleted /memories/dir");
    expect(names()).toEqual([]);
    expect(log.filter((request) => request.startsWith("deleteMany"))).toHaveLength(2);
  });

  it("takes the marker of the directory itself for one of its keys after a lost answer", async () => {
    const { say, names, hooks, plant, log } = testMemory();
    plant("dir/", "");
    hooks.before = ({ method, count }) => {
      if (method === "deleteMany" && count === 1) throw storeFailure("unknown", 500);
    };
    expect(await say(del("/memories/dir"))).toBe("Successfully deleted /memories/dir");
    expect(names()).toEqual([]);
    expect(log.filter((request) => request.startsWith("deleteMany"))).toHaveLength(2);
  });
});
