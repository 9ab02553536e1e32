import {
  CopyObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3ServiceException,
  type S3Client,
} from "@aws-sdk/client-s3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { faultAnswers, startFakeS3, type FakeS3 } from "../../src/testing/index.ts";
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

function put(text: string, key = "a", signal?: AbortSignal) {
  const command = new PutObjectCommand({ Bucket, Key: key, Body: Buffer.from(text) });
  return client.send(command, signal === undefined ? {} : { abortSignal: signal });
}

async function get(key = "a"): Promise<string | undefined> {
  const answer = await client.send(new GetObjectCommand({ Bucket, Key: key }));
  return answer.Body?.transformToString();
}

async function keys(input: { readonly MaxKeys?: number; readonly ContinuationToken?: string } = {}) {
  const page = await client.send(new ListObjectsV2Command({ Bucket, ...input }));
  return { keys: page.Contents?.map(({ Key: key }) => key) ?? [], next: page.NextContinuationToken };
}

/** The error of a request that must fail. */
async function failure(request: Promise<unknown>): Promise<Error> {
  const error: unknown = await request.then(
    () => new Error("it was answered"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error)) throw new TypeError("not an error");
  return error;
}

async function refusal(request: Promise<unknown>) {
  const error = await failure(request);
  if (!(error instanceof S3ServiceException)) throw error;
  return { status: error.$metadata.httpStatusCode, code: error.name };
}

describe("an answer in place of the true one", () => {
  const { permanentRedirect, ...fixed } = faultAnswers;

  it.each(Object.entries(fixed))("%s is given without the work", async (_, answer) => {
    fake.faults.add({ operation: "PutObject" }, { answer });
    expect(await refusal(put("new"))).toEqual({ status: answer.status, code: answer.code });
    expect(fake.objects().size).toBe(0);
  });

  it("is given after the work, where the fault says so", async () => {
    fake.faults.add({ operation: "PutObject" }, { commit: "now", answer: faultAnswers.internalError });
    expect(await refusal(put("new"))).toEqual({ status: 500, code: "InternalError" });
    expect(fake.objects().get("a")?.text).toBe("new");
  });

  it("names the right region in a redirect", async () => {
    fake.faults.add({}, { answer: permanentRedirect("eu-west-1") });
    const error = await failure(put("new"));
    expect(error).toMatchObject({ name: "PermanentRedirect", $metadata: { httpStatusCode: 301 } });
    expect(error).toHaveProperty("$response.headers.x-amz-bucket-region", "eu-west-1");
  });

  it("comes as an error in the body of a 200, as CopyObject may", async () => {
    fake.put("a", "old");
    fake.faults.add({ operation: "CopyObject" }, { answer: { status: 200, code: "InternalError" } });
    const copy = client.send(new CopyObjectCommand({ Bucket, Key: "b", CopySource: "memory/a" }));
    expect((await failure(copy)).name).toBe("InternalError");
    expect([...fake.objects().keys()]).toEqual(["a"]);
  });

  it("is given for single keys of a batch", async () => {
    for (const key of ["a", "b"]) fake.put(key, "old");
    fake.faults.add({}, { keyErrors: (key) => (key === "b" ? { code: "SlowDown", message: "later" } : undefined) });
    const Delete = { Objects: [{ Key: "a" }, { Key: "b" }] };
    const answer = await client.send(new DeleteObjectsCommand({ Bucket, Delete }));
    expect(answer.Errors).toMatchObject([{ Key: "b", Code: "SlowDown" }]);
    expect([...fake.objects().keys()]).toEqual(["b"]);
  });
});

