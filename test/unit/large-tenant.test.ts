import { fork } from "node:child_process";
import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFakeS3, type FakeS3 } from "../../src/testing/index.ts";

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
}

describe("view /memories of a tenant with 100,000 files", () => {
  let fake: FakeS3;
  beforeAll(async () => {
    fake = await startFakeS3({ buckets: Object.keys(tenants) });
    for (const [bucket, name] of Object.entries(tenants)) {
      for (let index = 0; index < files; index++) fake.put(`users/big/memories/${name(index)}`, "x", { bucket });
    }
  });
  afterAll(() => fake.close());

  it.each(Object.keys(tenants))(
    "that is %s takes at most 20 requests and 80 MB, and says what is missing",
    async (bucket) => {
      fake.requests.clear();
      const worker = fork(new URL("../support/large-tenant-worker.ts", import.meta.url), [fake.endpoint, bucket], {
        execArgv: [],
      });
      const [report]: Report[] = await once(worker, "message");
      expect(fake.requests.length - 1).toBeLessThanOrEqual(20);
      expect(report?.megabytesAboveIdle).toBeLessThanOrEqual(80);
      expect(report?.content.length).toBeLessThanOrEqual(16_000);
      expect(report?.content).toContain("≥");
    },
  );
});
