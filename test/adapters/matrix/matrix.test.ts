import { afterAll, beforeAll, describe } from "vitest";
import { startFakeS3, type FakeS3 } from "../../../src/testing/index.ts";
import { testClient } from "../../support/test-client.ts";
import { describeConversations, describeMatrix } from "./describe-matrix.ts";

const bucket = "agent-memory";
let s3: FakeS3;

beforeAll(async () => {
  s3 = await startFakeS3({ buckets: [bucket] });
});
afterAll(() => s3.close());

describe("the conversations", describeConversations);
describeMatrix("the fake S3", () => ({ bucket, client: testClient(s3.endpoint) }));