describe("a connection that breaks or hangs", () => {
  it.each([
    { answer: "drop", commit: "never", after: undefined },
    { answer: "drop", commit: "now", after: "new" },
  ] as const)("is dropped, with the work done $commit", async ({ answer, commit, after }) => {
    fake.faults.add({}, { answer, commit });
    expect(await failure(put("new"))).toMatchObject({ code: "ECONNRESET" });
    expect(fake.objects().get("a")?.text).toBe(after);
  });

  it.each([
    { commit: "never", after: undefined },
    { commit: "now", after: "new" },
  ] as const)("hangs until the client gives up, with the work done $commit", async ({ commit, after }) => {
    fake.faults.add({}, { answer: "hang", commit });
    expect((await failure(put("new", "a", AbortSignal.timeout(100)))).name).toBe("AbortError");
    expect(fake.objects().get("a")?.text).toBe(after);
  });

  it("is closed together with the server, hanging requests too", async () => {
    fake.faults.add({}, { answer: "hang" });
    const hanging = failure(put("new"));
    await expect.poll(() => fake.requests.length).toBe(1);
    await fake.close();
    expect(await hanging).toMatchObject({ code: "ECONNRESET" });
  });
});

describe("a pause", () => {
  it("before the commit lets another writer come first", async () => {
    fake.faults.add({ operation: "PutObject", times: 1 }, { beforeCommit: () => fake.put("a", "meanwhile") });
    const command = new PutObjectCommand({ Bucket, Key: "a", Body: Buffer.from("new"), IfNoneMatch: "*" });
    expect(await refusal(client.send(command))).toEqual({ status: 412, code: "PreconditionFailed" });
    expect(await get()).toBe("meanwhile");
  });

  it("after the commit shows the write to others before its writer hears of it", async () => {
    let seen: string | undefined;
    const look = (): void => {
      seen = fake.objects().get("a")?.text;
    };
    fake.faults.add({ operation: "PutObject" }, { afterCommit: look });
    await put("new");
    expect(seen).toBe("new");
  });

  it("delays every request by so many milliseconds", async () => {
    fake.faults.add({}, { beforeCommit: 40 });
    const start = performance.now();
    await put("new");
    await get();
    expect(performance.now() - start).toBeGreaterThan(75);
  });

  it("delays the commit of a request whose client has gone", async () => {
    const gate = Promise.withResolvers<void>();
    fake.faults.add({}, { beforeCommit: () => gate.promise });
    expect((await failure(put("new", "a", AbortSignal.timeout(100)))).name).toBe("AbortError");
    expect(fake.objects().size).toBe(0);
    gate.resolve();
    await fake.settled();
    expect(fake.objects().get("a")?.text).toBe("new");
  });

  it("delays the commit until after the answer, where it is late", async () => {
    const gate = Promise.withResolvers<void>();
    fake.faults.add({}, { commit: "late", beforeCommit: () => gate.promise, answer: "drop" });
    expect(await failure(put("new"))).toMatchObject({ code: "ECONNRESET" });
    expect(fake.objects().size).toBe(0);
    gate.resolve();
    await fake.settled();
    expect(fake.objects().get("a")?.text).toBe("new");
  });
});

describe("the store misbehaves", () => {
  it("with pages shorter than asked for, every key still on one of them", async () => {
    for (const key of ["a", "b", "c"]) fake.put(key, "old");
    fake.faults.add({ operation: "ListObjectsV2" }, { pageSize: 2 });
    const first = await keys({ MaxKeys: 1000 });
    const second = await keys({ ContinuationToken: first.next ?? "" });
    expect([first.keys, second.keys, second.next]).toEqual([["a", "b"], ["c"], undefined]);
  });

  it("with listings that are some writes behind, reads being up to date", async () => {
    for (const key of ["a", "b", "c"]) fake.put(key, "old");
    fake.remove("a");
    const lag = fake.faults.add({ operation: "ListObjectsV2" }, { listingLag: { writes: 2 } });
    expect((await keys()).keys).toEqual(["a", "b"]);
    expect(await get("c")).toBe("old");
    lag.remove();
    expect((await keys()).keys).toEqual(["b", "c"]);
  });

  it("with listings that are some milliseconds behind", async () => {
    let now = 1000;
    const clocked = await startFakeS3({ now: () => now });
    clocked.put("a", "old");
    now += 500;
    clocked.put("b", "old");
    clocked.faults.add({}, { listingLag: { milliseconds: 300 } });
    const list = async () => {
      const page = await singleAttemptClient(clocked.endpoint).send(new ListObjectsV2Command({ Bucket }));
      return page.Contents?.map(({ Key: key }) => key);
    };
    expect(await list()).toEqual(["a"]);
    now += 300;
    expect(await list()).toEqual(["a", "b"]);
    await clocked.close();
  });

  it("with ETags that are new for the same content", async () => {
    fake.faults.add({ operation: "PutObject" }, { etags: "random" });
    const [first, second] = [await put("same"), await put("same")];
    expect(first.ETag).toMatch(/^"[0-9a-f]{32}"$/u);
    expect(second.ETag).not.toBe(first.ETag);
  });

  it("with ETags that have no quotes, and takes them back", async () => {
    fake.faults.add({}, { etags: "unquoted" });
    const { ETag: etag = "" } = await put("old");
    expect(etag).toMatch(/^[0-9a-f]{32}$/u);
    await client.send(new PutObjectCommand({ Bucket, Key: "a", Body: Buffer.from("new"), IfMatch: etag }));
    expect(await get()).toBe("new");
  });

  it("with 403 for a missing key, as without s3:ListBucket", async () => {
    fake.put("a", "old");
    fake.faults.add({}, { hidesMissing: true });
    expect(await refusal(get("missing"))).toEqual({ status: 403, code: "AccessDenied" });
    const head = client.send(new HeadObjectCommand({ Bucket, Key: "missing" }));
    expect(await refusal(head)).toMatchObject({ status: 403 });
    expect(await get("a")).toBe("old");
  });
});

