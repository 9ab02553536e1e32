import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from "@aws-sdk/client-s3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { roundTrips, startFakeS3, type FakeS3, type LoggedRequest } from "../../src/testing/index.ts";
import { singleAttemptClient } from "../support/s3-truth/run-rows.ts";

const Bucket = "memory";
let fake: FakeS3;
let client: S3Client;

beforeEach(async () => {
  fake = await startFakeS3();
  client = singleAttemptClient(fake.endpoint);
});
afterEach(async () => {
  client.destroy();
  await fake.close();
});

const get = (key: string) => client.send(new GetObjectCommand({ Bucket, Key: key })).catch(() => undefined);

describe("the request log", () => {
  it("names operation, key, conditions and the answer", async () => {
    await client.send(new PutObjectCommand({ Bucket, Key: "a", Body: Buffer.from("x"), IfNoneMatch: "*" }));
    const CopySourceIfMatch = '"other"';
    const copy = new CopyObjectCommand({
      Bucket,
      Key: "b",
      CopySource: "memory/a",
      CopySourceIfMatch,
      IfNoneMatch: "*",
    });
    await client.send(copy).catch(() => undefined);
    expect([...fake.requests]).toMatchObject([
      { operation: "PutObject", method: "PUT", bucket: "memory", key: "a", status: 200 },
      { operation: "CopyObject", key: "b", status: 412, code: "PreconditionFailed" },
    ]);
    expect([...fake.requests].map(({ conditions }) => conditions)).toEqual([
      { "if-none-match": "*" },
      { "if-none-match": "*", "x-amz-copy-source-if-match": CopySourceIfMatch },
    ]);
  });

  it("names the query of a listing and the keys and ETags of a batch", async () => {
    await client.send(new ListObjectsV2Command({ Bucket, Prefix: "a/", Delimiter: "/", MaxKeys: 7 }));
    const Objects = [{ Key: "a", ETag: '"1"' }, { Key: "b" }];
    await client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects } }));
    const [list, batch] = [...fake.requests];
    expect(list?.query).toMatchObject({ prefix: "a/", delimiter: "/", "max-keys": "7" });
    expect(batch?.batch).toEqual([{ key: "a", etag: '"1"' }, { key: "b" }]);
  });

  it("names the faults that were applied", async () => {
    const fault = { answer: "drop" } as const;
    fake.faults.add({ key: "a" }, fault);
    await get("a");
    await get("b");
    expect([...fake.requests].map(({ faults, status }) => ({ faults, status }))).toEqual([
      { faults: [fault], status: undefined },
      { faults: [], status: 404 },
    ]);
  });

  it("finds the requests of one operation, and forgets on demand", async () => {
    await get("a");
    await client.send(new ListObjectsV2Command({ Bucket }));
    expect(fake.requests.operations).toEqual(["GetObject", "ListObjectsV2"]);
    expect(fake.requests.of("GetObject")).toHaveLength(1);
    fake.requests.clear();
    expect(fake.requests).toHaveLength(0);
  });
});

/** A request with its place among all starts and ends. */
function span(started: number, ended?: number): LoggedRequest {
  const request = { operation: "GetObject", method: "GET", bucket: "memory", key: "a" } as const;
  const nothing = { batch: [], query: {}, conditions: {}, faults: [] };
  return { ...request, ...nothing, started, ...(ended === undefined ? {} : { ended }) };
}

describe("roundTrips", () => {
  it("counts requests that wait for each other one by one", async () => {
    for (const key of ["a", "b", "c"]) await get(key);
    expect(roundTrips(fake.requests)).toBe(3);
  });

  it("counts requests that are sent at once as one, with some latency", async () => {
    fake.faults.add({}, { beforeCommit: 30 });
    await Promise.all([get("a"), get("b")]);
    await get("c");
    expect(fake.requests).toHaveLength(3);
    expect(roundTrips(fake.requests)).toBe(2);
  });

  it("takes the longest chain, also past a request that hangs", () => {
    expect(roundTrips([])).toBe(0);
    expect(roundTrips([span(1, 10), span(2, 3), span(4, 5), span(6)])).toBe(3);
    expect(roundTrips([span(1), span(2)])).toBe(1);
  });
});

describe("a look into the store", () => {
  it("shows what was put, by a client or directly", async () => {
    const Metadata = { writer: "client" };
    await client.send(
      new PutObjectCommand({ Bucket, Key: "a", Body: Buffer.from("é"), Metadata, ContentType: "text/plain" }),
    );
    fake.put("b", Uint8Array.of(0xff), { metadata: { writer: "tool" } });
    const objects = fake.objects();
    expect(objects.get("a")).toMatchObject({ text: "é", metadata: Metadata, contentType: "text/plain" });
    expect(objects.get("b")).toMatchObject({ bytes: Uint8Array.of(0xff), metadata: { writer: "tool" } });
    const { ETag: etag } = await client.send(new GetObjectCommand({ Bucket, Key: "b" }));
    expect(objects.get("b")?.etag).toBe(etag);
  });

  it("removes directly, and refuses a bucket that is not there", () => {
    fake.put("a", "old");
    fake.remove("a");
    expect(fake.objects().size).toBe(0);
    expect(() => fake.objects("missing")).toThrow(/does not exist/u);
  });

  it("keeps its buckets apart", async () => {
    const two = await startFakeS3({ buckets: ["one", "two"] });
    two.put("a", "in one");
    two.put("a", "in two", { bucket: "two" });
    expect([two.objects().get("a")?.text, two.objects("two").get("a")?.text]).toEqual(["in one", "in two"]);
    await two.close();
  });
});
