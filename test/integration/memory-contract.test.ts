import { beforeAll } from "vitest";
import { s3Store, type ObjectStore } from "../../src/index.ts";
import { lacks } from "../contract/capabilities.ts";
import { describeMemoryContract } from "../contract/describe-memory-contract.ts";
import { freshBucket } from "../support/fresh-bucket.ts";

let localstack: ObjectStore;
let ministack: ObjectStore;

beforeAll(async () => {
  const { endpoint: _one, ...onLocalStack } = await freshBucket("localstack");
  const { endpoint: _two, ...onMiniStack } = await freshBucket("ministack");
  localstack = s3Store({ ...onLocalStack, conditionalDelete: false });
  ministack = s3Store(onMiniStack);
});

describeMemoryContract("A memory on LocalStack", {
  store: () => localstack,
  deletesBlindly: lacks.localstack.atomicDelete,
});
describeMemoryContract("A memory on MiniStack", { store: () => ministack });
