import type { StoreCapability } from "../../src/testing/store-contract.ts";

/** What a store lacks, and why. It must really lack it: a case that passes all the same fails the suite. */
export type Lacks = Readonly<Partial<Record<StoreCapability, string>>>;

/** Every difference between the stores that the contract runs on. */
export const lacks = {
  inMemory: {},
  fakeS3: {},
  /** The fake in LocalStack's shape, with `conditionalDelete: false` as for LocalStack. */
  fakeS3WithoutConditionalDelete: {
    atomicDelete: "the store checks the version by HEAD before a plain DELETE, and both may run twice meanwhile",
  },
  localstack: {
    atomicDelete: "LocalStack 4.14.0 answers 501 to DELETE with If-Match, so the version is checked by HEAD before",
    pageEndsAnywhere:
      "LocalStack 4.14.0 answers 500 where a page of ListObjectsV2 is followed by a key beyond ASCII, or says that none follows",
  },
  ministack: {},
  /** With `serverSideCopy: true`, and `conditionalDelete: false` because it takes a folder for a key that it deleted. */
  seaweedfs: {
    atomicDelete:
      "SeaweedFS 4.48 answers 204 to a conditional DELETE of a folder, so every key is looked at by HEAD before",
    tellsMissing: "SeaweedFS 4.48 answers 412 to If-Match where AWS answers 404 for a missing key",
    byteOrder: "SeaweedFS 4.48 lists folder by folder, so what is in a folder comes before a-b",
    fileBesideDirectory:
      "SeaweedFS 4.48 keeps keys as files and folders: where there is a folder no file can be written",
    longNames: "SeaweedFS 4.48 refuses a name of more than 255 bytes between two slashes",
  },
} as const satisfies Readonly<Record<string, Lacks>>;
