import { beforeAll } from "vitest";
import { s3Store, type ObjectStore } from "../../src/index.ts";
import { lacks } from "../contract/capabilities.ts";
import { describeMemoryContract } from "../contract/describe-memory-contract.ts";
import { freshBucket } from "../support/fresh-bucket.ts";

let store: ObjectStore;

beforeAll(async () => {
  const { endpoint: _, ...place } = await freshBucket("seaweedfs");
  store = s3Store({ ...place, serverSideCopy: true, conditionalDelete: false });
});

describeMemoryContract("A memory on SeaweedFS, which copies on the server", {
  store: () => store,
  deletesBlindly: lacks.seaweedfs.atomicDelete,
});