/** How so many writes in a row end. */
async function statuses(count: number): Promise<string> {
  const answers: string[] = [];
  for (let index = 0; index < count; index += 1) {
    answers.push(
      await put("new").then(
        () => "ok",
        (error: unknown) => (error instanceof Error ? error.name : "unknown"),
      ),
    );
  }
  return answers.join(" ");
}

function batch(key: string) {
  return client.send(new DeleteObjectsCommand({ Bucket, Delete: { Objects: [{ Key: "other" }, { Key: key }] } }));
}

function listBelow(prefix: string) {
  return client.send(new ListObjectsV2Command({ Bucket, Prefix: prefix }));
}

describe("a fault hits", () => {
  const { slowDown } = faultAnswers;

  it("the n-th request that fits, as often as it says", async () => {
    const fault = fake.faults.add({ operation: "PutObject", nth: 2, times: 2 }, { answer: slowDown });
    fake.faults.add({ operation: "GetObject" }, { answer: "drop" });
    expect(await statuses(4)).toBe("ok SlowDown SlowDown ok");
    expect(fault.hits).toBe(2);
  });

  it("no more once it is removed", async () => {
    const fault = fake.faults.add({}, { answer: slowDown });
    expect(await statuses(1)).toBe("SlowDown");
    fault.remove();
    expect(await statuses(1)).toBe("ok");
  });

  it.each([
    { method: "PUT" },
    { key: "a" },
    { key: (key: string) => key.length === 1 },
    { prefix: "a" },
    { where: ({ bucket }: { readonly bucket: string }) => bucket === "memory" },
  ])("what its matcher %j names, and nothing else", async (matcher) => {
    fake.put("bb/c", "old");
    fake.faults.add(matcher, { answer: slowDown });
    expect(await statuses(1)).toBe("SlowDown");
    if (!("where" in matcher)) expect(await get("bb/c")).toBe("old");
  });

  it("a batch that names its key, and a listing below its prefix", async () => {
    fake.faults.add({ prefix: "users/a/" }, { answer: slowDown });
    expect((await failure(batch("users/a/x"))).name).toBe("SlowDown");
    expect((await failure(listBelow("users/a/x"))).name).toBe("SlowDown");
    await batch("users/b/x");
    await listBelow("users/b/");
  });

  it("together with others: pauses add up, the answer added last counts", async () => {
    const steps: string[] = [];
    fake.faults.add({}, { beforeCommit: () => void steps.push("one"), answer: slowDown });
    fake.faults.add({}, { beforeCommit: () => void steps.push("two"), answer: faultAnswers.internalError });
    expect(await statuses(1)).toBe("InternalError");
    expect(steps).toEqual(["one", "two"]);
  });

  it("only if it makes sense", () => {
    expect(() => fake.faults.add({}, { commit: "never" })).toThrow(TypeError);
    expect(() => fake.faults.add({}, { commit: "late" })).toThrow(/needs an answer/u);
  });
});
