import { describe, expect, it } from "vitest";
import { before, bucketWith, fates, killAt, requestsOf, seeded, type Files, type Request } from "../support/crash.ts";
import { storeFailure, testMemory } from "../support/test-memory.ts";

const path = (name: string): string => `/memories/${name}`;
const create = (name: string, file_text: string): object => ({ command: "create", path: path(name), file_text });
const remove = (name: string): object => ({ command: "delete", path: path(name) });
const edit = (name: string): object => ({
  command: "str_replace",
  path: path(name),
  old_str: "written",
  new_str: "edited",
});

const command = remove("d");
const deleted = "Successfully deleted /memories/d";
const gone = "Error: The path /memories/d does not exist";
const kept = (files: number): string =>
  `${files} files in /memories/d were changed meanwhile and were kept; view again`;

const neighbours: Files = { "d.md": "a file beside it", "d0/a.md": "a directory beside it", z: "far away" };
const filesIn = (names: readonly string[]): Files =>
  Object.fromEntries(names.map((name) => [`d/${name}`, `written as ${name}`]));
const sixFiles = filesIn(["a.md", "b.md", "c.md", "sub/d.md", "sub/deeper/e.md", "z"]);
/** Three pages of a listing, and as many batches. */
const manyFiles = filesIn(Array.from({ length: 2_100 }, (_, index) => `${index + 1_000}.md`));

function requestsToDelete(files: Files): Promise<readonly Request[]> {
  const bucket = bucketWith({ ...neighbours, ...files });
  return requestsOf((gate) => bucket.say(command, gate));
}

const requests = await requestsToDelete(sixFiles);
const boundaries = requests.map(({ method, name }, index) => ({ count: index + 1, request: `${method} ${name}` }));
const listed = 1 + requests.findIndex(({ method }) => method === "list");
const manyRequests = await requestsToDelete(manyFiles);

const isBelow = (name: string): boolean => name.startsWith("d/");

/** Nothing is there that was not there before, and nothing beside the directory is missing. */
function expectOnlyDeletes(left: Files, files: Files): void {
  const all: Files = { ...neighbours, ...files };
  expect(Object.keys(left).filter((name) => left[name] !== all[name])).toEqual([]);
  expect(Object.keys(neighbours).filter((name) => !(name in left))).toEqual([]);
}

describe("a delete of a directory whose worker dies", () => {
  const deaths = boundaries.flatMap((boundary) => fates.map((fate) => ({ ...boundary, fate })));

  it.each(deaths)("can be repeated by another after request $count, $request, $fate", async ({ count, fate }) => {
    const bucket = bucketWith({ ...neighbours, ...sixFiles });
    const { arrive } = await killAt(count, fate, (gate) => bucket.say(command, gate));
    const left = bucket.files();
    expectOnlyDeletes(left, sixFiles);
    expect(await bucket.say(command)).toBe(Object.keys(left).some(isBelow) ? deleted : gone);
    expect(bucket.files()).toEqual(neighbours);
    await arrive();
    expect(await bucket.say(command)).toBe(gone);
    expect(bucket.files()).toEqual(neighbours);
  });

  it.each(Array.from({ length: 20 }, (_, index) => ({ seed: 1_130 + index })))(
    "can be repeated where it had 2,100 files, on three pages (seed $seed)",
    async ({ seed }) => {
      const pick = seeded(seed);
      const bucket = bucketWith({ ...neighbours, ...manyFiles });
      const fate = fates[pick(fates.length)] ?? "late";
      const { arrive } = await killAt(1 + pick(manyRequests.length), fate, (gate) => bucket.say(command, gate));
      const left = bucket.files();
      expectOnlyDeletes(left, manyFiles);
      expect(await bucket.say(command)).toBe(Object.keys(left).some(isBelow) ? deleted : gone);
      await arrive();
      expect(bucket.files()).toEqual(neighbours);
    },
  );

  it.each(boundaries)("removes nothing that was changed before request $count, $request, came late", async (death) => {
    const bucket = bucketWith({ ...neighbours, ...sixFiles });
    const { arrive } = await killAt(death.count, "late", (gate) => bucket.say(command, gate));
    await bucket.say(edit("d/z"));
    await bucket.say(remove("d/c.md"));
    await bucket.say(create("d/c.md", "anew"));
    await bucket.say(create("d/new.md", "new"));
    await arrive();
    expect(bucket.files()).toMatchObject({
      ...neighbours,
      "d/z": "edited as z",
      "d/c.md": "anew",
      "d/new.md": "new",
    });
  });
});

