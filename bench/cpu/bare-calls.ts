import { createRequire } from "node:module";
import type * as clientS3 from "@aws-sdk/client-s3";
import { textContentType } from "./files.ts";
import type { Server } from "./server.ts";

/** The copy of the SDK that the library finds: a client and its commands must come from one. */
const sdk = createRequire(new URL("../../dist/index.js", import.meta.url))("@aws-sdk/client-s3") as typeof clientS3;

export const bucket = "memory";

/** Both sides have a client of their own with these settings. */
export function clientOf({ endpoint }: Server): clientS3.S3Client {
  const credentials = { accessKeyId: "bench", secretAccessKey: "bench" };
  return new sdk.S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials });
}

/** What a write sends beside its key and its text. */
export type Sent = Pick<clientS3.PutObjectCommandInput, "Metadata" | "IfMatch" | "IfNoneMatch">;

/** The least that an application sends and reads that has only the SDK: commands, and bodies read to strings. */
export class BareCalls {
  readonly #client: clientS3.S3Client;

  constructor(client: clientS3.S3Client) {
    this.#client = client;
  }

  async list(Prefix: string): Promise<clientS3.ListObjectsV2Output> {
    return this.#client.send(new sdk.ListObjectsV2Command({ Bucket: bucket, Prefix, EncodingType: "url" }));
  }

  async get(Key: string): Promise<{ readonly text: string; readonly etag: string }> {
    const { Body, ETag = "" } = await this.#client.send(new sdk.GetObjectCommand({ Bucket: bucket, Key }));
    return { text: (await Body?.transformToString()) ?? "", etag: ETag };
  }

  /** Answers the new ETag. */
  async put(Key: string, Body: string, sent: Sent): Promise<string> {
    const input = { Bucket: bucket, Key, Body, ContentType: textContentType, ...sent };
    const { ETag = "" } = await this.#client.send(new sdk.PutObjectCommand(input));
    return ETag;
  }

  async remove(Key: string, IfMatch: string): Promise<void> {
    await this.#client.send(new sdk.DeleteObjectCommand({ Bucket: bucket, Key, IfMatch }));
  }
}
