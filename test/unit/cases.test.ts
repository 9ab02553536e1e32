import type { S3Client } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { createS3Memory, type MemoryOptions, type UserMemory } from "../../src/index.ts";
import {
  faultAnswers,
  startFakeS3,
  type FakeS3,
  type Fault,
  type FaultMatcher,
  type S3Operation,
} from "../../src/testing/index.ts";
import { testClient } from "../support/test-client.ts";

/** Failures of a kind, each through the real SDK and over the wire: what the store holds afterwards counts. */

let fake: FakeS3;
const clients: S3Client[] = [];
beforeAll(async () => {
  fake = await startFakeS3();
});
afterEach(() => {
  fake.faults.clear();
  for (const client of clients.splice(0)) client.destroy();
  for (const key of fake.objects().keys()) fake.remove(key);
  fake.requests.clear();
});
afterAll(() => fake.close());

const home = "users/acme/memories/";

/** A process of its own: nothing is shared with other workers but the bucket. */
function worker(options: MemoryOptions = {}): UserMemory {
  const client = testClient(fake.endpoint);
  clients.push(client);
  return createS3Memory({ bucket: "memory", client, onError: () => undefined, ...options }).forUser("acme");
}

async function say(memory: UserMemory, input: object): Promise<unknown> {
  return (await memory.execute(input)).content;
}

const plant = (...names: readonly string[]): void => {
  for (const name of names) fake.put(home + name, `text of ${name}`);
};

/** Every file and its text. */
const files = (): Readonly<Record<string, string>> =>
  Object.fromEntries([...fake.objects()].map(([key, { text }]) => [key.slice(home.length), text]));

const names = (): readonly string[] => Object.keys(files());

const create = (path: string, file_text = "new"): object => ({ command: "create", path, file_text });
const replace = (path: string, old_str: string, new_str: string): object => ({
  command: "str_replace",
  path,
  old_str,
  new_str,
});
const insert = (path: string, insert_line: number, insert_text: string): object => ({
  command: "insert",
  path,
  insert_line,
  insert_text,
});
const remove = (path: string): object => ({ command: "delete", path });
const rename = (old_path: string, new_path: string): object => ({ command: "rename", old_path, new_path });

describe("a name that is only the beginning of others", () => {
  const neighbours = ["Note", "note-2/a.md", "note.md", "notes.md", "notes/b.md"];

  it.each([
    [remove("/memories/note"), "Error: The path /memories/note does not exist"],
    [remove("/memories/note/"), "Error: The path /memories/note/ does not exist"],
    [rename("/memories/note", "/memories/x"), "Error: The path /memories/note does not exist"],
    [
      { command: "view", path: "/memories/note" },
      "The path /memories/note does not exist. Please provide a valid path.",
    ],
  ])("case 21: is not there, and what begins with it is left alone: %o", async (input, answer) => {
    plant(...neighbours);
    expect(await say(worker(), input)).toBe(answer);
    expect(names()).toEqual(neighbours);
  });

  it.each([1_000, 300])(
    "case 21: takes all 2,050 files below it along, on pages of %i, and no other",
    async (pageSize) => {
      plant(...neighbours, ...Array.from({ length: 2_050 }, (_, index) => `note/${index}.md`));
      fake.faults.add({ operation: "ListObjectsV2" }, { pageSize });
      expect(await say(worker(), remove("/memories/note"))).toBe("Successfully deleted /memories/note");
      expect(names()).toEqual(neighbours);
    },
  );
});

/** What a batch delete says of one key of its own. */
const keyError = (code: string) => ({ code, message: code });

