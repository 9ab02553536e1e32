import { fork } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFakeS3, type FakeS3 } from "../../src/testing/index.ts";
import { testMemory } from "../support/test-memory.ts";

const files = 100_000;
const padded = (index: number): string => String(index).padStart(5, "0");
const tenants: Readonly<Record<string, (index: number) => string>> = {
  flat: (index) => `file${padded(index)}`,
  nested: (index) => `d${padded(Math.floor(index / 100))}/sub/file${padded(index)}`,
  deep: (index) => `a/b/c/d/file${padded(index)}`,
};

interface Report {
  readonly content: string;
  readonly megabytesAboveIdle: number;
  readonly megabytesHeld: number;
}

describe("a tenant with 100,000 files", () => {
  let fake: FakeS3;
  beforeAll(async () => {
    fake = await startFakeS3({ buckets: Object.keys(tenants) });
    for (const [bucket, name] of Object.entries(tenants)) {
      for (let index = 0; index < files; index++) fake.put(`users/big/memories/${name(index)}`, "x", { bucket });
    }
  });
  afterAll(() => fake.close());

  /** What a process of its own takes for it; its first request is a view of nothing. */
  const measure = async (bucket: string, task: string, flags: readonly string[]): Promise<Report> => {
    fake.requests.clear();
    const program = new URL("../support/large-tenant-worker.ts", import.meta.url);
    const worker = fork(program, [fake.endpoint, bucket, task], { execArgv: [...flags] });
    const [report]: Report[] = await once(worker, "message");
    if (report === undefined) throw new Error("the worker has said nothing");
    return report;
  };

  it.each(Object.keys(tenants))(
    "that is %s is viewed with at most 20 requests and 80 MB, and the view says what is missing",
    async (bucket) => {
      const { content, megabytesAboveIdle } = await measure(bucket, "view", []);
      expect(fake.requests.length - 1).toBeLessThanOrEqual(20);
      expect(megabytesAboveIdle).toBeLessThanOrEqual(80);
      expect(content.length).toBeLessThanOrEqual(16_000);
      expect(content).toContain("≥");
    },
  );

  it.each(Object.keys(tenants))("that is %s is let go page by page by a view", async (bucket) => {
    expect((await measure(bucket, "view", ["--expose-gc"])).megabytesHeld).toBeLessThanOrEqual(16);
  });

  it("is listed for the application page by page, each one let go", async () => {
    const { content, megabytesHeld } = await measure("flat", "list", ["--expose-gc"]);
    expect(content).toBe(String(files));
    expect(fake.requests.length - 1).toBe(files / 1_000);
    expect(megabytesHeld).toBeLessThanOrEqual(16);
  });

  it("is deleted page by page, a few of them held at a time", async () => {
    const { content, megabytesHeld } = await measure("deep", "delete", ["--expose-gc"]);
    expect(content).toBe("Successfully deleted /memories/a");
    expect([...fake.objects("deep").keys()]).toEqual([]);
    const { DeleteObject, ListObjectsV2, DeleteObjects } = Object.groupBy(fake.requests.operations, (name) => name);
    expect([DeleteObject, ListObjectsV2, DeleteObjects].map((sent) => sent?.length)).toEqual([1, 101, 100]);
    expect(megabytesHeld).toBeLessThanOrEqual(20);
  });
});

describe("a scope that holds more files than its limit", () => {
  it.each([1_000, 3_000])("of 1,000 is counted no further than the limit, with %i files in it", async (count) => {
    const { say, plant, log } = testMemory();
    for (let file = 0; file < count; file++) plant(`${padded(file)}.md`, "");
    const create = { command: "create", path: "/memories/new.md", file_text: "" };
    const atLeast = count > 1_000 ? "at least " : "";
    expect(await say(create)).toBe(
      `Error: The memory holds ${atLeast}1000 files, the limit is 1000. Delete or merge files first.`,
    );
    const pages = log.filter((request) => request === "list");
    expect(pages).toHaveLength(1);
  });
});
