import { readFileSync } from "node:fs";
import type { S3Client } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createS3Memory, type Memory, type MemoryOptions } from "../../src/index.ts";
import { startFakeS3, type FakeS3 } from "../../src/testing/index.ts";
import { countWaves } from "../support/waves.ts";
import { testClient } from "../support/test-client.ts";

interface Budget {
  readonly command: string;
  readonly options?: MemoryOptions & { readonly conditionalDelete?: boolean; readonly serverSideCopy?: boolean };
  /** Files below the scope's prefix, in which the command runs. */
  readonly files: readonly string[];
  readonly input: object;
  /** What this conversation viewed before, so that it knows it. */
  readonly viewed?: string;
  /** The first of these requests comes too late: another worker has just edited a.md. */
  readonly raced?: "PutObject" | "DeleteObject";
  /** Operations of S3, in any order. */
  readonly requests: Readonly<Record<string, number>>;
  readonly roundTrips: number;
}

const some = (count: number, name = ""): readonly string[] =>
  Array.from({ length: count }, (_, index) => `${name}${String(index).padStart(5, "0")}.md`);
const noLimits = { limits: { files: Infinity } } as const;
const rename = (old_path: string, new_path: string): object => ({ command: "rename", old_path, new_path });

/** The normal path: nobody interferes, nothing fails. The rows stand in docs/requests.md too. */
const budgets: readonly Budget[] = [
  {
    command: "view `/memories`, up to 1,000 files",
    files: some(1_000),
    input: { command: "view", path: "/memories" },
    requests: { ListObjectsV2: 1 },
    roundTrips: 1,
  },
  {
    command: "view a file",
    files: ["a.md"],
    input: { command: "view", path: "/memories/a.md" },
    requests: { GetObject: 1 },
    roundTrips: 1,
  },
  {
    command: "view another directory",
    files: ["dir/a.md"],
    input: { command: "view", path: "/memories/dir" },
    requests: { GetObject: 1, ListObjectsV2: 1 },
    roundTrips: 1,
  },
  {
    command: "view a directory whose name looks like a file's",
    files: ["dir.d/a.md"],
    input: { command: "view", path: "/memories/dir.d" },
    requests: { GetObject: 1, ListObjectsV2: 1 },
    roundTrips: 2,
  },
  {
    command: "create",
    files: some(900),
    input: { command: "create", path: "/memories/x/y/z.md", file_text: "" },
    requests: { ListObjectsV2: 1, PutObject: 1 },
    roundTrips: 2,
  },
  {
    command: "create, `limits.files` off, two directories deep",
    options: noLimits,
    files: some(10),
    input: { command: "create", path: "/memories/x/y/z.md", file_text: "" },
    requests: { ListObjectsV2: 1, HeadObject: 2, PutObject: 1 },
    roundTrips: 2,
  },
  {
    command: 'create with `onExisting: "overwrite"`, over an existing file or not',
    options: { onExisting: "overwrite" },
    files: ["a.md"],
    input: { command: "create", path: "/memories/a.md", file_text: "" },
    requests: { ListObjectsV2: 1, GetObject: 1, PutObject: 1 },
    roundTrips: 2,
  },
  {
    command: 'create over a file that was viewed (`onExisting: "overwrite"`)',
    options: { onExisting: "overwrite" },
    files: ["a.md"],
    viewed: "/memories/a.md",
    input: { command: "create", path: "/memories/a.md", file_text: "" },
    requests: { PutObject: 1 },
    roundTrips: 1,
  },
  {
    command: "the same, `cache.directEdits` off",
    options: { onExisting: "overwrite", cache: { directEdits: false } },
    files: ["a.md"],
    viewed: "/memories/a.md",
    input: { command: "create", path: "/memories/a.md", file_text: "" },
    requests: { GetObject: 1, PutObject: 1 },
    roundTrips: 2,
  },
  {
    command: "str_replace of a file that was viewed, or edited before",
    files: ["a.md"],
    viewed: "/memories/a.md",
    input: { command: "str_replace", path: "/memories/a.md", old_str: "x", new_str: "y" },
    requests: { PutObject: 1 },
    roundTrips: 1,
  },
  {
    command: "insert into a file that was viewed, or edited before",
    files: ["a.md"],
    viewed: "/memories/a.md",
    input: { command: "insert", path: "/memories/a.md", insert_line: 0, insert_text: "y" },
    requests: { PutObject: 1 },
    roundTrips: 1,
  },
  {
    command: "insert into a file that was viewed, `limits.totalBytes` on",
    options: { limits: { totalBytes: 1_000 } },
    files: ["a.md"],
    viewed: "/memories/a.md",
    input: { command: "insert", path: "/memories/a.md", insert_line: 0, insert_text: "y" },
    requests: { ListObjectsV2: 1, PutObject: 1 },
    roundTrips: 2,
  },
  {
    command: "str_replace",
    files: ["a.md"],
    input: { command: "str_replace", path: "/memories/a.md", old_str: "x", new_str: "y" },
    requests: { GetObject: 1, PutObject: 1 },
    roundTrips: 2,
  },
  {
    command: "insert",
    files: ["a.md"],
    input: { command: "insert", path: "/memories/a.md", insert_line: 0, insert_text: "y" },
    requests: { GetObject: 1, PutObject: 1 },
    roundTrips: 2,
  },
  {
    command: "insert, `limits.totalBytes` on",
    options: { limits: { totalBytes: 1_000 } },
    files: ["a.md"],
    input: { command: "insert", path: "/memories/a.md", insert_line: 0, insert_text: "y" },
    requests: { GetObject: 1, ListObjectsV2: 1, PutObject: 1 },
    roundTrips: 2,
  },
  {
    command: "delete a file",
    files: ["a.md"],
    input: { command: "delete", path: "/memories/a.md" },
    requests: { DeleteObject: 1, ListObjectsV2: 1 },
    roundTrips: 1,
  },
  {
    command: "delete a file, `conditionalDelete: false`",
    options: { conditionalDelete: false },
    files: ["a.md"],
    input: { command: "delete", path: "/memories/a.md" },
    requests: { HeadObject: 1, DeleteObject: 1, ListObjectsV2: 1 },
    roundTrips: 2,
  },
  {
    command: "delete a directory of 1,500 files",
    files: some(1_500, "dir/"),
    input: { command: "delete", path: "/memories/dir" },
    requests: { DeleteObject: 1, ListObjectsV2: 2, DeleteObjects: 2 },
    roundTrips: 3,
  },
  {
    command: "rename a file",
    files: ["a.md", ...some(500)],
    input: rename("/memories/a.md", "/memories/x/y/b.md"),
    requests: { GetObject: 1, ListObjectsV2: 1, PutObject: 1, DeleteObject: 1 },
    roundTrips: 3,
  },
  {
    command: "rename a file, `limits.files` off, one directory deep",
    options: noLimits,
    files: ["a.md"],
    input: rename("/memories/a.md", "/memories/x/b.md"),
    requests: { GetObject: 1, ListObjectsV2: 1, HeadObject: 1, PutObject: 1, DeleteObject: 1 },
    roundTrips: 3,
  },
  {
    command: "rename a file whose name looks like a directory's",
    files: ["note", ...some(500)],
    input: rename("/memories/note", "/memories/x/y/note"),
    requests: { GetObject: 1, ListObjectsV2: 1, PutObject: 1, DeleteObject: 1 },
    roundTrips: 3,
  },
  {
    command: "rename a directory of 16 files",
    files: some(16, "dir/"),
    input: rename("/memories/dir", "/memories/new"),
    requests: { ListObjectsV2: 2, GetObject: 17, PutObject: 16, DeleteObjects: 1 },
    roundTrips: 5,
  },
  {
    command: "rename a directory of 16 files, `serverSideCopy`",
    options: { serverSideCopy: true },
    files: some(16, "dir/"),
    input: rename("/memories/dir", "/memories/new"),
    requests: { ListObjectsV2: 2, GetObject: 1, HeadObject: 16, CopyObject: 16, DeleteObjects: 1 },
    roundTrips: 5,
  },
];