describe("a directory", () => {
  it.each([
    ["other names", ["a/1.md", "b/2.md"]],
    ["the same names", ["a/1.md", "b/1.md"]],
    ["both", ["a/1.md", "a/2.md", "b/2.md", "b/3.md"]],
  ])("case 22: is not renamed onto a directory that holds %s", async (_, planted) => {
    plant(...planted);
    const before = files();
    expect(await say(worker(), rename("/memories/a", "/memories/b"))).toBe(
      "Error: The destination /memories/b already exists",
    );
    expect(files()).toEqual(before);
  });

  it("case 22: is gone when its delete says so", async () => {
    plant("a/1.md", "a/b/2.md", "a/b/c/3.md", "z.md");
    expect(await say(worker(), remove("/memories/a"))).toBe("Successfully deleted /memories/a");
    expect(names()).toEqual(["z.md"]);
  });

  it.each<readonly [string, Fault]>([
    ["one key is refused", { keyErrors: (key) => (key.endsWith("2.md") ? keyError("AccessDenied") : undefined) }],
    ["one key fails", { keyErrors: (key) => (key.endsWith("2.md") ? keyError("InternalError") : undefined) }],
    ["the request is refused", { answer: faultAnswers.accessDenied }],
    ["the request fails", { answer: faultAnswers.internalError }],
    ["a file is changed meanwhile", { beforeCommit: () => fake.put(`${home}a/2.md`, "changed") }],
  ])("case 22: is not said to be deleted where %s", async (_, fault) => {
    plant("a/1.md", "a/2.md");
    fake.faults.add({ operation: "DeleteObjects" }, fault);
    const result = await worker({ retry: { attempts: 3 } }).execute(remove("/memories/a"));
    expect(result).toMatchObject({ isError: true, content: expect.not.stringContaining("Success") });
    expect(names()).toContain("a/2.md");
  });

  it("case 22: is deleted and renamed all the same where a 409 comes first", async () => {
    plant("a/1.md", "a/2.md");
    fake.faults.add({ operation: "PutObject", times: 1 }, { answer: faultAnswers.conditionalRequestConflict });
    let left = 2;
    const keyErrors = () => (left-- > 0 ? keyError("ConditionalRequestConflict") : undefined);
    fake.faults.add({ operation: "DeleteObjects" }, { keyErrors });
    expect(await say(worker(), rename("/memories/a", "/memories/b"))).toBe(
      "Successfully renamed /memories/a to /memories/b",
    );
    expect(files()).toEqual({ "b/1.md": "text of a/1.md", "b/2.md": "text of a/2.md" });
    left = 1;
    expect(await say(worker(), remove("/memories/b"))).toBe("Successfully deleted /memories/b");
    expect(names()).toEqual([]);
  });
});

const conflicts = ["ConditionalRequestConflict", "OperationAborted"].map((code) => ({ status: 409, code }));

describe.each(conflicts)("the answer $status $code", (answer) => {
  const commands: readonly (readonly [S3Operation, object, string, Readonly<Record<string, string>>])[] = [
    ["PutObject", create("/memories/b"), "File created successfully", { "a.md": "text of a.md", b: "new" }],
    ["PutObject", replace("/memories/a.md", "text", "TEXT"), "has been edited", { "a.md": "TEXT of a.md" }],
    ["PutObject", insert("/memories/a.md", 0, "top"), "has been edited", { "a.md": "top\ntext of a.md" }],
    ["PutObject", rename("/memories/a.md", "/memories/b"), "Successfully renamed", { b: "text of a.md" }],
    ["DeleteObject", rename("/memories/a.md", "/memories/b"), "Successfully renamed", { b: "text of a.md" }],
    ["DeleteObject", remove("/memories/a.md"), "Successfully deleted", {}],
  ];

  it.each(commands)("case 25: to a %s is tried again: %o", async (operation, input, success, after) => {
    plant("a.md");
    fake.faults.add({ operation, times: 2 }, { answer });
    expect(await say(worker(), input)).toContain(success);
    expect(files()).toEqual(after);
  });

  it.each(commands)("case 25: to every %s means neither existing nor missing: %o", async (operation, input) => {
    plant("a.md");
    fake.faults.add({ operation }, { answer });
    const result = await worker({ retry: { attempts: 3 } }).execute(input);
    expect(result).toMatchObject({ isError: true, code: "conflict", content: expect.stringMatching(/view .*again/) });
    expect(result.content).not.toMatch(/exist/);
    expect(files()).toMatchObject({ "a.md": "text of a.md" });
  });
});

describe("a file that is deleted between the read and the write of an edit", () => {
  it.each([
    [
      replace("/memories/a.md", "text", "TEXT"),
      "Error: The path /memories/a.md does not exist. Please provide a valid path.",
    ],
    [insert("/memories/a.md", 0, "top"), "Error: The path /memories/a.md does not exist"],
  ])("case 26: does not exist, and is not written anew: %o", async (input, answer) => {
    plant("a.md");
    const fault = fake.faults.add({ operation: "PutObject" }, { beforeCommit: () => fake.remove(`${home}a.md`) });
    expect(await say(worker(), input)).toBe(answer);
    expect([fault.hits, names()]).toEqual([1, []]);
  });
});

