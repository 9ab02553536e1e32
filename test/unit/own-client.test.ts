import type { S3ClientConfig } from "@aws-sdk/client-s3";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createS3Memory } from "../../src/index.ts";
import { startFakeS3, type FakeS3 } from "../../src/testing/index.ts";
import { testClient } from "../support/test-client.ts";

let fake: FakeS3;
beforeAll(async () => {
  fake = await startFakeS3();
});
afterAll(() => fake.close());

/** The header names of every request that a client of the user's own sends for one create and one edit. */
async function headersSentWith(config: S3ClientConfig): Promise<readonly string[]> {
  const client = testClient(fake.endpoint, config);
  const names: string[] = [];
  client.middlewareStack.add(
    (next) => (values) => {
      const { request } = values as { request?: { headers?: Record<string, string> } };
      names.push(...Object.keys(request?.headers ?? {}).map((name) => name.toLowerCase()));
      return next(values);
    },
    { step: "finalizeRequest", priority: "low" },
  );
  const memory = createS3Memory({ bucket: "memory", client }).forUser(`user-${Math.random()}`);
  for (const input of [
    { command: "create", path: "/memories/a.md", file_text: "x" },
    { command: "str_replace", path: "/memories/a.md", old_str: "x", new_str: "y" },
    { command: "delete", path: "/memories/a.md" },
  ]) {
    expect(await memory.execute(input)).toMatchObject({ isError: false });
  }
  client.destroy();
  return names;
}

it("case 32: leaves checksums to the user's own client, which can switch the default CRC32 off", async () => {
  const quiet = await headersSentWith({
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
  });
  expect(quiet.filter((name) => name.includes("checksum"))).toEqual([]);
  const standard = await headersSentWith({});
  expect(standard).toContain("x-amz-checksum-crc32");
});

it("sends bodies of known length, never in chunks that some stores do not take apart", async () => {
  const names = await headersSentWith({});
  expect(names).not.toContain("x-amz-trailer");
  expect(names).not.toContain("x-amz-decoded-content-length");
});
