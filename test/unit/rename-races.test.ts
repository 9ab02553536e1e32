import { describe, expect, it } from "vitest";
import { before, bucketWith, killAt, requestsOf, seeded, shuffled, type Bucket } from "../support/crash.ts";
import { storeFailure, testMemory, type StoreHooks, type TestMemory } from "../support/test-memory.ts";

const path = (name: string): string => `/memories/${name}`;
const create = (name: string): object => ({ command: "create", path: path(name), file_text: `${name}\n` });
const rename = (from: string, to: string): object => ({
  command: "rename",
  old_path: path(from),
  new_path: path(to),
});
const edit = (name: string, old_str: string, new_str: string): object => ({
  command: "str_replace",
  path: path(name),
  old_str,
  new_str,
});
const remove = (name: string): object => ({ command: "delete", path: path(name) });

type Method = "put" | "copy" | "delete" | "deleteMany" | "list";

interface Race {
  readonly title: string;
  readonly files: readonly string[];
  readonly move: readonly [string, string];
  /** What another worker does around the n-th call of a method, and what then becomes of that call. */
  readonly at: {
    readonly when: "before" | "after";
    readonly method: Method;
    readonly count?: number;
    readonly others: readonly object[];
    readonly answer?: Error;
  }[];
  /** A part of what the first worker hears. */
  readonly hears: string;
  /** Name → text, when all is over. */
  readonly left: Readonly<Record<string, string>>;
}

const failed503 = storeFailure("unknown", 503);
const reset = storeFailure("unknown");
const timedOut = storeFailure("unsettled");
const back = (when: "before" | "after", method: Method, others: readonly object[], answer?: Error): Race["at"] => [
  { when, method, others, ...(answer ? { answer } : {}) },
];

