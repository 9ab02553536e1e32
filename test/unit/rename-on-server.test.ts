import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createMemory, type ObjectStore, type UserMemory } from "../../src/index.ts";
import { faultAnswers, startFakeS3, type FakeS3, type Fault, type FaultMatcher } from "../../src/testing/index.ts";
import { sdks, storeAt } from "../contract/sdks.ts";

const files = { "a.md": "one\n", "b.md": "two\n", "sub/c.md": "three\n" } as const;
const rename = { command: "rename", old_path: "/memories/dir", new_path: "/memories/new" } as const;
const renamed = "Successfully renamed /memories/dir to /memories/new";
const prefix = "users/tester/memories/";

let fake: FakeS3;
let store: ObjectStore;
/** How many requests the rename sends where nobody disturbs it. */
let requests: number;

/** A worker of its own, which knows nothing of the others. */
function worker(): UserMemory {
  return createMemory({ store, onError: () => undefined }).forUser("tester");
}

async function say(memory: UserMemory, input: unknown = rename): Promise<string> {
  const { content } = await memory.execute(input);
  return typeof content === "string" ? content : JSON.stringify(content);
}

/** Name → text of every file. */
function texts(): Readonly<Record<string, string>> {
  return Object.fromEntries([...fake.objects()].map(([key, { text }]) => [key.slice(prefix.length), text]));
}

function below(directory: string, contents: Readonly<Record<string, string>> = files): Record<string, string> {
  return Object.fromEntries(Object.entries(contents).map(([name, text]) => [`${directory}/${name}`, text]));
}

async function plantDirectory(): Promise<void> {
  fake.faults.clear();
  for (const key of fake.objects().keys()) fake.remove(key);
  for (const [name, text] of Object.entries(files)) {
    await worker().files.write(`/memories/dir/${name}`, text, { ifAbsent: true });
  }
  fake.requests.clear();
}

/** Lets the n-th request of the whole bucket meet something. */
const at = (nth: number, fault: Fault, more: FaultMatcher = {}): void =>
  void fake.faults.add({ nth, times: 1, ...more }, fault);

beforeAll(async () => {
  fake = await startFakeS3();
  store = await storeAt(fake.endpoint, sdks.newest, { bucket: "memory", serverSideCopy: true }, { maxAttempts: 1 });
  await plantDirectory();
  expect(await say(worker())).toBe(renamed);
  requests = fake.requests.length;
});
beforeEach(plantDirectory);
afterAll(() => fake.close());

