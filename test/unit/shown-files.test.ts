import { describe, expect, it } from "vitest";
import { create, insert, path, replace, view } from "../support/one-file.ts";
import { storeFailure, testMemory } from "../support/test-memory.ts";

const edited = "The file /memories/a.md has been edited.";
const changed = "Error: /memories/a.md was changed since you viewed it: nothing was written, view it again";

const image = (last: number): Uint8Array => Uint8Array.of(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, last);

describe("an insert", () => {
  it("means the lines that this conversation viewed, although others changed the file since", async () => {
    const { say, plant, text, other } = testMemory();
    plant("a.md", "one\ntwo\nfour\n");
    await say(view);
    await other.execute(insert(0, "zero"));
    expect(await say(insert(2, "three"))).toBe(edited);
    expect(text("a.md")).toBe("zero\none\ntwo\nthree\nfour\n");
  });

  it("goes before the next line where its own was removed, and is refused where both were", async () => {
    const { say, plant, text, other } = testMemory();
    plant("a.md", "one\ntwo\nthree\nfour\n");
    await say(view);
    await other.execute(replace("two\n", ""));
    expect(await say(insert(2, "2½"))).toBe(edited);
    expect(text("a.md")).toBe("one\n2½\nthree\nfour\n");
    await say(view);
    await other.execute(replace("2½\nthree\n", "other\n"));
    expect(await say(insert(2, "lost"))).toBe(changed);
    expect(text("a.md")).toBe("one\nother\nfour\n");
    await say(view);
    expect(await say(insert(2, "found"))).toBe(edited);
    expect(text("a.md")).toBe("one\nother\nfound\nfour\n");
  });

  it("counts on from its own inserts, which the answers did not show", async () => {
    const { say, plant, text, other } = testMemory();
    plant("a.md", "one\nthree\n");
    await say(view);
    await other.execute(insert(0, "zero"));
    await say(insert(1, "two")); // Claude: one, two, three
    await other.execute(insert(0, "minus one"));
    await say(insert(2, "two and a half"));
    await say(insert(4, "four"));
    expect(text("a.md")).toBe("minus one\nzero\none\ntwo\ntwo and a half\nthree\nfour\n");
  });

  it("counts from the numbers that the snippet of a str_replace showed", async () => {
    const { say, plant, text, other } = testMemory();
    plant("a.md", "one\ntwo\nfour\n");
    await say(view);
    await other.execute(insert(0, "zero"));
    expect(await say(replace("two", "2"))).toContain("3\t2\n");
    await say(insert(3, "three"));
    expect(text("a.md")).toBe("zero\none\n2\nthree\nfour\n");
  });

  it("counts from the file that this conversation created", async () => {
    const { say, text, other } = testMemory();
    await say(create("one\nthree\n"));
    await other.execute(insert(0, "zero"));
    await say(insert(1, "two"));
    expect(text("a.md")).toBe("zero\none\ntwo\nthree\n");
  });

  it("counts from a landed write whose answer was lost", async () => {
    const { say, plant, text, hooks, other } = testMemory();
    plant("a.md", "one\nfour\n");
    await say(view);
    hooks.after = async ({ method, count }) => {
      if (method !== "put" || count !== 1) return;
      await other.execute(insert(0, "zero"));
      throw storeFailure("unknown", 503);
    };
    await say(insert(1, "two"));
    await say(insert(2, "three"));
    expect(text("a.md")).toBe("zero\none\ntwo\nthree\nfour\n");
  });

  it("counts from the lines that a str_replace of its own added", async () => {
    const { say, plant, text, other } = testMemory();
    plant("a.md", "one\ntwo\nfour\nfive\n");
    await say(view);
    await other.execute(replace("five", "5"));
    await say(replace("two\n", "two\ntwo and a half\n"));
    await other.execute(insert(0, "zero"));
    await say(insert(3, "three"));
    expect(text("a.md")).toBe("zero\none\ntwo\ntwo and a half\nthree\nfour\n5\n");
  });

  it("no longer means a file that an edit was told is gone", async () => {
    const { say, plant, text, other } = testMemory();
    plant("a.md", "one\ntwo\n");
    await say(view);
    await other.execute({ command: "delete", path });
    await say(replace("one", "1"));
    await other.execute(create("new\nfile\n"));
    await say(insert(1, "y"));
    expect(text("a.md")).toBe("new\ny\nfile\n");
  });

  it("takes the lines of the file as it is where this conversation was never shown it, or was told that it is gone", async () => {
    const { say, plant, text, other } = testMemory();
    plant("a.md", "one\ntwo\n");
    await other.execute(insert(0, "zero"));
    await say(insert(1, "x"));
    expect(text("a.md")).toBe("zero\nx\none\ntwo\n");
    await other.execute({ command: "delete", path });
    await say(view);
    await other.execute(create("new\nfile\n"));
    await say(insert(1, "y"));
    expect(text("a.md")).toBe("new\ny\nfile\n");
  });

  it.each<readonly [string, string, object]>([
    ["deleted", "a.md", { command: "delete", path }],
    ["renamed", "a.md", { command: "rename", old_path: path, new_path: "/memories/b.md" }],
    ["deleted with its directory", "d/a.md", { command: "delete", path: "/memories/d" }],
    ["renamed with its directory", "d/a.md", { command: "rename", old_path: "/memories/d", new_path: "/memories/e" }],
  ])("no longer means a file that this conversation %s", async (_, name, gone) => {
    const { say, plant, text } = testMemory();
    const at = `/memories/${name}`;
    plant(name, "one\ntwo\n");
    await say({ command: "view", path: at });
    await say(gone);
    plant(name, "other\nlines\n");
    expect(await say({ command: "insert", path: at, insert_line: 1, insert_text: "x" })).toContain("has been edited");
    expect(text(name)).toBe("other\nx\nlines\n");
  });

  it.each([
    ["a view of its directory", { command: "view", path: "/memories/d" }],
    [
      "an edit of its directory, which is refused",
      { command: "insert", path: "/memories/d", insert_line: 0, insert_text: "" },
    ],
    ["a refused delete of its directory's neighbour", { command: "delete", path: "/memories/e" }],
  ])("still means the lines that were shown after %s", async (_, between) => {
    const { say, plant, text, other } = testMemory();
    const at = "/memories/d/a.md";
    plant("d/a.md", "one\nthree\n");
    await say({ command: "view", path: at });
    await say(between);
    await other.execute({ command: "insert", path: at, insert_line: 0, insert_text: "zero" });
    await say({ command: "insert", path: at, insert_line: 1, insert_text: "two" });
    expect(text("d/a.md")).toBe("zero\none\ntwo\nthree\n");
  });

  it("refuses a line that the file never had, with the lines that it has", async () => {
    const { say, plant, other } = testMemory();
    plant("a.md", "one\n");
    await say(view);
    await other.execute(insert(1, "two"));
    expect(await say(insert(2, "x"))).toBe(changed);
    expect(await say(insert(3, "x"))).toContain("It should be within the range of lines of the file: [0, 2]");
  });
});