/** One lost race costs an edit two round trips: look again, write again. */
const races: readonly Budget[] = [
  {
    command: "str_replace that lost a race",
    files: ["a.md"],
    raced: "PutObject",
    input: { command: "str_replace", path: "/memories/a.md", old_str: "x", new_str: "y" },
    requests: { GetObject: 2, PutObject: 2 },
    roundTrips: 4,
  },
  {
    command: "insert that lost a race",
    files: ["a.md"],
    raced: "PutObject",
    input: { command: "insert", path: "/memories/a.md", insert_line: 1, insert_text: "y" },
    requests: { GetObject: 2, PutObject: 2 },
    roundTrips: 4,
  },
  {
    command: "str_replace of a file that was viewed and has changed since",
    files: ["a.md"],
    viewed: "/memories/a.md",
    raced: "PutObject",
    input: { command: "str_replace", path: "/memories/a.md", old_str: "x", new_str: "y" },
    requests: { PutObject: 2, GetObject: 1 },
    roundTrips: 3,
  },
  {
    command: "rename of a file whose source was edited after the copy",
    files: ["a.md"],
    raced: "DeleteObject",
    input: rename("/memories/a.md", "/memories/b.md"),
    requests: { GetObject: 2, ListObjectsV2: 1, PutObject: 2, DeleteObject: 2 },
    roundTrips: 6,
  },
];

