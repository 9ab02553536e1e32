import type { ObjectStore } from "../core/object-store.ts";
import { resolveS3StoreOptions, type S3StoreOptions } from "./s3-options.ts";
import type { S3Sdk } from "./s3-requests.ts";

/**
 * The port on S3 and what speaks its API. Makes no request and does not load the SDK before the
 * first call. Throws a `TypeError` for options that make no sense.
 */
export function s3Store(options: S3StoreOptions): ObjectStore {
  return s3StoreOn(() => import("./s3-sdk.ts"), options);
}

/** The same with the SDK passed in, so that tests run on both ends of its range. */
export function s3StoreOn(loadSdk: () => Promise<S3Sdk>, options: S3StoreOptions): ObjectStore {
  const resolved = resolveS3StoreOptions(options);
  let loading: Promise<ObjectStore> | undefined;
  const loaded = (): Promise<ObjectStore> =>
    (loading ??= import("./s3-commands.ts").then(({ s3Commands }) => s3Commands(loadSdk, resolved)));
  return {
    get: async (...values) => (await loaded()).get(...values),
    head: async (...values) => (await loaded()).head(...values),
    put: async (...values) => (await loaded()).put(...values),
    copy: async (...values) => (await loaded()).copy(...values),
    delete: async (...values) => (await loaded()).delete(...values),
    deleteMany: async (...values) => (await loaded()).deleteMany(...values),
    list: async (...values) => (await loaded()).list(...values),
  };
}