describe("growth over a limit", () => {
  const twoFiles = "Error: The memory holds 2 files, the limit is 2. Delete or merge files first.";
  const total =
    "Error: The memory holds 1.0K, this would take it over the limit of 2.0K. Delete or shorten files first.";
  const large = "Error: File /memories/a would be 1.7K, over the limit of 1.5K per file.";

  it.each([
    [{ files: 2 }, create("/memories/c"), twoFiles],
    [{ totalBytes: 2_048 }, create("/memories/c", "x".repeat(1_025)), total],
    [{ totalBytes: 2_048 }, replace("/memories/a", "end", "x".repeat(1_028)), total],
    [{ totalBytes: 2_048 }, insert("/memories/a", 0, "x".repeat(1_024)), total],
    [{ fileBytes: 1_536 }, create("/memories/a", "x".repeat(1_740)), large],
    [{ fileBytes: 1_536 }, replace("/memories/a", "end", "x".repeat(1_243)), large],
    [{ fileBytes: 1_536 }, insert("/memories/a", 0, "x".repeat(1_239)), large],
  ])("case 36: is refused with the use and the limit, and nothing is written: %o", async (limits, input, answer) => {
    fake.put(`${home}a`, `${"x".repeat(497)}end`);
    fake.put(`${home}b`, "x".repeat(524));
    const before = files();
    expect(await say(worker({ limits }), input)).toBe(answer);
    expect(files()).toEqual(before);
  });

  it.each([
    [{ files: 3 }, create("/memories/c")],
    [{ totalBytes: 2_048 }, create("/memories/c", "x".repeat(1_024))],
    [{ totalBytes: 2_048 }, insert("/memories/a", 0, "x".repeat(1_023))],
    [{ fileBytes: 1_536 }, replace("/memories/a", "end", "x".repeat(1_039))],
  ])("case 36: is taken up to the limit itself: %o", async (limits, input) => {
    fake.put(`${home}a`, `${"x".repeat(497)}end`);
    fake.put(`${home}b`, "x".repeat(524));
    expect(await worker({ limits }).execute(input)).toMatchObject({ isError: false });
  });
});

describe("a write whose answer is lost after it was done", () => {
  const losses: readonly (readonly [string, Fault["answer"]])[] = [
    ["a dropped connection", "drop"],
    ["500", faultAnswers.internalError],
    ["503", faultAnswers.slowDown],
  ];
  const commands: readonly (readonly [S3Operation, object, string, Readonly<Record<string, string>>])[] = [
    ["PutObject", create("/memories/b"), "File created successfully", { "a.md": "text of a.md", b: "new" }],
    ["PutObject", replace("/memories/a.md", "text", "text text"), "edited", { "a.md": "text text of a.md" }],
    ["PutObject", insert("/memories/a.md", 0, "top"), "edited", { "a.md": "top\ntext of a.md" }],
    ["PutObject", rename("/memories/a.md", "/memories/b"), "Successfully renamed", { b: "text of a.md" }],
    ["DeleteObject", rename("/memories/a.md", "/memories/b"), "Successfully renamed", { b: "text of a.md" }],
    ["DeleteObject", remove("/memories/a.md"), "Successfully deleted", {}],
  ];

  describe.each(losses)("by %s", (_, answer) => {
    it.each(commands)("case 24: is a success, and done once: %s of %o", async (operation, input, success, after) => {
      plant("a.md");
      const fault = fake.faults.add({ operation, times: 1 }, { commit: "now", ...(answer ? { answer } : {}) });
      const result = await worker().execute(input);
      expect(result).toMatchObject({ isError: false, content: expect.stringContaining(success) });
      expect(files()).toEqual(after);
      expect(fault.hits).toBe(1);
      expect(fake.requests.of(operation)).toHaveLength(1);
    });
  });
});

describe("a rename whose worker dies", () => {
  const one = ["old/1.md"];
  const three = ["old/1.md", "old/2.md", "old/3.md"];
  const file = rename("/memories/old/1.md", "/memories/new/1.md");
  const directory = rename("/memories/old", "/memories/new");

  it.each<readonly [string, readonly string[], object, FaultMatcher, "now" | "never"]>([
    ["of a file, before the copy", one, file, { operation: "PutObject" }, "never"],
    ["of a file, after the copy", one, file, { operation: "PutObject" }, "now"],
    ["of a file, before the delete", one, file, { operation: "DeleteObject" }, "never"],
    ["of a directory, before the second copy", three, directory, { operation: "PutObject", nth: 2 }, "never"],
    ["of a directory, after the second copy", three, directory, { operation: "PutObject", nth: 2 }, "now"],
    ["of a directory, before the deletes", three, directory, { operation: "DeleteObjects" }, "never"],
  ])("case 31: is finished by another worker: %s", async (_, planted, input, matcher, commit) => {
    plant(...planted);
    const texts = new Set(Object.values(files()));
    const death = new AbortController();
    const fault = fake.faults.add(matcher, { commit, answer: "drop", afterCommit: () => death.abort() });
    expect(await worker().execute(input, { signal: death.signal })).toMatchObject({ isError: true });
    fake.faults.clear();
    expect(fault.hits).toBeGreaterThan(0);
    expect(new Set(Object.values(files()))).toEqual(texts);
    expect(names()).toEqual(expect.arrayContaining([...planted]));

    expect(await say(worker(), input)).toContain("Successfully renamed");
    const moved = planted.map((name) => [name.replace("old/", "new/"), `text of ${name}`]);
    expect(files()).toEqual(Object.fromEntries(moved));
  });
});
