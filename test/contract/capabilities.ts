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
    pageEndsAnywhere: "LocalStack 4.14.0 answers 500 to a ListObjectsV2 whose page ends on an emoji key",
  },
  ministack: {},
} as const satisfies Readonly<Record<string, Lacks>>;