const races: readonly Race[] = [
  ...([failed503, reset] as const).map((answer): Race => ({
    title: `the delete failed (${answer.details.status ?? "reset"}), and another rename moved the source meanwhile`,
    files: ["a", "same"],
    move: ["a", "b"],
    at: back("before", "delete", [rename("a", "c")], answer),
    hears: "its content may be in both /memories/b and /memories/c; view both again",
    left: { b: "a\n", c: "a\n", same: "same\n" },
  })),
  {
    title: "the delete timed out without being done, and another rename moved the source meanwhile",
    files: ["a"],
    move: ["a", "b"],
    at: back("before", "delete", [rename("a", "c")], timedOut),
    hears: "The outcome is unknown",
    left: { b: "a\n", c: "a\n" },
  },
  {
    title: "a directory's batch delete failed, and another rename moved one of its files meanwhile",
    files: ["d/x", "d/y"],
    move: ["d", "e"],
    at: back("before", "deleteMany", [rename("d/x", "c")], failed503),
    hears: "its content may be in both /memories/e and /memories/c; view both again",
    left: { c: "d/x\n", "e/x": "d/x\n", "e/y": "d/y\n" },
  },
  {
    title: "both the source and the copy were moved on before the delete",
    files: ["a"],
    move: ["a", "b"],
    at: back("before", "delete", [rename("a", "c"), rename("b", "e")]),
    hears: "Error: /memories/a and /memories/b were both moved or deleted by someone else meanwhile; view again",
    left: { c: "a\n", e: "a\n" },
  },
  {
    title:
      "the refresh of an edited file landed without an answer, the delete failed, and another rename moved the source",
    files: ["a"],
    move: ["a", "b"],
    at: [
      { when: "before", method: "delete", others: [edit("a", "a", "A2")] },
      { when: "after", method: "put", count: 2, others: [], answer: failed503 },
      { when: "before", method: "delete", count: 2, others: [rename("a", "c")], answer: failed503 },
    ],
    hears: "its content may be in both /memories/b and /memories/c; view both again",
    left: { b: "A2\n", c: "A2\n" },
  },
  {
    title: "the source was moved on and the copy renamed back before the delete",
    files: ["a"],
    move: ["a", "b"],
    at: back("before", "delete", [rename("a", "c"), edit("b", "a", "A"), rename("b", "a")]),
    hears: "Error: /memories/b was moved back to /memories/a by someone else meanwhile; view both again",
    left: { a: "A\n", c: "a\n" },
  },
  {
    title: "the delete failed, the source was moved on and the copy renamed back",
    files: ["a"],
    move: ["a", "b"],
    at: back("before", "delete", [rename("a", "c"), rename("b", "a")], failed503),
    hears: "its content may be in both /memories/a and /memories/c; view both again",
    left: { a: "a\n", c: "a\n" },
  },
  {
    title: "the source was moved, and the delete of the copy that it left behind got no answer",
    files: ["a"],
    move: ["a", "b"],
    at: [
      { when: "before", method: "delete", others: [rename("a", "c")] },
      { when: "after", method: "delete", count: 2, others: [], answer: failed503 },
    ],
    hears: "The outcome is unknown",
    left: { c: "a\n" },
  },
  {
    title: "the delete landed without an answer, and somebody renamed the file back",
    files: ["a"],
    move: ["a", "b"],
    at: back("after", "delete", [rename("b", "a")], failed503),
    hears: "Successfully",
    left: { a: "a\n" },
  },
  {
    title: "the delete failed, and somebody deleted the source and renamed the copy back",
    files: ["a"],
    move: ["a", "b"],
    at: back("before", "delete", [remove("a"), rename("b", "a")], failed503),
    hears: "Successfully",
    left: { a: "a\n" },
  },
  {
    title: "the delete failed, and another worker finished the rename and undid it",
    files: ["a"],
    move: ["a", "b"],
    at: back("before", "delete", [rename("a", "b"), rename("b", "a")], failed503),
    hears: "Successfully",
    left: { a: "a\n" },
  },
  {
    title: "the delete timed out after it landed, and somebody renamed the file back",
    files: ["a"],
    move: ["a", "b"],
    at: back("after", "delete", [rename("b", "a")], timedOut),
    hears: "Successfully",
    left: { a: "a\n" },
  },
  {
    title: "a directory's batch delete landed without an answer, and somebody renamed it back",
    files: ["d/x", "d/y"],
    move: ["d", "e"],
    at: back("after", "deleteMany", [rename("e", "d")], failed503),
    hears: "stayed in /memories/d",
    left: { "d/x": "d/x\n", "d/y": "d/y\n" },
  },
  ...([failed503, timedOut] as const).map((answer): Race => ({
    title: `a directory's batch delete landed without an answer (${answer.details.effect}), and somebody wrote a new file there`,
    files: ["d/x"],
    move: ["d", "e"],
    at: back("after", "deleteMany", [create("d/x")], answer),
    hears: "Successfully",
    left: { "d/x": "d/x\n", "e/x": "d/x\n" },
  })),
  {
    title: "the refresh of an edited file landed without an answer",
    files: ["a"],
    move: ["a", "b"],
    at: [
      { when: "before", method: "delete", others: [edit("a", "a", "A2")] },
      { when: "after", method: "put", count: 2, others: [], answer: failed503 },
    ],
    hears: "Successfully",
    left: { b: "A2\n" },
  },
  {
    title: "the refresh of an edited file failed, and somebody edited the copy meanwhile",
    files: ["a"],
    move: ["a", "b"],
    at: [
      { when: "before", method: "delete", others: [edit("a", "a", "A2")] },
      { when: "before", method: "put", count: 2, others: [edit("b", "a", "edited")], answer: failed503 },
    ],
    hears: "were kept; view both again",
    left: { a: "A2\n", b: "edited\n" },
  },
  {
    title: "the refresh of a file in a directory failed, and somebody edited the copy meanwhile",
    files: ["d/x"],
    move: ["d", "e"],
    at: [
      { when: "before", method: "deleteMany", others: [edit("d/x", "d", "D2")] },
      { when: "before", method: "copy", count: 2, others: [edit("e/x", "d", "E")], answer: failed503 },
    ],
    hears: "were kept; view both again",
    left: { "d/x": "D2/x\n", "e/x": "E/x\n" },
  },
  {
    title: "the copy landed without an answer, was edited, and the source was deleted",
    files: ["a"],
    move: ["a", "b"],
    at: back("after", "put", [edit("b", "a", "edited"), remove("a")], failed503),
    hears: "/memories/b was kept",
    left: { b: "edited\n" },
  },
  {
    title: "the copy landed without an answer, and both were edited",
    files: ["a"],
    move: ["a", "b"],
    at: back("after", "put", [edit("b", "a", "edited"), edit("a", "a", "A2")], failed503),
    hears: "were kept; view both again",
    left: { a: "A2\n", b: "edited\n" },
  },
  {
    title: "a file of a directory was deleted and written anew after its copy",
    files: ["d/x", "d/y"],
    move: ["d", "e"],
    at: [
      { when: "before", method: "list", count: 2, others: [remove("d/x"), { ...create("d/x"), file_text: "new\n" }] },
    ],
    hears: "1 files that were added or changed meanwhile stayed in /memories/d",
    left: { "d/x": "new\n", "e/y": "d/y\n" },
  },
  {
    title: "a directory's copy was moved back and edited, and a file with the copy's bytes took its place",
    files: ["d/x"],
    move: ["d", "e"],
    at: [
      {
        when: "before",
        method: "list",
        count: 2,
        others: [
          remove("d/x"),
          rename("e/x", "d/x"),
          edit("d/x", "d", "D"),
          { command: "create", path: path("e/x"), file_text: "d/x\n" },
        ],
      },
    ],
    hears: "stayed in /memories/d",
    left: { "d/x": "D/x\n", "e/x": "d/x\n" },
  },
  {
    title: "a directory's copy landed without an answer, was edited, and the source was deleted",
    files: ["d/x"],
    move: ["d", "e"],
    at: back("after", "copy", [edit("e/x", "d", "E"), remove("d/x")], failed503),
    hears: "/memories/e was kept",
    left: { "e/x": "E/x\n" },
  },
  {
    title: "a directory's copy was edited, and somebody else moved the source",
    files: ["d/x"],
    move: ["d", "e"],
    at: back("before", "deleteMany", [edit("e/x", "d", "E"), rename("d", "f")]),
    hears: "/memories/e was kept",
    left: { "e/x": "E/x\n", "f/x": "d/x\n" },
  },
  {
    title: "the delete was cut off without effect, was read to be so, and somebody moved the source before the next",
    files: ["a"],
    move: ["a", "b"],
    at: [
      { when: "before", method: "delete", others: [], answer: reset },
      { when: "before", method: "delete", count: 2, others: [rename("a", "c")] },
    ],
    hears: "/memories/a does not exist",
    left: { c: "a\n" },
  },
  {
    title: "the copy was moved on while the source was edited",
    files: ["a"],
    move: ["a", "b"],
    at: back("before", "delete", [edit("a", "a", "A2"), rename("b", "e")]),
    hears: "/memories/b was moved or deleted by someone else meanwhile, /memories/a was kept",
    left: { a: "A2\n", e: "a\n" },
  },
];