describe("A directory's rename with copies on the server", () => {
  it("moves no bytes: no GET and no PUT of a file below it", async () => {
    expect(await say(worker())).toBe(renamed);
    expect(texts()).toEqual(below("new"));
    expect(fake.requests.of("CopyObject")).toHaveLength(3);
    expect(fake.requests.of("PutObject")).toEqual([]);
    expect(fake.requests.of("GetObject").filter(({ key }) => key.startsWith(`${prefix}dir/`))).toEqual([]);
  });

  const fates: readonly [string, Fault][] = [
    ["was not sent", { answer: "hang" }],
    ["was carried out", { commit: "now", answer: "hang" }],
  ];
  it.each(fates)(
    "is finished by another worker wherever the first one died, whose last request %s",
    async (_, fault) => {
      for (let nth = 1; nth <= requests; nth++) {
        await plantDirectory();
        at(nth, fault);
        at(nth + 1, { answer: "hang" }, { times: Infinity }); // it is dead
        const died = new AbortController();
        const first = worker().execute(rename, { signal: died.signal });
        await expect.poll(() => fake.requests.length).toBeGreaterThanOrEqual(nth);
        died.abort();
        await first;
        fake.faults.clear();
        for (const [name, text] of Object.entries(files)) {
          expect([texts()[`dir/${name}`], texts()[`new/${name}`]], `after request ${nth}`).toContain(text);
        }
        await say(worker());
        expect(texts(), `after request ${nth}`).toEqual(below("new"));
      }
    },
  );

  const losses: readonly [string, Fault][] = [
    ["answered with 500, but carried out", { commit: "now", answer: faultAnswers.internalError }],
    ["answered with 503", { answer: faultAnswers.slowDown }],
    ["carried out, and its answer lost", { commit: "now", answer: "drop" }],
    ["answered with 409", { answer: faultAnswers.conditionalRequestConflict }],
    [
      "answered with an error in a 200, but carried out",
      { commit: "now", answer: { status: 200, code: "InternalError" } },
    ],
    ["answered with an error in a 200", { answer: { status: 200, code: "InternalError" } }],
  ];
  it.each(losses)("is done once where a copy is %s", async (_, fault) => {
    for (let nth = 1; nth <= 3; nth++) {
      await plantDirectory();
      at(nth, fault, { operation: "CopyObject" });
      expect(await say(worker())).toBe(renamed);
      expect(texts()).toEqual(below("new"));
    }
  });

  const inDirectory = "/memories/dir/b.md";
  const insert = { command: "insert", path: inDirectory, insert_line: 1, insert_text: "more" };
  const remove = { command: "delete", path: inDirectory };
  const create = { command: "create", path: inDirectory, file_text: "another\n" };
  const occupy = { ...create, path: "/memories/new/b.md" };
  const withoutB = { "new/a.md": "one\n", "new/sub/c.md": "three\n" };
  /** What another worker does, and what may be there at the end: where it was told that its first step is done, and where not. */
  const others: readonly [
    string,
    readonly object[],
    { readonly done: readonly object[]; readonly refused: object[] },
  ][] = [
    ["renames it to the same name", [rename], { done: [below("new")], refused: [below("new")] }],
    [
      "edits a file of it",
      [insert],
      { done: [{ ...below("new"), "new/b.md": "two\nmore\n" }], refused: [below("new")] },
    ],
    ["deletes a file of it", [remove], { done: [withoutB], refused: [below("new")] }],
    [
      "creates a file where one of its is to go",
      [occupy],
      {
        done: [
          { ...below("dir"), "new/b.md": "another\n" },
          { ...withoutB, "new/b.md": "another\n", "dir/b.md": "two\n" },
        ],
        refused: [below("new")],
      },
    ],
    [
      "replaces a file of it by another",
      [remove, create],
      {
        done: [
          { ...withoutB, "new/b.md": "another\n" },
          { ...withoutB, "dir/b.md": "another\n" },
        ],
        refused: [{ ...below("new"), "dir/b.md": "another\n" }],
      },
    ],
  ];
  it.each(others)(
    "loses nothing where another worker %s, whatever request that comes before",
    async (_, steps, ends) => {
      for (let nth = 1; nth <= requests; nth++) {
        await plantDirectory();
        const other = worker();
        const refusals: boolean[] = [];
        const act = async (): Promise<void> => {
          for (const step of steps) refusals.push((await other.execute(step)).isError);
        };
        at(nth, { beforeCommit: act });
        await say(worker());
        await fake.settled();
        expect(refusals[0] ? ends.refused : ends.done, `before request ${nth}`).toContainEqual(texts());
      }
    },
  );

  it("leaves each file in exactly one place where two workers rename it to two names, whatever request that comes before", async () => {
    for (let nth = 1; nth <= requests; nth++) {
      await plantDirectory();
      const other = worker();
      const act = async (): Promise<void> => {
        await other.execute({ ...rename, new_path: "/memories/other" });
      };
      at(nth, { beforeCommit: act });
      await say(worker());
      await fake.settled();
      const names = Object.keys(texts()).map((name) => name.replace(/^[^/]+\//, ""));
      expect(names.toSorted(), `before request ${nth}`).toEqual(Object.keys(files));
      expect(Object.keys(texts()).filter((name) => name.startsWith("dir/"))).toEqual([]);
    }
  });
});