describe("a delete of a directory that others write to", () => {
  it.each(boundaries)(
    "keeps what came after its listing and counts what changed, at request $count, $request",
    async (boundary) => {
      for (const name of Object.keys(sixFiles)) {
        const bucket = bucketWith({ ...neighbours, ...sixFiles });
        const meanwhile = before(boundary.count, async () => {
          await bucket.say(edit(name));
          await bucket.say(create("d/new.md", "new"));
        });
        const isSeen = boundary.count <= listed;
        const wasDeleted = requests.slice(0, boundary.count - 1).some((request) => request.name === name);
        const isKept = !isSeen && !wasDeleted;
        expect(await bucket.say(command, meanwhile)).toBe(isKept ? kept(1) : deleted);
        expect(bucket.files()).toEqual({
          ...neighbours,
          ...(isSeen ? {} : { "d/new.md": "new" }),
          ...(isKept ? { [name]: sixFiles[name]?.replace("written", "edited") } : {}),
        });
      }
    },
  );

  it.each(boundaries)("keeps what was deleted and created anew, at request $count, $request", async (boundary) => {
    const bucket = bucketWith({ ...neighbours, ...sixFiles });
    const meanwhile = before(boundary.count, async () => {
      await bucket.say(remove("d/c.md"));
      await bucket.say(create("d/c.md", "anew"));
    });
    const isSeen = boundary.count <= listed;
    const wasDeleted = requests.slice(0, boundary.count - 1).some(({ name }) => name === "d/c.md");
    expect(await bucket.say(command, meanwhile)).toBe(isSeen || wasDeleted ? deleted : kept(1));
    expect(bucket.files()).toEqual({ ...neighbours, ...(isSeen ? {} : { "d/c.md": "anew" }) });
  });

  it("removes of a page what that page showed, and nothing that came behind it", async () => {
    const bucket = bucketWith({ ...neighbours, ...manyFiles }, { limits: { files: Infinity } });
    const secondPage = manyRequests.findIndex(({ method }, index) => method === "list" && index + 1 > listed);
    const meanwhile = before(secondPage + 1, async () => {
      await bucket.say(create("d/0000.md", "before the second page"));
      await bucket.say(create("d/9999.md", "behind it"));
    });
    expect(await bucket.say(command, meanwhile)).toBe(deleted);
    expect(bucket.files()).toEqual({ ...neighbours, "d/0000.md": "before the second page" });
  });

  it("removes every file once where many delete it at once", async () => {
    const bucket = bucketWith({ ...neighbours, ...sixFiles });
    const answers = await Promise.all(Array.from({ length: 8 }, () => bucket.say(command)));
    expect(answers.filter((answer) => answer !== deleted && answer !== gone)).toEqual([]);
    expect(answers).toContain(deleted);
    expect(bucket.files()).toEqual(neighbours);
  });
});

it.each([
  ["list", storeFailure("none", 503)],
  ["deleteMany", storeFailure("unknown", 503)],
] as const)("says that a directory was deleted in part where a later %s fails for good", async (method, failure) => {
  const { user, plant, names, hooks } = testMemory({ limits: { files: 5_000 } });
  for (let file = 0; file < 1_500; file++) plant(`d/${String(file).padStart(4, "0")}`, "text");
  hooks.before = (step) => {
    if (step.method === method && step.count >= 2) throw failure;
  };
  const result = await user.execute({ command: "delete", path: "/memories/d" });
  expect(result).toMatchObject({ code: "storage", content: "Error: /memories/d was deleted only in part; view again" });
  expect(names()).toHaveLength(500);
});
