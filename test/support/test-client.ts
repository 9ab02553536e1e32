import { S3Client, type S3ClientConfig } from "@aws-sdk/client-s3";

/** A client for a test server: path style, credentials that every one of them takes, us-east-1. */
export function testClient(endpoint: string, config: S3ClientConfig = {}): S3Client {
  return new S3Client({
    endpoint,
    region: "us-east-1",
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
    forcePathStyle: true,
    ...config,
  });
}
