import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFakeS3, type FakeS3 } from "../../src/testing/index.ts";
import { copyRows } from "../support/s3-truth/copy-rows.ts";
import { deleteRows } from "../support/s3-truth/delete-rows.ts";
import { differences } from "../support/s3-truth/differences.ts";
import { Probe } from "../support/s3-truth/probe.ts";
import { runRow, singleAttemptClient } from "../support/s3-truth/run-rows.ts";

/** Limits are no matter of these options: the fake always keeps them. */
const limits = "DeleteObjects refuses 1,001 keys";

describe("a fake without conditional deletes answers as LocalStack", () => {
  let fake: FakeS3;
  beforeAll(async () => {
    fake = await startFakeS3({ conditionalDelete: false });
  });
  afterAll(() => fake.close());

  it.each(deleteRows.filter(({ name }) => name !== limits))("$name", async (row) => {
    const expected = differences.localstack[row.name]?.answers ?? row.expected;
    expect(await runRow(row, singleAttemptClient(fake.endpoint))).toEqual(expected);
  });
});

describe("a fake without conditional copies overwrites as MiniStack", () => {
  let fake: FakeS3;
  beforeAll(async () => {
    fake = await startFakeS3({ conditionalCopy: false });
  });
  afterAll(() => fake.close());

  it.each(copyRows)("$name", async (row) => {
    const difference = differences.ministack[row.name];
    const overwrites = difference?.reason.includes("destination conditions of CopyObject");
    const expected = overwrites ? difference?.answers : row.expected;
    expect(await runRow(row, singleAttemptClient(fake.endpoint))).toEqual(expected);
  });
});

describe("the style of ETags", () => {
  it.each([
    { etags: "md5", shape: /^"[0-9a-f]{32}"$/u, same: true },
    { etags: "random", shape: /^"[0-9a-f]{32}"$/u, same: false },
    { etags: "unquoted", shape: /^[0-9a-f]{32}$/u, same: true },
  ] as const)("is $etags", async ({ etags, shape, same }) => {
    const fake = await startFakeS3({ etags });
    const probe = new Probe(singleAttemptClient(fake.endpoint), "memory");
    const [first, second] = [await probe.store("a", "same"), await probe.store("a", "same")];
    expect(first).toMatch(shape);
    expect(first === second).toBe(same);
    expect(await probe.put("a", "new", { IfMatch: second })).toEqual({ status: 200 });
    await fake.close();
  });
});
