import { describe, expect, it } from "vitest";
import type { MemoryOptions } from "../../src/options.ts";
import { create, insert, path, replace, view } from "../support/one-file.ts";
import { storeFailure, testMemory, type TestMemory } from "../support/test-memory.ts";

const rename = (old_path: string, new_path: string): object => ({ command: "rename", old_path, new_path });
const overwriting = { onExisting: "overwrite" } as const;

/** A file that this process knows, and an empty log. */
async function viewed(text: string, options: MemoryOptions = {}): Promise<TestMemory> {
  const memory = testMemory(options);
  memory.plant("a.md", text);
  await memory.say(view);
  memory.log.length = 0;
  return memory;
}

describe("an edit of a file that this process knows", () => {
  it.each([
    ["str_replace", replace("one", "1"), "1\ntwo\n"],
    ["insert", insert(1, "and a half"), "one\nand a half\ntwo\n"],
  ])("sends its PUT at once: %s", async (_, edit, after) => {
    const { say, log, text } = await viewed("one\ntwo\n");
    await say(edit);
    expect([log, text("a.md")]).toEqual([["put a.md"], after]);
  });

  it("goes on from its own writes, one request each", async () => {
    const { say, log, text } = testMemory();
    await say(create("one\n"));
    log.length = 0;
    for (const word of ["two", "three", "four"]) await say(insert(0, word));
    await say(replace("three", "3"));
    expect([log, text("a.md")]).toEqual([Array.from({ length: 4 }, () => "put a.md"), "four\n3\ntwo\none\n"]);
  });

  it("reads again after eight writes in a row, so that others have their turn", async () => {
    const { say, log } = await viewed("one\n");
    for (let edit = 0; edit < 18; edit++) await say(insert(0, `line ${edit}`));
    const eight = Array.from({ length: 8 }, () => "put a.md");
    expect(log).toEqual([...eight, "get a.md", "put a.md", ...eight.slice(1), "get a.md", "put a.md", "put a.md"]);
  });

  it("goes on from what another conversation of the process saw", async () => {
    const { user, log } = await viewed("one\n");
    await user.files.read(path);
    log.length = 0;
    await user.execute(replace("one", "1"));
    expect(log).toEqual(["put a.md"]);
  });

  it("carries the write ids, the move marker and other tools' metadata on", async () => {
    const { say, store, keys } = testMemory();
    const metadata = { "write-ids": "second,first", "moved-from": "marker", colour: "blue" };
    store.plant(`${keys.memories}a.md`, "one\n", { metadata, contentType: "text/plain" });
    await say(view);
    await say(replace("one", "1"));
    await say(replace("1", "uno"));
    expect(store.peek(`${keys.memories}a.md`)?.metadata).toMatchObject({
      "write-ids": expect.stringMatching(/^[\w-]{22},[\w-]{22},second,first$/u),
      "moved-from": "marker",
      colour: "blue",
    });
  });

  it("reads again, at once, where the file was changed meanwhile, and counts the lines that were shown", async () => {
    const { say, log, text, other } = await viewed("one\ntwo\n");
    await other.execute(insert(0, "zero"));
    await say(insert(1, "and a half"));
    expect([log, text("a.md")]).toEqual([["put a.md", "get a.md", "put a.md"], "zero\none\nand a half\ntwo\n"]);
  });

  it("counts the lines of what it then reads where this conversation was shown none", async () => {
    const { user, say, log, text, other } = testMemory();
    await other.execute(create("one\ntwo\n"));
    await user.files.read(path); // the application's, so Claude was shown nothing
    await other.execute(insert(0, "zero")); // what another process showed Claude
    log.length = 0;
    await say(insert(1, "and a half"));
    expect([log, text("a.md")]).toEqual([["put a.md", "get a.md", "put a.md"], "zero\nand a half\none\ntwo\n"]);
  });

  it.each<readonly [string, object, string]>([
    ["a text that is not there", replace("three", "3"), "did not appear"],
    ["a text that is there twice", replace("o", "0"), "Multiple occurrences"],
    ["a line that is not there", insert(3, "x"), "Invalid `insert_line`"],
  ])("refuses %s on fresh bytes only", async (_, edit, refusal) => {
    const { say, log } = await viewed("one\ntwo\n");
    expect(await say(edit)).toContain(refusal);
    expect(log).toEqual(["get a.md"]);
  });

  it("makes of fresh bytes what the bytes that it knew would have refused", async () => {
    const { say, log, text, other } = await viewed("one\ntwo\n");
    await other.execute(replace("two", "three"));
    expect(await say(replace("three", "3"))).toContain("edited");
    expect([log, text("a.md")]).toEqual([["get a.md", "put a.md"], "one\n3\n"]);
  });

  it("refuses a file over its limit on fresh bytes only", async () => {
    const { say, code, log, text, other } = await viewed("123456789", { limits: { fileBytes: 10 } });
    expect(await code(insert(1, "more"))).toBe("too_large");
    expect(log).toEqual(["get a.md"]);
    await other.execute(replace("123456789", "1"));
    await say(insert(1, "more"));
    expect(text("a.md")).toBe("1\nmore");
  });

  it("counts the scope's bytes before it lets the file grow, where they are limited, and not otherwise", async () => {
    const { say, code, log, text } = await viewed("12345", { limits: { totalBytes: 10 } });
    await say(replace("5", "56"));
    expect(log).toEqual(["list", "put a.md"]);
    log.length = 0;
    await say(replace("6", "7"));
    expect(log).toEqual(["put a.md"]);
    log.length = 0;
    expect(await code(insert(1, "123456"))).toBe("limit_reached");
    expect([log.toSorted(), text("a.md")]).toEqual([["get a.md", "list", "list"], "123457"]);
  });

  it("tells a repeated delivery by fresh bytes only, and writes nothing", async () => {
    const { say, log, text } = await viewed("one\n");
    const again = { toolUseId: "toolu_1" };
    await say(replace("one", "one one"), again);
    log.length = 0;
    expect(await say(replace("one", "one one"), again)).toContain("edited");
    expect([log, text("a.md")]).toEqual([["get a.md"], "one one\n"]);
  });

  it("does nothing twice where another process has carried out the delivery before", async () => {
    const { say, log, text, other } = await viewed("one\n");
    const again = { toolUseId: "toolu_1" };
    await other.execute(replace("one", "one one"), again);
    await say(replace("one", "one one"), again);
    expect([log, text("a.md")]).toEqual([["put a.md", "get a.md"], "one one\n"]);
  });

  it("says that a file is gone, on what it then reads", async () => {
    const { code, log, other } = await viewed("one\n");
    await other.execute({ command: "delete", path });
    expect(await code(replace("one", "1"))).toBe("not_found");
    expect(log).toEqual(["put a.md", "get a.md"]);
  });

  it.each<readonly [string, MemoryOptions]>([
    ["by the option", { cache: { directEdits: false } }],
    ["without a cache", { cache: { bytes: 0 } }],
  ])("reads first where that is off %s", async (_, options) => {
    const { say, log } = await viewed("one\n", options);
    await say(replace("one", "1"));
    await say(replace("1", "uno"));
    expect(log).toEqual(["get a.md", "put a.md", "get a.md", "put a.md"]);
  });

  it("still counts the lines that were shown where only the unread PUT is off", async () => {
    const { say, text, other } = await viewed("one\ntwo\n", { cache: { directEdits: false } });
    await other.execute(insert(0, "zero"));
    await say(insert(1, "and a half"));
    expect(text("a.md")).toBe("zero\none\nand a half\ntwo\n");
  });
});