describe("views of one file at once", () => {
  it("leave what the later one showed, whichever answers first", async () => {
    const { user, say, plant, text, hooks, other } = testMemory();
    plant("a.md", "one\ntwo\n");
    const slow = Promise.withResolvers<void>();
    hooks.after = async ({ method, count }) => {
      if (method === "get" && count === 1) await slow.promise;
    };
    const first = user.execute(view);
    await Promise.resolve();
    await other.execute(insert(0, "zero"));
    await user.execute(view);
    slow.resolve();
    await first;
    await say(insert(1, "half"));
    expect(text("a.md")).toBe("zero\nhalf\none\ntwo\n");
  });
});

it("does not take a refused view for one that showed the file", async () => {
  const { say, plant, text, other } = testMemory({ onExisting: "overwrite" });
  plant("a.md", "one\ntwo\nthree\n");
  await say(view);
  await other.execute(replace("two\nthree\n", "of others\n"));
  expect(await say({ ...view, view_range: [3, 3] })).toContain("Invalid `view_range`");
  expect(await say(create("stale\n"))).toBe(changed);
  expect(text("a.md")).toBe("one\nof others\n");
});

describe("an overwrite", () => {
  const overwriting = { onExisting: "overwrite" } as const;

  it("case 37: of a version that this conversation never saw is refused, until it has seen it", async () => {
    const { say, plant, text, other } = testMemory(overwriting);
    plant("a.md", "short\n");
    await say(view);
    await other.execute(replace("short", "x".repeat(8_167)));
    expect(await say(create("stale\n"))).toBe(changed);
    expect(text("a.md")).toBe(`${"x".repeat(8_167)}\n`);
    await say(view);
    expect(await say(create("fresh\n"))).toContain("created successfully");
    expect(text("a.md")).toBe("fresh\n");
  });

  it.each([
    ["an insert", insert(1, "mine")],
    ["a str_replace", replace("one", "1")],
  ])("case 37: is refused after %s onto what others changed unseen", async (_, edit) => {
    const { say, plant, text, other } = testMemory(overwriting);
    plant("a.md", "one\ntwo\n");
    await say(view);
    await other.execute(replace("two", "two of others"));
    await say(edit);
    expect(await say(create("stale\n"))).toBe(changed);
    expect(text("a.md")).toContain("two of others");
  });

  it("follows this conversation's own writes", async () => {
    const { say, plant, text } = testMemory(overwriting);
    plant("a.md", "one\n");
    await say(view);
    await say(insert(1, "two"));
    await say(replace("one", "1"));
    expect(await say(create("all\n"))).toContain("created successfully");
    expect(await say(create("again\n"))).toContain("created successfully");
    expect(text("a.md")).toBe("again\n");
  });

  it("case 37: is refused after an edit whose answer was lost, onto what others changed unseen", async () => {
    const { say, plant, text, hooks, other } = testMemory(overwriting);
    plant("a.md", "one\ntwo\n");
    await say(view);
    await other.execute(replace("two", "two of others"));
    hooks.after = ({ method, count }) => {
      if (method === "put" && count === 1) throw storeFailure("unknown", 503);
    };
    expect(await say(insert(1, "mine"))).toBe(edited);
    expect(await say(create("stale\n"))).toBe(changed);
    expect(text("a.md")).toBe("one\nmine\ntwo of others\n");
  });

  it("case 37: is refused after an edit whose answer was lost, where others wrote on it before it was read back", async () => {
    const { say, plant, text, hooks, other } = testMemory(overwriting);
    plant("a.md", "one\n");
    await say(view);
    hooks.after = async ({ method, count }) => {
      if (method !== "put" || count !== 1) return;
      await other.execute(insert(0, "of others"));
      throw storeFailure("unknown", 503);
    };
    expect(await say(insert(1, "mine"))).toBe(edited);
    expect(await say(create("stale\n"))).toBe(changed);
    expect(text("a.md")).toBe("of others\none\nmine\n");
  });

  it.each(
    [true, false].flatMap((directEdits) => [
      ["an insert", directEdits, insert(1, "mine")] as const,
      ["a str_replace", directEdits, replace("one", "1")] as const,
    ]),
  )(
    "case 37: is refused after %s that another process has carried out, onto what others changed unseen (direct edits: %s)",
    async (_, directEdits, edit) => {
      const delivery = { toolUseId: "toolu_1" };
      const { say, plant, text, hooks, other } = testMemory({ ...overwriting, cache: { directEdits } });
      plant("a.md", "one\ntwo\n");
      await say(view);
      hooks.before = async ({ method, count }) => {
        if (method !== "put" || count !== 1) return;
        await other.execute(replace("two", "two of others"));
        await other.execute(edit, delivery);
      };
      await say(edit, delivery);
      expect(await say(create("stale\n"))).toBe(changed);
      expect(text("a.md")).toContain("two of others");
    },
  );

  it("is made after an edit whose answer was lost, where nobody else wrote", async () => {
    const { say, plant, text, hooks } = testMemory(overwriting);
    plant("a.md", "one\n");
    await say(view);
    hooks.after = ({ method, count }) => {
      if (method === "put" && count === 1) throw storeFailure("unknown", 503);
    };
    expect(await say(insert(1, "mine"))).toBe(edited);
    expect(await say(create("fresh\n"))).toContain("created successfully");
    expect(text("a.md")).toBe("fresh\n");
  });

  it("is refused after a create whose answer was lost, where others wrote on it before it was read back", async () => {
    const { say, text, hooks, other } = testMemory(overwriting);
    hooks.after = async ({ method, count }) => {
      if (method !== "put" || count !== 1) return;
      await other.execute(replace("mine", "theirs"));
      throw storeFailure("unknown", 503);
    };
    expect(await say(create("mine\n"))).toContain("created successfully");
    expect(await say(create("again\n"))).toBe(changed);
    expect(text("a.md")).toBe("theirs\n");
  });

  it("replaces what this call finds where this conversation knows nothing of the file", async () => {
    const { say, plant, text } = testMemory(overwriting);
    plant("a.md", "one\n");
    expect(await say(create("two\n"))).toContain("created successfully");
    expect(text("a.md")).toBe("two\n");
  });

  it("creates a file that has gone since it was viewed: nothing is overwritten", async () => {
    const { say, plant, text, other } = testMemory(overwriting);
    plant("a.md", "one\n");
    await say(view);
    await other.execute({ command: "delete", path });
    expect(await say(create("two\n"))).toContain("created successfully");
    expect(text("a.md")).toBe("two\n");
  });

  it("of an image that was shown is made, and refused when the image changed", async () => {
    const { say, plant, text } = testMemory(overwriting);
    const picture = { command: "view", path: "/memories/a.png" };
    const drawing = { command: "create", path: "/memories/a.png", file_text: "no image\n" };
    plant("a.png", image(1));
    await say(picture);
    plant("a.png", image(2));
    expect(await say(drawing)).toContain("was changed since you viewed it");
    await say(picture);
    expect(await say(drawing)).toContain("created successfully");
    expect(text("a.png")).toBe("no image\n");
  });
});

it("gives the application no version of a write that others have written on before it was read back", async () => {
  const { user, hooks, other, text } = testMemory();
  hooks.after = async ({ method, count }) => {
    if (method !== "put" || count !== 1) return;
    await other.execute(replace("mine", "theirs"));
    throw storeFailure("unknown", 503);
  };
  const { version } = await user.files.write(path, "mine\n", { ifAbsent: true });
  await expect(user.files.write(path, "again\n", { ifVersion: version })).rejects.toMatchObject({ code: "conflict" });
  expect(text("a.md")).toBe("theirs\n");
});

it("remembers nothing at all with a cache of 0 bytes: an insert means the lines of the file as it is", async () => {
  const { say, plant, text, other } = testMemory({ cache: { bytes: 0 } });
  plant("a.md", "one\ntwo\n");
  await say(view);
  await other.execute(insert(0, "zero"));
  await say(insert(1, "x"));
  expect(text("a.md")).toBe("zero\nx\none\ntwo\n");
});