function hook(memory: TestMemory, race: Race, when: "before" | "after"): NonNullable<StoreHooks["before"]> {
  return async ({ method, count }) => {
    for (const step of race.at) {
      if (step.when !== when || step.method !== method || (step.count ?? 1) !== count) continue;
      for (const command of step.others) expect(await memory.other.execute(command)).toMatchObject({ isError: false });
      if (step.answer) throw step.answer;
    }
  };
}

describe("a rename, while others do what they like", () => {
  it.each(races)("$title", async (race) => {
    const memory = testMemory();
    for (const name of race.files) await memory.other.execute(create(name));
    memory.hooks.before = hook(memory, race, "before");
    memory.hooks.after = hook(memory, race, "after");
    expect(await memory.say(rename(...race.move))).toContain(race.hears);
    expect(Object.fromEntries(memory.names().map((name) => [name, memory.text(name)]))).toEqual(race.left);
  });

  it("is refused where the one name on both sides vanishes while it is looked at", async () => {
    const { say, names, hooks, other } = testMemory();
    for (const name of ["d/x", "e/x", "e/z"]) await other.execute(create(name));
    hooks.before = async ({ method, key }) => {
      if (method === "head" && key.endsWith("e/x")) await other.execute(remove("e/x"));
    };
    expect(await say(rename("d", "e"))).toContain("already exists");
    expect(names()).toEqual(["d/x", "e/z"]);
  });

  it("never removes a copy that it took over without an answer, and whose maker then finished", async () => {
    const { say, names, store, keys, hooks, other } = testMemory();
    await other.execute(create("a"));
    const [from, to] = [`${keys.memories}a`, `${keys.memories}b`];
    const remove1 = store.delete.bind(store);
    hooks.before = async ({ method, count }) => {
      if (method !== "put" || count !== 1) return;
      store.delete = async () => Promise.reject(storeFailure("none"));
      await other.execute(rename("a", "b")); // its copy is there, its delete is still to come
      store.delete = remove1;
    };
    hooks.after = async ({ method, key, count }) => {
      if (method !== "put" || key !== to || count !== 2) return;
      const version = store.peek(from)?.version ?? "";
      await store.delete(from, { condition: { kind: "unchanged", version } }); // the maker's own delete
      throw storeFailure("unknown");
    };
    expect(await say(rename("a", "b"))).toBe("Successfully renamed /memories/a to /memories/b");
    expect(names()).toEqual(["b"]);
  });

  it("never deletes a source that is back by the time another worker's copy was taken over", async () => {
    const { say, names, hooks, other } = testMemory();
    await other.execute(create("a"));
    hooks.before = async ({ method, key, count }) => {
      if (method === "put" && count === 1) await other.execute(rename("a", "b"));
      if (method === "head" && key.endsWith("/a")) await other.execute(rename("b", "a"));
    };
    await say(rename("a", "b"));
    expect(names()).toHaveLength(1);
  });
});

