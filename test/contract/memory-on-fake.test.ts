import { afterAll, beforeAll } from "vitest";
import { startFakeS3, type FakeS3 } from "../../src/testing/index.ts";
import type { ObjectStore } from "../../src/index.ts";
import { lacks } from "./capabilities.ts";
import { describeMemoryContract } from "./describe-memory-contract.ts";
import { sdks, storeAt } from "./sdks.ts";

let fake: FakeS3;
const stores = new Map<string, ObjectStore>();

function storeOf(name: string): ObjectStore {
  const store = stores.get(name);
  if (!store) throw new Error(`no store ${name}`);
  return store;
}

beforeAll(async () => {
  fake = await startFakeS3({ buckets: ["memory"] });
  const place = { bucket: "memory" };
  stores.set("newest", await storeAt(fake.endpoint, sdks.newest, place));
  stores.set("without", await storeAt(fake.endpoint, sdks.newest, { ...place, conditionalDelete: false }));
  const copying = { ...place, serverSideCopy: true };
  stores.set("copying", await storeAt(fake.endpoint, sdks.newest, copying));
  stores.set("copying, lowest SDK", await storeAt(fake.endpoint, sdks.lowest, copying));
});
afterAll(() => fake.close());

describeMemoryContract("A memory on the fake S3", { store: () => storeOf("newest") });
describeMemoryContract("A memory on the fake S3, without conditional deletes", {
  store: () => storeOf("without"),
  deletesBlindly: lacks.fakeS3WithoutConditionalDelete.atomicDelete,
});
describeMemoryContract("A memory on the fake S3, which copies on the server", { store: () => storeOf("copying") });
describeMemoryContract("A memory on the fake S3, which copies on the server, with the lowest SDK", {
  store: () => storeOf("copying, lowest SDK"),
});
