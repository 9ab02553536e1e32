import { describe, expect, it } from "vitest";
import { storeFailure, testMemory } from "../support/test-memory.ts";

const path = "/memories/a.md";
const replace = (old_str: string, new_str?: string): object => ({ command: "str_replace", path, old_str, new_str });
const insert = (insert_line: number, insert_text: string): object => ({
  command: "insert",
  path,
  insert_line,
  insert_text,
});

describe("str_replace", () => {
  it("answers the snippet and keeps every other byte", async () => {
    const { say, plant, text } = testMemory();
    plant("a.md", "\u{FEFF}one\r\ntwo\r\nthree");
    expect(await say(replace("two", "2"))).toBe(
      "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n" +
        "     1\t\u{FEFF}one\r\n     2\t2\r\n     3\tthree",
    );
    expect(text("a.md")).toBe("\u{FEFF}one\r\n2\r\nthree");
  });

  it("refuses a file that is not there, and a directory, with the documented text", async () => {
    const { say, plant } = testMemory();
    expect(await say(replace("a", "b"))).toBe(
      "Error: The path /memories/a.md does not exist. Please provide a valid path.",
    );
    plant("a.md/b", "x");
    expect(await say(replace("a", "b"))).toBe(
      "Error: The path /memories/a.md does not exist. Please provide a valid path.",
    );
  });

  it("refuses what is no text, and what is too large to be downloaded", async () => {
    const { say, plant, log } = testMemory();
    plant("a.md", new Uint8Array([0xff, 0xfe, 0x00]));
    expect(await say(replace("a", "b"))).toBe("Error: /memories/a.md is neither text nor an image that can be shown");
    plant("a.md", new Uint8Array(6 * 1024 * 1024));
    expect(await say(replace("a", "b"))).toBe("Error: /memories/a.md is too large to edit (6.0M)");
    expect(log.filter((request) => request.startsWith("put"))).toEqual([]);
  });

  it("is replayed on the bytes that another worker wrote meanwhile", async () => {
    const { say, plant, text, hooks, other } = testMemory();
    plant("a.md", "one\ntwo\n");
    hooks.before = async ({ method, count }) => {
      if (method === "put" && count === 1) await other.execute(replace("one", "1"));
    };
    expect(await say(replace("two", "2"))).toContain("     1\t1\n     2\t2");
    expect(text("a.md")).toBe("1\n2\n");
  });

  it("is refused on fresh bytes where the text has gone meanwhile", async () => {
    const { say, plant, text, hooks, other } = testMemory();
    plant("a.md", "one\n");
    hooks.before = async ({ method, count }) => {
      if (method === "put" && count === 1) await other.execute(replace("one", "1"));
    };
    expect(await say(replace("one", "uno"))).toContain("did not appear verbatim");
    expect(text("a.md")).toBe("1\n");
  });

  it("says that the file vanished when it was deleted meanwhile", async () => {
    const { say, plant, names, hooks, other } = testMemory();
    plant("a.md", "one\n");
    hooks.before = async ({ method, count }) => {
      if (method === "put" && count === 1) await other.execute({ command: "delete", path });
    };
    expect(await say(replace("one", "1"))).toContain("does not exist");
    expect(names()).toEqual([]);
  });

  it("says that the outcome is unknown where its write got no answer and the file is gone", async () => {
    const { say, plant, text, hooks, other } = testMemory();
    plant("a.md", "one\n");
    hooks.after = async ({ method, count }) => {
      if (method !== "put" || count !== 1) return;
      await other.execute({ command: "rename", old_path: path, new_path: "/memories/b.md" });
      throw storeFailure("unknown");
    };
    expect(await say(replace("one", "1"))).toContain("The outcome is unknown");
    expect(text("b.md")).toBe("1\n");
  });

  it("says that the outcome is unknown where its write got no answer and another file is in the place", async () => {
    const { say, plant, text, hooks, other } = testMemory();
    plant("a.md", "one\n");
    hooks.after = async ({ method, count }) => {
      if (method !== "put" || count !== 1) return;
      await other.execute({ command: "rename", old_path: path, new_path: "/memories/b.md" });
      await other.execute({ command: "create", path, file_text: "another\n" });
      throw storeFailure("unknown");
    };
    expect(await say(insert(1, "two"))).toContain("The outcome is unknown");
    expect([text("a.md"), text("b.md")]).toEqual(["another\n", "one\ntwo\n"]);
  });

  it.each([1, 20])("says so too where no attempt is left after that: %i", async (attempts) => {
    const { say, code, plant, text, hooks, other } = testMemory({ retry: { attempts } });
    plant("a.md", "one\n");
    hooks.after = async ({ method, count }) => {
      if (method === "put" && count === (attempts === 1 ? 1 : 4)) {
        await other.execute({ command: "rename", old_path: path, new_path: "/memories/b.md" });
      }
      if (method === "put") throw storeFailure("unknown", 503);
    };
    hooks.before = ({ method, count }) => {
      if (method === "put" && attempts > 1 && count < 4) throw storeFailure("unknown", 503);
    };
    expect(await code(replace("one", "1"))).toBe("outcome_unknown");
    expect(text("b.md")).toBe("1\n");
    expect(await say(replace("one", "1"))).toContain("does not exist");
  });

  it("is certain of a refusal where the file shows that its unanswered write never landed", async () => {
    const { say, plant, hooks, other } = testMemory();
    plant("a.md", "one\n");
    hooks.before = async ({ method, count }) => {
      if (method !== "put" || count !== 1) return;
      await other.execute(replace("one", "1"));
      throw storeFailure("unknown");
    };
    expect(await say(replace("one", "uno"))).toContain("did not appear verbatim");
  });

  it("lands both of many edits that two workers make at once", async () => {
    const { user, other, plant, text } = testMemory();
    const words = Array.from({ length: 12 }, (_, index) => `word${String(index).padStart(2, "0")}`);
    plant("a.md", words.join("\n"));
    const edits = words.map((word, index) => (index % 2 ? user : other).execute(replace(word, `done${word.slice(4)}`)));
    for (const result of await Promise.all(edits)) expect(result).toMatchObject({ isError: false });
    expect(text("a.md")).toBe(words.map((word) => `done${word.slice(4)}`).join("\n"));
  });

  it("answers a redelivered tool_use with its success text and edits nothing twice", async () => {
    const { say, plant, text } = testMemory();
    plant("a.md", "a\n");
    const edit = replace("a", "aa");
    const first = await say(edit, { toolUseId: "toolu_1" });
    expect(await say(edit, { toolUseId: "toolu_1" })).toBe(first);
    expect(text("a.md")).toBe("aa\n");
    expect(await say(edit, { toolUseId: "toolu_2" })).toContain("Multiple occurrences");
  });

  it("answers a redelivery with the first line alone where the new text has gone since", async () => {
    const { say, plant } = testMemory();
    plant("a.md", "a\n");
    await say(replace("a", "b"), { toolUseId: "toolu_1" });
    await say(replace("b", "c"));
    expect(await say(replace("a", "b"), { toolUseId: "toolu_1" })).toBe(
      "The memory file has been edited. Here is the snippet showing the change (with line numbers):",
    );
  });

  it("knows a landed write although 15 others came on top, and no longer after 16", async () => {
    const { say, plant, text } = testMemory();
    plant("a.md", "0\n");
    await say(replace("0", "1"), { toolUseId: "toolu_1" });
    for (let write = 1; write <= 15; write++) await say(replace(String(write), String(write + 1)));
    expect(await say(replace("0", "1"), { toolUseId: "toolu_1" })).toContain("has been edited");
    await say(replace("16", "10"));
    expect(await say(replace("0", "1"), { toolUseId: "toolu_1" })).toContain("has been edited");
    expect(text("a.md")).toBe("11\n"); // beyond 16 writes a redelivery is a new command: documented
  });

  it("recognises its own write under somebody else's", async () => {
    const { say, plant, text, hooks, other } = testMemory();
    plant("a.md", "one\ntwo\n");
    hooks.after = async ({ method, count }) => {
      if (method !== "put" || count !== 1) return;
      await other.execute(replace("two", "2"));
      throw storeFailure("unknown");
    };
    expect(await say(replace("one", "one one"))).toContain("one one");
    expect(text("a.md")).toBe("one one\n2\n");
  });

  it("shrinks a file that is over the limit, and refuses to make it larger", async () => {
    const { say, plant, text } = testMemory({ limits: { fileBytes: 10 } });
    plant("a.md", "0123456789abc");
    expect(await say(replace("9", "99"))).toContain("over the limit of 10B per file");
    expect(await say(replace("9", ""))).toContain("has been edited");
    expect(text("a.md")).toBe("012345678abc");
  });

  it("checks the total size of the scope where an edit grows a file", async () => {
    const { say, plant, log } = testMemory({ limits: { totalBytes: 10 } });
    plant("a.md", "12345");
    plant("b.md", "12345");
    log.length = 0;
    expect(await say(replace("5", "56"))).toBe(
      "Error: The memory holds 10B, this would take it over the limit of 10B. Delete or shorten files first.",
    );
    expect(log).toEqual(["get a.md", "list"]);
    expect(await say(replace("5", "6"))).toContain("has been edited");
  });
});