const sixNames = ["a.md", "b.md", "c.md", "sub/d.md", "sub/deeper/e.md", "z"];
const sixFiles = Object.fromEntries(sixNames.map((name) => [`d/${name}`, `written as ${name}`]));

/** The names of those files that ended up below a directory. Each must be in exactly one, with its text. */
function namesBelow(bucket: Bucket, ...directories: readonly string[]): readonly (readonly string[])[] {
  const files = Object.entries(bucket.files());
  const places = directories.map((directory) =>
    files.flatMap(([name, text]) =>
      name.startsWith(`${directory}/`) && text === `written as ${name.slice(directory.length + 1)}`
        ? [name.slice(directory.length + 1)]
        : [],
    ),
  );
  expect(places.flat().sort()).toEqual(sixNames);
  expect(files).toHaveLength(sixNames.length);
  return places;
}

/** What an answer says of how many files were moved by the one it answers: all, none, or all but k of n. */
function expectTrueAnswer(answer: string, to: string, moved: number): void {
  if (answer === "Error: The path /memories/d does not exist") return expect(moved).toBe(0);
  if (answer === `Successfully renamed /memories/d to /memories/${to}`) return expect(moved).toBeGreaterThan(0);
  const [, lost, of] = /^(\d) of (\d) files were moved by someone else meanwhile; view again$/.exec(answer) ?? [];
  return expect([answer, moved]).toEqual([answer, Number(of) - Number(lost)]);
}

describe("two workers that rename one directory to two names", () => {
  it("leave every file in exactly one place, whenever the second one comes", async () => {
    const undisturbed = bucketWith(sixFiles);
    const requests = await requestsOf((gate) => undisturbed.say(rename("d", "e"), gate));
    for (let moment = 1; moment <= requests.length; moment++) {
      const bucket = bucketWith(sixFiles);
      let second = "";
      const meanwhile = before(moment, async () => (second = await bucket.say(rename("d", "f"))));
      const first = await bucket.say(rename("d", "e"), meanwhile);
      const [inE = [], inF = []] = namesBelow(bucket, "e", "f");
      expectTrueAnswer(first, "e", inE.length);
      expectTrueAnswer(second, "f", inF.length);
      expect(second).toContain("Successfully");
      expect(first).not.toContain("Successfully");
    }
  });

  it.each(Array.from({ length: 200 }, (_, index) => ({ seed: 2_611 + index })))(
    "leave every file in exactly one place, in any order of their requests (seed $seed)",
    async ({ seed }) => {
      const bucket = bucketWith(sixFiles);
      const order = shuffled(seeded(seed));
      const [first, second] = await Promise.all([
        bucket.say(rename("d", "e"), order),
        bucket.say(rename("d", "f"), order),
      ]);
      const [inE = [], inF = []] = namesBelow(bucket, "e", "f");
      expectTrueAnswer(first, "e", inE.length);
      expectTrueAnswer(second, "f", inF.length);
      expect([first, second].filter((answer) => answer.includes("Successfully")).length).toBeLessThan(2);
    },
  );
});

