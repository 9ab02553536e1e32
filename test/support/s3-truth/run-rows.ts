import { randomUUID } from "node:crypto";
import { CreateBucketCommand, PutBucketVersioningCommand, type S3Client } from "@aws-sdk/client-s3";
import { Probe, type Facts } from "./probe.ts";
import type { TruthRow } from "./truth-row.ts";
import { testClient } from "../test-client.ts";

/** A client that asks once: a second attempt would hide what the first one heard. */
export function singleAttemptClient(endpoint: string): S3Client {
  return testClient(endpoint, { maxAttempts: 1 });
}

/** Asks one row in a new bucket. */
export async function runRow(row: TruthRow, client: S3Client): Promise<Facts> {
  const bucket = `truth-${randomUUID()}`;
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  if (row.versioned) {
    const versioning = { VersioningConfiguration: { Status: "Enabled" } } as const;
    await client.send(new PutBucketVersioningCommand({ Bucket: bucket, ...versioning }));
  }
  return row.run(new Probe(client, bucket));
}
