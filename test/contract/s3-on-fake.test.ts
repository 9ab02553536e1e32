import { afterAll, beforeAll, describe } from "vitest";
import type { ObjectStore } from "../../src/core/object-store.ts";
import { startFakeS3, type FakeS3, type FakeS3Options } from "../../src/testing/index.ts";
import { lacks, type Lacks } from "./capabilities.ts";
import { describeStoreContract } from "./describe-store-contract.ts";
import { sdks, storeAt } from "./sdks.ts";

interface Shape {
  readonly title: string;
  readonly fake: FakeS3Options;
  readonly sdk?: keyof typeof sdks;
  readonly conditionalDelete?: boolean;
  readonly serverSideCopy?: boolean;
  readonly lacks: Lacks;
}

const shapes: readonly Shape[] = [
  { title: "as AWS answers", fake: {}, lacks: lacks.fakeS3 },
  { title: "as AWS answers, with the lowest SDK", fake: {}, sdk: "lowest", lacks: lacks.fakeS3 },
  { title: "with unquoted ETags", fake: { etags: "unquoted" }, lacks: lacks.fakeS3 },
  { title: "with random ETags, as with SSE-KMS", fake: { etags: "random" }, lacks: lacks.fakeS3 },
  {
    title: "without conditional deletes",
    fake: { conditionalDelete: false },
    conditionalDelete: false,
    lacks: lacks.fakeS3WithoutConditionalDelete,
  },
  { title: "copying on the server", fake: {}, serverSideCopy: true, lacks: lacks.fakeS3 },
  {
    title: "copying on the server, with the lowest SDK",
    fake: {},
    sdk: "lowest",
    serverSideCopy: true,
    lacks: lacks.fakeS3,
  },
  {
    title: "copying on the server, with random ETags",
    fake: { etags: "random" },
    serverSideCopy: true,
    lacks: lacks.fakeS3,
  },
];

for (const { title, fake: options, sdk = "newest", lacks: lacking, ...shape } of shapes) {
  const { conditionalDelete = true, serverSideCopy = false } = shape;
  describe(`The S3 store on the fake S3, ${title}`, () => {
    let fake: FakeS3;
    let store: ObjectStore;

    beforeAll(async () => {
      fake = await startFakeS3(options);
      store = await storeAt(fake.endpoint, sdks[sdk], { bucket: "memory", conditionalDelete, serverSideCopy });
    });
    afterAll(() => fake.close());

    describeStoreContract("does what every store does:", () => store, lacking);
  });
}