describe("two workers that carry out the same rename", () => {
  const documented = new Set([
    "Successfully renamed /memories/d to /memories/e",
    "Error: The path /memories/d does not exist",
    "Error: The destination /memories/e already exists",
    "Error: /memories/d was moved or deleted by someone else meanwhile, /memories/e was kept; view both again",
    "{k} of {n} files were moved by someone else meanwhile; view again",
  ]);

  it.each(Array.from({ length: 100 }, (_, index) => ({ seed: 9_001 + index })))(
    "move every file once, in any order of their requests (seed $seed)",
    async ({ seed }) => {
      const bucket = bucketWith(sixFiles);
      const order = shuffled(seeded(seed));
      const answers = await Promise.all([bucket.say(rename("d", "e"), order), bucket.say(rename("d", "e"), order)]);
      expect(namesBelow(bucket, "e")).toEqual([sixNames]);
      const heard = answers.map((answer) => answer.replace(/^\d of \d /, "{k} of {n} "));
      expect(heard.filter((answer) => !documented.has(answer))).toEqual([]);
    },
  );
});

/** A copy that stands beside its source, since its worker died before the delete. */
async function halfDone(name: string): Promise<Bucket> {
  const undisturbed = bucketWith({ [name]: "precious" });
  const requests = await requestsOf((gate) => undisturbed.say(rename("d", "e"), gate));
  const bucket = bucketWith({ [name]: "precious" });
  await killAt(requests.length, "unsent", (gate) => bucket.say(rename("d", "e"), gate));
  expect(Object.values(bucket.files())).toEqual(["precious", "precious"]);
  return bucket;
}

describe("a half-done rename that two others go on with", () => {
  it.each(["d", "d/x"])(
    "is not lost where one undoes it before the other's last look at the source: %s",
    async (name) => {
      const undisturbed = await halfDone(name);
      const requests = await requestsOf((gate) => undisturbed.say(rename("d", "e"), gate));
      const lastLook = requests.findLastIndex(({ method }) => method === "head");
      expect(requests[lastLook]?.name).toBe(name);
      for (let moment = 1; moment <= lastLook + 1; moment++) {
        const bucket = await halfDone(name);
        const undone = before(moment, async () => {
          expect(await bucket.say(rename("d", "e"))).toContain("Successfully");
          expect(await bucket.say(rename("e", "d"))).toContain("Successfully");
        });
        await bucket.say(rename("d", "e"), undone);
        expect(Object.values(bucket.files()), `before request ${moment}`).toEqual(["precious"]);
      }
    },
  );
});

describe("a rename that another worker has finished and a third is undoing", () => {
  it.each(["d", "d/x"])("is not finished over the undoing, so that no place would be left: %s", async (name) => {
    const undisturbed = bucketWith({ [name]: "precious" });
    const requests = await requestsOf((gate) => undisturbed.say(rename("d", "e"), gate));
    const firstPut = requests.findIndex(({ method }) => method === "put");
    for (let moment = 1; moment <= firstPut + 1; moment++) {
      const bucket = bucketWith({ [name]: "precious" });
      const hasCopied = Promise.withResolvers<void>();
      const mayDelete = Promise.withResolvers<void>();
      let undoing: Promise<string> | undefined;
      const meanwhile = before(moment, async () => {
        await bucket.say(rename("d", "e"));
        const pause = before(requests.length, () => {
          hasCopied.resolve();
          return mayDelete.promise;
        });
        undoing = bucket.say(rename("e", "d"), pause);
        await hasCopied.promise;
      });
      await bucket.say(rename("d", "e"), meanwhile);
      mayDelete.resolve();
      await undoing;
      expect(Object.values(bucket.files()), `before request ${moment}`).toEqual(["precious"]);
    }
  });
});

it("does not take a file for its copy because a redelivered edit put the same write id on another file at the source", async () => {
  const { user, other, text, hooks } = testMemory();
  const twice = { toolUseId: "toolu_1" };
  await other.execute(create("a"));
  await other.execute(edit("a", "a", "A"), twice);
  hooks.before = ({ method }) => {
    if (method === "delete") throw timedOut;
  };
  await user.execute(rename("a", "b"));
  hooks.before = () => undefined;
  await other.execute(remove("a"));
  await other.execute({ command: "create", path: path("a"), file_text: "precious a\n" });
  await other.execute(edit("a", "a", "A"), twice);
  expect(await user.execute(rename("a", "b"))).toMatchObject({ code: "already_exists" });
  expect([text("a"), text("b")]).toEqual(["precious A\n", "A\n"]);
});

it("is finished although another tool put a file above its copy meanwhile", async () => {
  const { user, plant, names, hooks } = testMemory();
  plant("a", "a\n");
  hooks.before = ({ method, count }) => {
    if (method !== "delete" || count !== 1) return;
    plant("d", "above\n");
    throw failed503;
  };
  expect(await user.execute(rename("a", "d/b"))).toMatchObject({ isError: false });
  expect(names()).toEqual(["d", "d/b"]);
});