describe("insert", () => {
  it("answers the contract's sentence", async () => {
    const { say, plant, text } = testMemory();
    plant("a.md", "one\nthree\n");
    expect(await say(insert(1, "two"))).toBe("The file /memories/a.md has been edited.");
    expect(text("a.md")).toBe("one\ntwo\nthree\n");
    expect(await say(insert(4, "x"))).toBe(
      "Error: Invalid `insert_line` parameter: 4. It should be within the range of lines of the file: [0, 3]",
    );
  });

  it("refuses a missing file and a directory with its own documented text", async () => {
    const { say, plant } = testMemory();
    expect(await say(insert(0, "x"))).toBe("Error: The path /memories/a.md does not exist");
    plant("a.md/b", "x");
    expect(await say(insert(0, "x"))).toBe("Error: The path /memories/a.md does not exist");
  });

  it("goes after its line where the file changed between its read and its write", async () => {
    const { say, plant, text, hooks, other } = testMemory();
    plant("a.md", "one\nthree\n");
    hooks.before = async ({ method, count }) => {
      if (method === "put" && count === 1) await other.execute(insert(0, "zero"));
    };
    expect(await say(insert(1, "two"))).toBe("The file /memories/a.md has been edited.");
    expect(text("a.md")).toBe("zero\none\ntwo\nthree\n");
  });

  it("is sent again after a 409, which decided nothing", async () => {
    const { say, plant, text, store } = testMemory();
    plant("a.md", "one\n");
    const put = store.put.bind(store);
    let raced = false;
    store.put = async (...values) => {
      if (raced) return put(...values);
      raced = true;
      return { outcome: "undecided" };
    };
    expect(await say(insert(1, "two"))).toBe("The file /memories/a.md has been edited.");
    expect(text("a.md")).toBe("one\ntwo\n");
  });

  it("lands once when its answer was lost, and once when its tool_use is redelivered", async () => {
    const { say, plant, text, hooks } = testMemory();
    plant("a.md", "one\n");
    hooks.after = ({ method, count }) => {
      if (method === "put" && count === 1) throw storeFailure("unknown", 503);
    };
    await say(insert(1, "two"), { toolUseId: "toolu_1" });
    await say(insert(1, "two"), { toolUseId: "toolu_1" });
    expect(text("a.md")).toBe("one\ntwo\n");
  });

  it("case 4: two edits of one file in one turn both land, in the order Claude sent them", async () => {
    const { user, plant, text } = testMemory();
    plant("a.md", "one\n");
    await Promise.all([user.execute(insert(1, "two")), user.execute(insert(2, "three"))]);
    expect(text("a.md")).toBe("one\ntwo\nthree\n");
  });
});