describe("an overwrite of a file that was shown", () => {
  it("is one PUT where this process knows it", async () => {
    const { say, log, text } = await viewed("one\n", overwriting);
    await say(create("two\n"));
    await say(create("three\n"));
    expect([log, text("a.md")]).toEqual([["put a.md", "put a.md"], "three\n"]);
  });

  it("is refused, on what it then reads, where the file was changed meanwhile", async () => {
    const { say, log, text, other } = await viewed("one\n", overwriting);
    await other.execute(replace("one", "1"));
    expect(await say(create("two\n"))).toContain("was changed since you viewed it");
    expect([log, text("a.md")]).toEqual([["put a.md", "get a.md"], "1\n"]);
  });

  it("replaces no other version than the one that was shown, although the process knows a later one", async () => {
    const { user, say, log, text, other } = await viewed("one\n", overwriting);
    await other.execute(replace("one", "1"));
    await user.files.read(path);
    log.length = 0;
    expect(await say(create("two\n"))).toContain("was changed since you viewed it");
    expect([log, text("a.md")]).toEqual([["get a.md"], "1\n"]);
  });

  it("is refused where only another conversation of the process was shown the version that is there", async () => {
    const { say, sibling, log, text, other } = await viewed("one\n", overwriting);
    await other.execute(replace("one", "1"));
    await sibling.execute(view);
    log.length = 0;
    expect(await say(create("two\n"))).toContain("was changed since you viewed it");
    expect([log, text("a.md")]).toEqual([["get a.md"], "1\n"]);
  });

  it("is a create again where the file is gone", async () => {
    const { say, log, text, other } = await viewed("one\n", overwriting);
    await other.execute({ command: "delete", path });
    expect(await say(create("two\n"))).toContain("created successfully");
    expect([log, text("a.md")]).toEqual([["put a.md", "get a.md", "list", "put a.md"], "two\n"]);
  });

  it("counts the scope's bytes where they are limited and the file grows", async () => {
    const { code, log } = await viewed("12345", { ...overwriting, limits: { totalBytes: 10 } });
    expect(await code(create("12345678901"))).toBe("limit_reached");
    expect(log.toSorted()).toEqual(["get a.md", "list"]);
    log.length = 0;
    expect(await code(create("1"))).toBeUndefined();
    expect(log).toEqual(["put a.md"]);
  });

  it("takes a repeated delivery for what it is, by fresh bytes", async () => {
    const { say, log } = await viewed("one\n", overwriting);
    await say(create("two\n"), { toolUseId: "toolu_1" });
    log.length = 0;
    expect(await say(create("two\n"), { toolUseId: "toolu_1" })).toContain("created successfully");
    expect(log).toEqual(["get a.md"]);
  });

  it("is what files.write does with the version that files.read answered", async () => {
    const { user, log } = testMemory();
    const { version } = await user.files.write(path, "one\n", { ifAbsent: true });
    log.length = 0;
    await user.files.write(path, "two\n", { ifVersion: version });
    expect(log).toEqual(["put a.md"]);
    await expect(user.files.write(path, "three\n", { ifVersion: version })).rejects.toMatchObject({ code: "conflict" });
  });
});

