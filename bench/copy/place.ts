import { fork } from "node:child_process";
import { once } from "node:events";
import { CreateBucketCommand, S3Client } from "@aws-sdk/client-s3";
import { startSeaweed } from "../../localstack/host-mode.ts";

/** A server that honours the conditions of CopyObject, with a bucket `memory`. */
export interface Place {
  readonly name: string;
  readonly endpoint: string;
  /** What the store must be told of this server. */
  readonly options: { readonly conditionalDelete?: false };
  close(): Promise<void>;
}

/** The fake S3 in another process, with so many milliseconds before every answer. */
export async function fakePlace(delay: number): Promise<Place> {
  const child = fork(new URL("server-process.ts", import.meta.url), [String(delay)], { execArgv: [] });
  const [endpoint]: unknown[] = await once(child, "message");
  return {
    name: `fake S3, ${delay} ms a request`,
    endpoint: String(endpoint),
    options: {},
    close: async () => child.disconnect(),
  };
}

export async function seaweedPlace(log: (line: string) => void): Promise<Place> {
  const server = await startSeaweed(log);
  const { endpoint } = server;
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const client = new S3Client({ endpoint, region: "us-east-1", credentials, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: "memory" }));
  client.destroy();
  // It takes a folder for a key that it deleted.
  return { name: "SeaweedFS", endpoint, options: { conditionalDelete: false }, close: () => server.stop() };
}
