import type { S3Client } from "@aws-sdk/client-s3";
import type { ObjectStore } from "../../src/core/object-store.ts";
import type { S3StoreOptions } from "../../src/stores/s3-options.ts";
import type { S3Sdk } from "../../src/stores/s3-requests.ts";
import { s3StoreOn } from "../../src/stores/s3-store.ts";

/** Both ends of the range of `@aws-sdk/client-s3` that the package takes as its peer. */
export const sdks: Readonly<Record<"newest" | "lowest", () => Promise<S3Sdk>>> = {
  newest: () => import("@aws-sdk/client-s3"),
  lowest: async () => {
    const sdk: object = await import("client-s3-lowest");
    if (!isSdk(sdk)) throw new TypeError("client-s3-lowest is no S3 SDK");
    return sdk;
  },
};

/** The older types differ where it does not matter here; what is used has not changed. */
function isSdk(module: object): module is S3Sdk {
  return "S3Client" in module && "PutObjectCommand" in module;
}

type ClientConfig = NonNullable<ConstructorParameters<typeof S3Client>[0]>;

/** A store whose client and commands come from one SDK. */
export async function storeAt(
  endpoint: string,
  loadSdk: () => Promise<S3Sdk>,
  options: Omit<S3StoreOptions, "client">,
  config: ClientConfig = {},
): Promise<ObjectStore> {
  const sdk = await loadSdk();
  const client = new sdk.S3Client({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    forcePathStyle: true,
    ...config,
  });
  return s3StoreOn(() => Promise.resolve(sdk), { ...options, client });
}
