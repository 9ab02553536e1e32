import pLimit from "p-limit";
import { describe, expect, it } from "vitest";
import { createKeySpace } from "../../src/core/key-space.ts";
import { createMemory, type MemoryOptions, type ObjectStore, type UserMemory } from "../../src/index.ts";

/** What runs the suite: a store that may hold anything else, and whether a changed file can be told at its delete. */
export interface MemoryContractOptions {
  readonly store: () => ObjectStore;
  /** Reason why a delete may remove what was changed an instant before, where the store has no conditional delete. */
  readonly deletesBlindly?: string;
}

let users = 0;

const said = async (memory: UserMemory, input: unknown): Promise<string> => {
  const { content } = await memory.execute(input);
  return typeof content === "string" ? content : JSON.stringify(content);
};

const paths = async (memory: UserMemory): Promise<readonly string[]> =>
  (await Array.fromAsync(memory.files.list())).map((file) => file.path);

/**
 * The memory on a store, as Claude and the application see it: everything that depends on what the store
 * really does. Runs on the in-memory store, on the fake S3 and on real servers.
 */
export function describeMemoryContract(title: string, { store, deletesBlindly }: MemoryContractOptions): void {
  const userIds = new WeakMap<UserMemory, string>();
  const workers = (count: number, options: MemoryOptions = {}): readonly UserMemory[] => {
    users += 1;
    const user = `user-${process.pid}-${users}-${Math.random().toString(36).slice(2)}`;
    const memories = Array.from({ length: count }, () => createMemory({ store: store(), ...options }).forUser(user));
    for (const memory of memories) userIds.set(memory, user);
    return memories;
  };
  const worker = (options: MemoryOptions = {}): UserMemory => {
    const [one] = workers(1, options);
    if (!one) throw new Error("no worker");
    return one;
  };
  /** Writes as another tool would. */
  const plantKey = async (memory: UserMemory, name: string): Promise<void> => {
    const key = createKeySpace({ user: userIds.get(memory) ?? "" }).memories + name;
    await store().put(key, new Uint8Array(), {
      condition: { kind: "absent" },
      metadata: {},
      contentType: "text/plain",
    });
  };
  describe(title, () => {
    it("carries the six commands out, from an empty memory to an empty memory", async () => {
      const memory = worker();
      expect(await said(memory, { command: "view", path: "/memories" })).toContain("0B\t/memories");
      await said(memory, { command: "create", path: "/memories/dir/a.md", file_text: "one\ntwo\n" });
      await said(memory, { command: "str_replace", path: "/memories/dir/a.md", old_str: "two", new_str: "2" });
      await said(memory, { command: "insert", path: "/memories/dir/a.md", insert_line: 2, insert_text: "three" });
      expect(await said(memory, { command: "view", path: "/memories/dir/a.md" })).toBe(
        "Here's the content of /memories/dir/a.md with line numbers:\n     1\tone\n     2\t2\n     3\tthree",
      );
      await said(memory, { command: "rename", old_path: "/memories/dir/a.md", new_path: "/memories/b.md" });
      expect(await said(memory, { command: "view", path: "/memories" })).toContain(
        "12B\t/memories\n12B\t/memories/b.md",
      );
      expect(await said(memory, { command: "delete", path: "/memories/b.md" })).toContain("Successfully deleted");
      expect(await paths(memory)).toEqual([]);
    });

    it("case 27: keeps names with +, space, %, Ö, emoji and brackets through every command", async () => {
      const memory = worker();
      const names = ["a+b", "a b", "100%25.md", "Ö.md", "🦊.md", "[...slug].ts", "&<>'\".md", "#=().md"];
      for (const name of names) {
        const path = `/memories/dir/${name}`;
        expect(await said(memory, { command: "create", path, file_text: name })).toContain("successfully");
        expect(await said(memory, { command: "insert", path, insert_line: 1, insert_text: "x" })).toContain("edited");
        const renamed = `/memories/moved/${name}`;
        expect(await said(memory, { command: "rename", old_path: path, new_path: renamed })).toContain("Successfully");
        expect((await memory.files.read(renamed))?.text).toBe(`${name}\nx`);
      }
      expect((await paths(memory)).map((path) => path.slice("/memories/moved/".length)).sort()).toEqual(
        [...names].sort(),
      );
      expect(
        await said(memory, { command: "rename", old_path: "/memories/moved", new_path: "/memories/again" }),
      ).toContain("Successfully");
      expect(await said(memory, { command: "delete", path: "/memories/again" })).toContain("Successfully");
      expect(await paths(memory)).toEqual([]);
    });

    it("case 38: gives back to the byte what was written: CRLF, BOM, NEL, U+2028, NUL, no final newline", async () => {
      const memory = worker();
      const text = "\u{FEFF}a\r\nb\u0085c\u2028d\u0000e\f\v \t trailing \nlast";
      await said(memory, { command: "create", path: "/memories/a.txt", file_text: text });
      expect((await memory.files.read("/memories/a.txt"))?.text).toBe(text);
      await said(memory, { command: "str_replace", path: "/memories/a.txt", old_str: "last", new_str: "end" });
      expect((await memory.files.read("/memories/a.txt"))?.text).toBe(text.replace("last", "end"));
      await said(memory, { command: "create", path: "/memories/empty", file_text: "" });
      expect((await memory.files.read("/memories/empty"))?.text).toBe("");
    });

    it("case 23: loses none of ten concurrent appends of ten workers", async () => {
      const memories = workers(10);
      const [first] = memories;
      await first?.files.write("/memories/log.md", "start\n", { ifAbsent: true });
      const lines = memories.map((_, index) => `line of worker ${index}`);
      const answers = await Promise.all(
        memories.map((memory, index) =>
          memory.execute({
            command: "str_replace",
            path: "/memories/log.md",
            old_str: "start\n",
            new_str: `start\n${lines[index]}\n`,
          }),
        ),
      );
      expect(answers.map((answer) => answer.isError)).toEqual(lines.map(() => false));
      const text = (await first?.files.read("/memories/log.md"))?.text ?? "";
      expect(text.split("\n").slice(1, -1).sort()).toEqual([...lines].sort());
    });

    it("case 23: lets exactly one of eight concurrent creators win", async () => {
      const memories = workers(8);
      const answers = await Promise.all(
        memories.map((memory, index) =>
          memory.execute({ command: "create", path: "/memories/a.md", file_text: `worker ${index}` }),
        ),
      );
      const winner = answers.findIndex((answer) => !answer.isError);
      expect(answers.filter((answer) => !answer.isError)).toHaveLength(1);
      expect(answers.filter((answer) => answer.isError && answer.code === "already_exists")).toHaveLength(7);
      expect((await memories[0]?.files.read("/memories/a.md"))?.text).toBe(`worker ${winner}`);
    });

    it("case 26: takes a missing key for gone, never writing it anew by an edit", async () => {
      const memory = worker();
      const { version } = await memory.files.write("/memories/a.md", "x", { ifAbsent: true });
      await memory.files.delete("/memories/a.md");
      await expect(memory.files.write("/memories/a.md", "y", { ifVersion: version })).rejects.toMatchObject({
        code: "not_found",
      });
      expect(await paths(memory)).toEqual([]);
    });

    it("answers a redelivered create, str_replace and insert with success and does nothing twice", async () => {
      const memory = worker();
      const inputs = [
        { command: "create", path: "/memories/a.md", file_text: "one\n" },
        { command: "insert", path: "/memories/a.md", insert_line: 1, insert_text: "two" },
        { command: "str_replace", path: "/memories/a.md", old_str: "two", new_str: "two two" },
      ];
      for (const [index, input] of inputs.entries()) {
        for (let delivery = 0; delivery < 3; delivery++) {
          expect(await memory.execute(input, { toolUseId: `toolu_${index}` })).toMatchObject({ isError: false });
        }
      }
      expect((await memory.files.read("/memories/a.md"))?.text).toBe("one\ntwo two\n");
    });

    it("case 30: lists, moves and deletes a directory of more than one page", { timeout: 180_000 }, async () => {
      const memory = worker({ limits: { files: Infinity } });
      const names = Array.from({ length: 1_005 }, (_, index) => `/memories/dir/${String(index).padStart(4, "0")}`);
      await pLimit(16).map(names, (path) => plantKey(memory, path.slice("/memories/".length)));
      expect(await paths(memory)).toEqual(names);
      expect(await said(memory, { command: "rename", old_path: "/memories/dir", new_path: "/memories/new" })).toBe(
        "Successfully renamed /memories/dir to /memories/new",
      );
      expect(await paths(memory)).toEqual(names.map((path) => path.replace("dir", "new")));
      expect(await said(memory, { command: "delete", path: "/memories/new" })).toBe(
        "Successfully deleted /memories/new",
      );
      expect(await paths(memory)).toEqual([]);
    });

    it("moves and deletes a directory with keys of other tools that no XML can carry", async () => {
      const memory = worker();
      for (const name of ["a\u0001b", "line\nfeed", "tab\there", "\uffff", "a//b", "plain"]) {
        await plantKey(memory, `dir/${name}`);
      }
      expect(await said(memory, { command: "rename", old_path: "/memories/dir", new_path: "/memories/new" })).toContain(
        "Successfully",
      );
      expect(await said(memory, { command: "view", path: "/memories/dir" })).toContain("does not exist");
      expect(await said(memory, { command: "delete", path: "/memories/new" })).toContain("Successfully");
      expect(await said(memory, { command: "view", path: "/memories/new" })).toContain("does not exist");
    });

    it("leaves every file in exactly one place where two workers rename one directory to two names", async () => {
      const [one, two] = workers(2);
      const names = ["a", "b", "c", "d", "e", "f"];
      for (const name of names) await one?.files.write(`/memories/dir/${name}`, name, { ifAbsent: true });
      await Promise.all([
        one?.execute({ command: "rename", old_path: "/memories/dir", new_path: "/memories/one" }),
        two?.execute({ command: "rename", old_path: "/memories/dir", new_path: "/memories/two" }),
      ]);
      const places = one ? await paths(one) : [];
      const found = places.map((path) => path.split("/").at(-1) ?? "").sort();
      // Without a conditional delete both workers may hear that they deleted a file, and both keep their copy.
      if (deletesBlindly === undefined) expect(found).toEqual(names);
      else expect(new Set(found)).toEqual(new Set(names));
      expect(places.filter((path) => path.startsWith("/memories/dir/"))).toEqual([]);
    });

    it("keeps users, projects and prefixes apart", async () => {
      const [mine] = workers(1);
      const [theirs] = workers(1);
      await mine?.files.write("/memories/a.md", "mine", { ifAbsent: true });
      expect(await theirs?.files.read("/memories/a.md")).toBeUndefined();
      expect(await theirs?.execute({ command: "delete", path: "/memories/a.md" })).toMatchObject({ code: "not_found" });
      expect((await mine?.files.read("/memories/a.md"))?.text).toBe("mine");
    });
  });
}