describe("what a process knows of a file", () => {
  it.each([
    ["for less than a minute is written on unread", 59_999, ["put a.md"]],
    ["for a minute is read again", 60_000, ["get a.md", "put a.md"]],
    ["by a clock that was set back is read again", -1, ["get a.md", "put a.md"]],
  ])("%s", async (_, later, requests) => {
    let now = 1_000_000;
    const { say, plant, log } = testMemory({ runtime: { now: () => now } });
    plant("a.md", "one\n");
    await say(view);
    now += later;
    log.length = 0;
    await say(replace("one", "1"));
    expect(log).toEqual(requests);
    now += later;
    await say(replace("1", "uno"));
    expect(log.slice(requests.length)).toEqual(requests);
  });

  it("is no answer to a view", async () => {
    const { say, log, other } = await viewed("one\n");
    await other.execute(replace("one", "1"));
    expect(await say(view)).toContain("1\t1");
    expect(log).toEqual(["get a.md"]);
  });

  it.each<readonly [string, Parameters<typeof storeFailure>]>([
    ["a broken connection", ["unknown"]],
    ["an answered failure", ["unknown", 503]],
  ])("is dropped where a write's outcome is unknown: %s", async (_, failure) => {
    const { say, log, hooks, text } = await viewed("one\n");
    hooks.before = ({ method, count }) => {
      if (method === "put" && count === 1) throw storeFailure(...failure);
    };
    await say(replace("one", "1"));
    expect([log, text("a.md")]).toEqual([["put a.md", "get a.md", "put a.md"], "1\n"]);
  });

  it("is not gone by unread after a write whose outcome is unknown, although a sibling has read the file meanwhile", async () => {
    const { say, sibling, log, hooks } = await viewed("one\n", overwriting);
    hooks.before = async ({ method, count }) => {
      if (method !== "put" || count % 2 === 0) return;
      await sibling.execute(view);
      throw storeFailure("unknown", 503);
    };
    await say(replace("one", "1"));
    await say(create("two\n"));
    const each = ["put a.md", "get a.md", "get a.md", "put a.md"];
    expect(log).toEqual([...each, ...each]);
  });

  it("is told for certain not to have been written on where a read shows it", async () => {
    const { code, hooks } = await viewed("one\n", { ...overwriting, retry: { attempts: 1 } });
    hooks.before = ({ method }) => {
      if (method === "put") throw storeFailure("unknown", 503);
    };
    expect(await code(create("two\n"))).toBe("storage");
    expect(await code(view)).toBeUndefined();
    expect(await code(replace("one", "1"))).toBe("storage");
  });

  it.each<readonly [string, object, object]>([
    ["a view", view, {}],
    ["a look at the directories above a new file", create(""), { limits: { files: Infinity } }],
  ])("is dropped where %s finds that the file is gone", async (_, look, options: MemoryOptions) => {
    const { say, code, log, other } = await viewed("one\n", options);
    await other.execute({ command: "delete", path });
    await say(look === view ? view : { ...look, path: `${path}/b.md` });
    await other.execute({ command: "delete", path: `${path}/b.md` });
    log.length = 0;
    expect(await code(replace("one", "1"))).toBe("not_found");
    expect(log).toEqual(["get a.md"]);
  });

  it("is dropped where its own rename of a directory puts a copy there, although the bytes are the same", async () => {
    const { say, log, plant, store, keys, other } = testMemory();
    plant("e/c.md", "one\n");
    await say({ command: "view", path: "/memories/e/c.md" });
    await other.execute({ command: "delete", path: "/memories/e" });
    plant("d/c.md", "one\n");
    await say(rename("/memories/d", "/memories/e"));
    log.length = 0;
    await say({ command: "str_replace", path: "/memories/e/c.md", old_str: "one", new_str: "1" });
    expect(log).toEqual(["get e/c.md", "put e/c.md"]);
    expect(store.peek(`${keys.memories}e/c.md`)?.metadata).toHaveProperty("moved-from");
  });

  it("is dropped after a time-out that could not be read back, so that the next edit reads", async () => {
    const { code, log, hooks, text } = await viewed("one\n");
    hooks.before = ({ method, count }) => {
      if (method === "put" && count === 1) throw storeFailure("unsettled");
      if (method === "get" && count === 2) throw storeFailure("unknown");
    };
    expect(await code(replace("one", "1"))).toBe("outcome_unknown");
    expect(await code(replace("one", "1"))).toBeUndefined();
    expect([log, text("a.md")]).toEqual([["put a.md", "get a.md", "get a.md", "put a.md"], "1\n"]);
  });

  it.each<readonly [string, string, object]>([
    ["its own delete", "a.md", { command: "delete", path }],
    ["its own rename", "a.md", rename(path, "/memories/b.md")],
    ["its own delete of the directory", "d/c.md", { command: "delete", path: "/memories/d" }],
    ["its own rename of the directory", "d/c.md", rename("/memories/d", "/memories/e")],
  ])("is dropped by %s, although the same bytes come back", async (_, name, gone) => {
    const { say, log, plant, text } = testMemory();
    const at = `/memories/${name}`;
    plant(name, "one\n");
    await say({ command: "view", path: at });
    await say(gone);
    plant(name, "one\n");
    log.length = 0;
    await say({ command: "str_replace", path: at, old_str: "one", new_str: "1" });
    expect([log, text(name)]).toEqual([[`get ${name}`, `put ${name}`], "1\n"]);
  });

  it("follows a file to the new name that it was given", async () => {
    const { say, log, plant, text, other } = await viewed("one\n");
    plant("b.md", "two\n");
    await other.execute({ command: "delete", path });
    await say(rename("/memories/b.md", path));
    log.length = 0;
    await say(replace("two", "2"));
    expect([log, text("a.md")]).toEqual([["put a.md"], "2\n"]);
  });

  it("is nothing of another file", async () => {
    const { say, log } = await viewed("one\n");
    await say({ command: "str_replace", path: "/memories/b.md", old_str: "one", new_str: "1" });
    expect(log).toEqual(["get b.md"]);
  });
});
