import { GetBucketVersioningCommand, HeadBucketCommand, ListObjectVersionsCommand } from "@aws-sdk/client-s3";
import { copySource, otherEtag, type Facts, type Probe } from "./probe.ts";
import type { TruthRow } from "./truth-row.ts";

const missing = "no-such-bucket-at-all";
const noSuchBucket = { status: 404, code: "NoSuchBucket" } as const;

const requests: Readonly<Record<string, (s3: Probe) => Promise<Facts>>> = {
  PUT: (s3) => s3.put("a", "new"),
  "PUT If-Match": (s3) => s3.put("a", "new", { IfMatch: otherEtag }),
  GET: (s3) => s3.get("a"),
  DELETE: (s3) => s3.delete("a"),
  "DELETE If-Match": (s3) => s3.delete("a", { IfMatch: "*" }),
  LIST: (s3) => s3.list(),
  DeleteObjects: (s3) => s3.deleteMany([{ Key: "a" }]),
};

/** A row whose request goes to a bucket that is not there. */
function row([name, ask]: [string, (s3: Probe) => Promise<Facts>]): TruthRow {
  return {
    name: `${name} in a missing bucket is NoSuchBucket`,
    run: (s3) => ask(s3.on(missing)),
    expected: noSuchBucket,
  };
}

function codeOf(answer: Promise<unknown>): Promise<unknown> {
  return answer.then(
    () => "answered",
    (error: unknown) => (error instanceof Error ? error.name : error),
  );
}

export const missingBucketRows: readonly TruthRow[] = [
  ...Object.entries(requests).map(row),
  {
    name: "COPY from a missing bucket is NoSuchBucket",
    run: (s3) => s3.copy("a", "b", { CopySource: copySource(missing, "a") }),
    expected: noSuchBucket,
  },
  {
    name: "COPY to a missing bucket is NoSuchBucket",
    run: async (s3) => {
      await s3.store("a", "old");
      return s3.on(missing).copy("a", "b", { CopySource: copySource(s3.bucket, "a") });
    },
    expected: noSuchBucket,
  },
  {
    name: "ListObjectVersions and GetBucketVersioning of a missing bucket are NoSuchBucket",
    run: async ({ client }) => ({
      versions: await codeOf(client.send(new ListObjectVersionsCommand({ Bucket: missing }))),
      versioning: await codeOf(client.send(new GetBucketVersioningCommand({ Bucket: missing }))),
    }),
    expected: { versions: "NoSuchBucket", versioning: "NoSuchBucket" },
  },
  {
    name: "HEAD cannot tell a missing bucket from a missing key",
    run: async (s3) => ({ bucket: await s3.on(missing).head("a"), key: await s3.head("a") }),
    expected: { bucket: { status: 404, code: "NotFound" }, key: { status: 404, code: "NotFound" } },
  },
  {
    name: "HeadBucket finds a bucket and misses a missing one",
    run: async ({ client, bucket }) => ({
      there: await codeOf(client.send(new HeadBucketCommand({ Bucket: bucket }))),
      missing: await codeOf(client.send(new HeadBucketCommand({ Bucket: missing }))),
    }),
    expected: { there: "answered", missing: "NotFound" },
  },
];
