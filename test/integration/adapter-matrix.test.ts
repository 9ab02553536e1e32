import { beforeAll } from "vitest";
import { describeMatrix } from "../adapters/matrix/describe-matrix.ts";
import type { Stage } from "../adapters/matrix/stage.ts";
import { freshBucket } from "../support/fresh-bucket.ts";

let stage: Stage;

beforeAll(async () => {
  const { client, bucket } = await freshBucket("localstack");
  stage = { client, bucket, conditionalDelete: false };
});

describeMatrix("LocalStack", () => stage);