it.each([storeFailure("unsettled"), storeFailure("unknown", 503)])(
  "leaves a copy alone that another rename is taking back to where it came from: %o",
  async (failure) => {
    const { user, other, store, names, text, hooks } = testMemory();
    await other.execute(create("d/x"));
    const deleteNow = store.delete.bind(store);
    hooks.after = async ({ method, count }) => {
      if (method !== "deleteMany" || count !== 1) return;
      store.delete = async () => Promise.reject(storeFailure("none"));
      await other.execute(rename("e/x", "d/x")); // its copy is there, its delete is still to come
      store.delete = deleteNow;
      throw failure;
    };
    expect(await user.execute(rename("d", "e"))).toMatchObject({
      content: expect.stringContaining("stayed in /memories/d"),
    });
    expect(names()).toEqual(["d/x", "e/x"]);
    expect(await other.execute(rename("e/x", "d/x"))).toMatchObject({ isError: false });
    expect([names(), text("d/x")]).toEqual([["d/x"], "d/x\n"]);
  },
);

describe("a rename during which the store fails for good", () => {
  const refused = storeFailure("none", 403);
  const unfinished = "Error: The rename was not finished: files may be in";

  it.each([
    ["a", "put", "Error: the store failed"],
    ["a", "delete", unfinished],
    ["d", "copy", "Error: the store failed"],
    ["d", "list", "Error: the store failed"],
    ["d", "deleteMany", unfinished],
  ] as const)("of %s at its first %s, says %s", async (name, method, text) => {
    const { user, other, names, hooks } = testMemory();
    for (const file of ["a", "d/x"]) await other.execute(create(file));
    hooks.before = (step) => {
      if (step.method === method) throw refused;
    };
    const result = await user.execute(rename(name, "moved"));
    expect(result).toMatchObject({ code: "storage", content: expect.stringContaining(text) });
    expect(names().some((file) => file.startsWith("moved"))).toBe(text === unfinished);
  });
});

const isDelete = (method: string): boolean => method === "delete" || method === "deleteMany";

describe.each(["a", "d/x"])(
  "a redelivered edit of %s, on a new file in the place of the one that is renamed",
  (file) => {
    const [source, target] = file === "a" ? ["a", "b"] : ["d", "e"];
    const moved = file === "a" ? "b" : "e/x";
    const note = { command: "insert", path: path(file), insert_line: 0, insert_text: "note" };
    const twice = { toolUseId: "toolu_1" };

    it("is not taken for an edit of the old one where the delete landed without an answer", async () => {
      const { user, other, text, hooks } = testMemory();
      await other.execute(create(file));
      await other.execute(note, twice);
      hooks.after = async ({ method, count }) => {
        if (!isDelete(method) || count !== 1) return;
        await other.execute({ command: "create", path: path(file), file_text: "another\n" });
        await other.execute(note, twice);
        throw failed503;
      };
      await user.execute(rename(source, target));
      expect([text(file), text(moved)]).toEqual(["note\nanother\n", `note\n${file}\n`]);
    });

    it("is not moved in its stead where somebody deleted the old one first", async () => {
      const { user, other, text, hooks } = testMemory();
      await other.execute(create(file));
      await other.execute(note, twice);
      hooks.before = async ({ method, count }) => {
        if (!isDelete(method) || count !== 1) return;
        await other.execute(remove(file));
        await other.execute({ command: "create", path: path(file), file_text: "another\n" });
        await other.execute(note, twice);
      };
      expect(await user.execute(rename(source, target))).toMatchObject({ code: "conflict" });
      expect(text(file)).toBe("note\nanother\n");
    });
  },
);

it("names both places where all files are moved and the last look at what others did fails", async () => {
  const { user, other, names, hooks } = testMemory();
  await other.execute(create("d/x"));
  hooks.after = ({ method, count }) => {
    if (method === "deleteMany" && count === 1) throw failed503;
    if (method === "list" && count >= 3) throw storeFailure("none", 503);
  };
  expect(await user.execute(rename("d", "e"))).toMatchObject({
    code: "storage",
    content: expect.stringContaining("The rename was not finished"),
  });
  expect(names()).toEqual(["e/x"]);
});
