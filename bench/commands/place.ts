import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { CreateBucketCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { roundTrips, startFakeS3, type FakeS3 } from "../../dist/testing/index.js";
import { startLocalStack } from "../../localstack/host-mode.ts";
import { fileText } from "./scenarios.ts";
import { credentials, region, type Address } from "./side.ts";

/** What was sent while something ran. */
export interface Traffic {
  /** How often each operation of S3 was sent. */
  readonly operations: Readonly<Record<string, number>>;
  readonly requests: number;
  readonly roundTrips: number;
}

/** Where memories lie while they are measured. */
export interface Place {
  /** Lays files below `/memories/` of a user, beside what is measured. */
  fill(user: string, files: readonly string[]): Promise<void>;
  /** What was sent since it was last asked; absent where nobody counts. */
  traffic?(): Traffic;
  close(): Promise<void>;
}

export type S3Place = Place & Address;

const bucket = "memory";
const keyOf = (user: string, file: string): string => `users/${user}/memories/${file}`;

/** The fake S3 in this process, with so many milliseconds before every answer. */
export async function fakePlace({
  delay,
  conditionalDelete = true,
}: {
  readonly delay: number;
  readonly conditionalDelete?: boolean;
}): Promise<S3Place & { readonly fake: FakeS3 }> {
  const fake = await startFakeS3({ buckets: [bucket], conditionalDelete });
  if (delay > 0) fake.faults.add({}, { beforeCommit: delay });
  return {
    fake,
    endpoint: fake.endpoint,
    bucket,
    async fill(user, files) {
      for (const file of files) fake.put(keyOf(user, file), fileText, { contentType: "text/plain; charset=utf-8" });
    },
    traffic() {
      const seen = [...fake.requests];
      fake.requests.clear();
      const operations = Object.groupBy(seen, ({ operation }) => operation);
      return {
        operations: Object.fromEntries(Object.entries(operations).map(([name, { length }]) => [name, length])),
        requests: seen.length,
        roundTrips: roundTrips(seen),
      };
    },
    close: () => fake.close(),
  };
}

/** LocalStack in host mode: a server of another make, in a process of its own. */
export async function localStackPlace(say: (line: string) => void): Promise<S3Place> {
  const server = await startLocalStack(say);
  const client = new S3Client({ endpoint: server.endpoint, region, credentials, forcePathStyle: true });
  await client.send(new CreateBucketCommand({ Bucket: bucket }));
  return {
    endpoint: server.endpoint,
    bucket,
    async fill(user, files) {
      const put = (file: string): Promise<unknown> =>
        client.send(new PutObjectCommand({ Bucket: bucket, Key: keyOf(user, file), Body: fileText }));
      await Promise.all(files.map(put));
    },
    async close() {
      client.destroy();
      await server.stop();
    },
  };
}

/** A folder of this machine, for the SDK's own tool. */
export async function diskPlace(): Promise<Place & { readonly folderOf: (user: string) => string }> {
  const folder = await mkdtemp(join(tmpdir(), "s3-memory-bench-"));
  const folderOf = (user: string): string => join(folder, user);
  return {
    folderOf,
    async fill(user, files) {
      for (const file of files) {
        const path = join(folderOf(user), "memories", file);
        await mkdir(dirname(path), { recursive: true });
        await writeFile(path, fileText);
      }
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}
