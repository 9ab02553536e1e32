import { randomUUID } from "node:crypto";
import { CreateBucketCommand, PutBucketVersioningCommand, S3Client } from "@aws-sdk/client-s3";
import { inject } from "vitest";
import { ServerMissingError, serverTitles, type ServerName } from "./servers.ts";

export interface Place {
  /** Path style, fixed credentials, us-east-1, the SDK's own settings otherwise. */
  readonly client: S3Client;
  /** Empty, and nobody else's: the servers keep their state for a whole run. */
  readonly bucket: string;
  readonly endpoint: string;
}

/** What every test server accepts. */
const testCredentials = { accessKeyId: "test", secretAccessKey: "test" } as const;
const testRegion = "us-east-1";

/** The address of a server that global setup started. Throws `ServerMissingError` where there is none. */
export function serverEndpoint(server: ServerName): string {
  const report = inject("servers")[server];
  if (report.state === "missing") throw new ServerMissingError(`no ${serverTitles[server]}: ${report.reason}`);
  return report.endpoint;
}

function testClient(endpoint: string): S3Client {
  return new S3Client({ endpoint, region: testRegion, credentials: testCredentials, forcePathStyle: true });
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
