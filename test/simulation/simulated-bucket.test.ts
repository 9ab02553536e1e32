import { describe, expect, it } from "vitest";
import { createRandom } from "./random.ts";
import { SimulatedBucket } from "./simulated-bucket.ts";
import { carryOut, type WireRequest } from "./wire-request.ts";

const object = (text: string) => ({ body: new TextEncoder().encode(text), metadata: {}, contentType: "text/plain" });

function bucketWith(...keys: readonly string[]): SimulatedBucket {
  const bucket = new SimulatedBucket("content", () => 5_500);
  for (const key of keys) bucket.plant(key, object(`${key}\n`));
  return bucket;
}

/** The status that a client sees; 200 for any output. */
function statusOf(bucket: SimulatedBucket, request: WireRequest): unknown {
  const { reply } = carryOut(bucket, request);
  return "output" in reply ? 200 : [Reflect.get(reply.error, "$metadata").httpStatusCode, reply.error.name];
}

const put = (key: string, condition: { ifMatch?: string; ifNoneMatch?: string }): WireRequest => ({
  method: "PUT",
  keys: [key],
  object: object("new\n"),
  condition,
});
const remove = (key: string, condition: { ifMatch?: string }): WireRequest => ({
  method: "DELETE",
  keys: [key],
  condition,
});
const page = (more: object): WireRequest => ({
  method: "LIST",
  keys: [""],
  delimiter: undefined,
  startAfter: "",
  token: "",
  limit: 1_000,
  ...more,
});

function versionsOf(etags: "content" | "unique"): readonly string[] {
  const bucket = new SimulatedBucket(etags, () => 0);
  return ["x", "y", "x"].map((text) => bucket.plant("a", object(text)).version);
}

describe("the simulated bucket answers as S3 does", () => {
  it.each<readonly [string, WireRequest, unknown]>([
    ["PUT if absent, the key exists", put("a", { ifNoneMatch: "*" }), [412, "PreconditionFailed"]],
    ["PUT if absent, the key is missing", put("z", { ifNoneMatch: "*" }), 200],
    ["PUT if unchanged, it is", put("a", { ifMatch: '"c1"' }), 200],
    ["PUT if unchanged, it differs", put("a", { ifMatch: '"c9"' }), [412, "PreconditionFailed"]],
    ["PUT if unchanged, the key is missing", put("z", { ifMatch: '"c1"' }), [404, "NoSuchKey"]],
    ["DELETE if unchanged, it differs", remove("a", { ifMatch: '"c9"' }), [412, "PreconditionFailed"]],
    ["DELETE if unchanged, the key is missing", remove("z", { ifMatch: '"c1"' }), [404, "NoSuchKey"]],
    ["DELETE if it exists, it does", remove("a", { ifMatch: "*" }), 200],
    ["DELETE if it exists, it is missing", remove("z", { ifMatch: "*" }), [404, "NoSuchKey"]],
    ["DELETE without a condition, the key is missing", remove("z", {}), 200],
    ["GET of a missing key", { method: "GET", keys: ["z"] }, [404, "NoSuchKey"]],
    ["HEAD of a missing key", { method: "HEAD", keys: ["z"] }, [404, "NotFound"]],
  ])("%s", (_, request, status) => {
    expect(statusOf(bucketWith("a", "b"), request)).toEqual(status);
  });

  it("answers a batch key by key, in its body", () => {
    const bucket = bucketWith("a", "b");
    const conditions = [{ ifMatch: '"c1"' }, { ifMatch: '"c1"' }, { ifMatch: '"c1"' }];
    const { reply } = carryOut(bucket, { method: "BATCH", keys: ["a", "b", "z"], conditions });
    expect(reply).toEqual({
      output: {
        Deleted: [{ Key: "a" }],
        Errors: [
          { Key: "b", Code: "PreconditionFailed" },
          { Key: "z", Code: "NoSuchKey" },
        ],
      },
    });
    expect(bucket.keys()).toEqual(["b"]);
  });

  it("gives equal bytes equal ETags, or every write a new one", () => {
    expect(versionsOf("content")).toEqual(['"c1"', '"c2"', '"c1"']);
    expect(versionsOf("unique")).toEqual(['"u1"', '"u2"', '"u3"']);
  });

  it("pages a listing, with a token to go on and prefixes that are rolled up", () => {
    const bucket = bucketWith("a", "d/x", "d/y", "e");
    expect(carryOut(bucket, page({ limit: 2 })).reply).toMatchObject({
      output: { Contents: [{ Key: "a" }, { Key: "d/x" }], IsTruncated: true, NextContinuationToken: "d/x" },
    });
    expect(carryOut(bucket, page({ token: "d/x" })).reply).toMatchObject({
      output: { Contents: [{ Key: "d/y" }, { Key: "e" }], IsTruncated: false },
    });
    expect(carryOut(bucket, page({ delimiter: "/", startAfter: "d/x" })).reply).toMatchObject({
      output: { Contents: [{ Key: "e" }], CommonPrefixes: [{ Prefix: "d/" }] },
    });
  });

  it("cuts a page short when told to, and every key is still on one of them", () => {
    const bucket = bucketWith("a", "b", "c", "d", "e");
    const seen: string[] = [];
    let token = "";
    for (let seed = 0; seed < 50; seed++) {
      const { reply } = carryOut(bucket, page({ token }), { kind: "short page", random: createRandom(seed) });
      const { output } = reply as { output: { Contents: { Key: string }[]; NextContinuationToken?: string } };
      seen.push(...output.Contents.map(({ Key }) => Key));
      if (output.NextContinuationToken === undefined) break;
      token = output.NextContinuationToken;
    }
    expect(seen).toEqual(["a", "b", "c", "d", "e"]);
  });
});
