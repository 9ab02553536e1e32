import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startFakeS3, type FakeS3 } from "../../src/testing/index.ts";
import { truthRows } from "../support/s3-truth/rows.ts";
import { runRow, singleAttemptClient } from "../support/s3-truth/run-rows.ts";

describe("the fake S3 answers as AWS", () => {
  let fake: FakeS3;
  beforeAll(async () => {
    fake = await startFakeS3();
  });
  afterAll(() => fake.close());

  it.each(truthRows)("$name", async (row) => {
    expect(await runRow(row, singleAttemptClient(fake.endpoint))).toEqual(row.expected);
  });
});
