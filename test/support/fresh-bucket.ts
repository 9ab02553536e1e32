import { randomUUID } from "node:crypto";
import { CreateBucketCommand, PutBucketVersioningCommand, type S3Client } from "@aws-sdk/client-s3";
import { inject } from "vitest";
import { testClient } from "./test-client.ts";
import { ServerMissingError, serverTitles, type ServerName } from "./servers.ts";

export interface Place {
  /** Path style, fixed credentials, us-east-1, the SDK's own settings otherwise. */
  readonly client: S3Client;
  /** Empty, and nobody else's: the servers keep their state for a whole run. */
  readonly bucket: string;
  readonly endpoint: string;
}

/** The address of a server that global setup started. Throws `ServerMissingError` where there is none. */
export function serverEndpoint(server: ServerName): string {
  const report = inject("servers")[server];
  if (report.state === "missing") throw new ServerMissingError(`no ${serverTitles[server]}: ${report.reason}`);
  return report.endpoint;
}

/** A new bucket on a real server, for one test file. Call it in `beforeAll` or in a test. */
export async function freshBucket(server: ServerName, { versioning = false } = {}): Promise<Place> {
  const endpoint = serverEndpoint(server);
  const client = testClient(endpoint);
  const bucket = `memory-${randomUUID()}`;
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  if (versioning) {
    await client.send(
      new PutBucketVersioningCommand({ Bucket: bucket, VersioningConfiguration: { Status: "Enabled" } }),
    );
  }
  return { client, bucket, endpoint };
}
