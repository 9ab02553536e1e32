import { beforeAll, describe } from "vitest";
import type { ObjectStore } from "../../src/core/object-store.ts";
import type { S3StoreOptions } from "../../src/stores/s3-options.ts";
import { lacks, type Lacks } from "../contract/capabilities.ts";
import { describeStoreContract } from "../contract/describe-store-contract.ts";
import { sdks, storeAt } from "../contract/sdks.ts";
import { freshBucket } from "../support/fresh-bucket.ts";
import type { ServerName } from "../support/servers.ts";

interface Server {
  readonly name: ServerName;
  readonly options: Pick<S3StoreOptions, "conditionalDelete" | "serverSideCopy">;
  readonly lacks: Lacks;
}

const servers: readonly Server[] = [
  { name: "localstack", options: { conditionalDelete: false }, lacks: lacks.localstack },
  { name: "ministack", options: {}, lacks: lacks.ministack },
  { name: "seaweedfs", options: { serverSideCopy: true, conditionalDelete: false }, lacks: lacks.seaweedfs },
];

for (const server of servers) {
  for (const [sdk, loadSdk] of Object.entries(sdks)) {
    describe(`The S3 store on ${server.name} with the ${sdk} SDK`, () => {
      let store: ObjectStore;

      beforeAll(async () => {
        const { bucket, endpoint } = await freshBucket(server.name);
        store = await storeAt(endpoint, loadSdk, { bucket, ...server.options });
      });

      describeStoreContract("does what every store does:", () => store, server.lacks);
    });
  }
}