describe("requests and round trips of each command", () => {
  let fake: FakeS3;
  let client: S3Client;
  let memoryOf: (options: Budget["options"]) => Memory;

  beforeAll(async () => {
    fake = await startFakeS3({ buckets: ["memory"] });
    client = testClient(fake.endpoint);
    memoryOf = (options = {}) => createS3Memory({ bucket: "memory", client, ...options });
    await memoryOf({}).forUser("warm-up").execute({ command: "view", path: "/memories" });
  });
  afterAll(async () => {
    client.destroy();
    await fake.close();
  });
  let user = 0;
  beforeEach(() => {
    user += 1;
    fake.faults.clear();
  });

  it.each([...budgets, ...races])(
    "$command",
    async ({ options, files, viewed, input, raced, requests, roundTrips }) => {
      const home = `users/u${user}/memories/`;
      for (const name of files) fake.put(home + name, "x", { metadata: { "write-ids": "first" } });
      const memory = memoryOf(options).forUser(`u${user}`);
      if (viewed !== undefined) await memory.execute({ command: "view", path: viewed });
      const waves = countWaves();
      const edit = (): void => fake.put(`${home}a.md`, "z\nx", { metadata: { "write-ids": "second,first" } });
      if (raced) fake.faults.add({ operation: raced, times: 1 }, { beforeCommit: edit });
      fake.faults.add({}, { beforeCommit: () => waves.hold() });
      fake.requests.clear();
      const result = await memory.execute(input);
      expect(result).toMatchObject({ isError: false });
      const counted: Record<string, number> = {};
      for (const operation of fake.requests.operations) counted[operation] = (counted[operation] ?? 0) + 1;
      expect({ requests: counted, roundTrips: waves.count }).toEqual({ requests, roundTrips });
    },
  );

  it("stands in the documentation with the same numbers", () => {
    const page = readFileSync(new URL("../../docs/requests.md", import.meta.url), "utf8");
    for (const { command, requests, roundTrips: trips } of [...budgets, ...races]) {
      const list = Object.entries(requests).map(([operation, count]) => `${count} ${operation}`);
      expect(page).toContain(`| ${command} | ${list.join(", ")} | ${trips} |`);
    }
  });
});
