import { createServer } from "node:http";
import type { S3Client } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { CopyOptions, CopyResult, ObjectStore } from "../../src/core/object-store.ts";
import type { S3Sdk } from "../../src/stores/s3-requests.ts";
import { s3StoreOn } from "../../src/stores/s3-store.ts";
import { faultAnswers, startFakeS3, storeContract, type FakeS3 } from "../../src/testing/index.ts";
import { sdks, storeAt } from "../contract/sdks.ts";
import { failureOf } from "../support/failure-of.ts";

const absent: CopyOptions = { condition: { kind: "absent" }, metadata: () => ({ id: "new" }), maximumBytes: 1000 };
const unchangedSince = (version: string): CopyOptions => ({ ...absent, condition: { kind: "unchanged", version } });

/** Refusals of stores that say less than AWS. */
const unnamed412 = { status: 412, code: "PreconditionFailed" } as const;
const unnamed404 = { status: 404, code: "NoSuchKey" } as const;

/** A client whose requests end before the network: every HEAD finds something, and every other one succeeds. */
async function clientWithoutNetwork(
  loadSdk: () => Promise<S3Sdk>,
): Promise<{ readonly client: S3Client; readonly sdk: S3Sdk; readonly sent: unknown[] }> {
  const sdk = await loadSdk();
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const client = new sdk.S3Client({ region: "eu-west-1", credentials });
  const sent: unknown[] = [];
  client.middlewareStack.add(
    (_next, { commandName }) =>
      async ({ request }) => {
        const isHead = commandName === "HeadObjectCommand";
        if (!isHead) sent.push(request);
        const output = { ETag: '"e"', ContentLength: 1, CopyObjectResult: { ETag: '"e"' } };
        return { response: {}, output: { $metadata: {}, ...output } };
      },
    { name: "noNetwork", step: "finalizeRequest", priority: "high" },
  );
  return { client, sdk, sent };
}

describe.each(Object.entries(sdks))("A copy on the server with the %s SDK", (_, loadSdk) => {
  let fake: FakeS3;
  let store: ObjectStore;

  beforeAll(async () => {
    fake = await startFakeS3();
    store = await storeAt(fake.endpoint, loadSdk, { bucket: "memory", serverSideCopy: true });
  });
  beforeEach(() => {
    fake.faults.clear();
    fake.requests.clear();
    for (const key of fake.objects().keys()) fake.remove(key);
    fake.put("source", "content", { metadata: { id: "old", other: "x" }, contentType: "text/markdown" });
  });
  afterEach(() => vi.restoreAllMocks());
  afterAll(() => fake.close());

  const copy = (options = absent): Promise<CopyResult> => store.copy("source", "target", options);
  const etag = (key: string): string => fake.objects().get(key)?.etag ?? "";
  const text = (key: string): string | undefined => fake.objects().get(key)?.text;
  const beforeCopy = (act: () => void): void =>
    void fake.faults.add({ operation: "CopyObject" }, { beforeCommit: () => act() });
  /** Answers the copy as a store that names nothing, after something has happened. */
  const refuseCopy = (answer: typeof unnamed412 | typeof unnamed404, act: () => void = () => undefined): void =>
    void fake.faults.add({ operation: "CopyObject" }, { beforeCommit: () => act(), answer });

  describe("demands", () => {
    it("in two requests that the target is absent and the source what was seen, and moves no bytes", async () => {
      expect(await copy()).toMatchObject({ outcome: "written", version: etag("source") });
      expect(fake.requests.operations).toEqual(["HeadObject", "CopyObject"]);
      expect(fake.requests.of("CopyObject")[0]?.conditions).toEqual({
        "if-none-match": "*",
        "x-amz-copy-source-if-match": etag("source"),
      });
    });

    it("that the target is unchanged", async () => {
      fake.put("target", "old");
      const version = etag("target");
      expect(await copy(unchangedSince(version))).toMatchObject({ outcome: "written" });
      expect(text("target")).toBe("content");
      expect(fake.requests.of("CopyObject")[0]?.conditions).toEqual({
        "if-match": version,
        "x-amz-copy-source-if-match": etag("source"),
      });
    });

    it("the same of the second request where the clock was wrong", async () => {
      fake.faults.add({ operation: "CopyObject", times: 1 }, { answer: faultAnswers.requestTimeTooSkewed });
      expect(await copy()).toMatchObject({ outcome: "written" });
      const copies = fake.requests.of("CopyObject");
      expect(copies.map(({ conditions }) => conditions["if-none-match"])).toEqual(["*", "*"]);
    });
  });

  describe("writes", () => {
    it("the caller's metadata alone, and the source's content type", async () => {
      await copy({ ...absent, metadata: (source) => ({ from: `${source.metadata["id"]}:${source.size}` }) });
      expect(fake.objects().get("target")).toMatchObject({
        text: "content",
        metadata: { from: "old:7" },
        contentType: "text/markdown",
      });
    });

    it("the caller's metadata where they equal the source's", async () => {
      await copy({ ...absent, metadata: (source) => source.metadata });
      expect(fake.objects().get("target")?.metadata).toEqual({ id: "old", other: "x" });
      await copy({ ...unchangedSince(etag("target")), metadata: () => ({}) });
      expect(fake.objects().get("target")?.metadata).toEqual({});
    });

    it("nothing where the caller makes no metadata", async () => {
      const source = { size: 7, version: etag("source"), contentType: "text/markdown" };
      expect(await copy({ ...absent, metadata: () => undefined })).toMatchObject({ outcome: "declined", source });
      expect(fake.requests.operations).toEqual(["HeadObject"]);
    });

    it("nothing of a source over maximumBytes, and one that is as large as that", async () => {
      expect(await copy({ ...absent, maximumBytes: 6 })).toMatchObject({
        outcome: "source_too_large",
        source: { size: 7 },
      });
      expect(fake.requests.operations).toEqual(["HeadObject"]);
      expect(await copy({ ...absent, maximumBytes: 7 })).toMatchObject({ outcome: "written" });
    });
  });

  describe("says of the source", () => {
    it("that it is missing, after a GET that would have told of a missing bucket", async () => {
      fake.remove("source");
      expect(await copy()).toEqual({ outcome: "source_missing" });
      expect(fake.requests.operations).toEqual(["HeadObject", "GetObject"]);
      const elsewhere = await storeAt(fake.endpoint, loadSdk, { bucket: "none", serverSideCopy: true });
      expect((await failureOf(elsewhere.copy("source", "target", absent))).details.reason).toBe("NoSuchBucket");
    });

    it("what the GET finds, where it came between the two", async () => {
      const answer = { status: 404, code: "NoSuchKey" };
      fake.faults.add({ operation: "HeadObject", times: 1 }, { answer });
      expect(await copy()).toMatchObject({ outcome: "written", source: { size: 7, metadata: { id: "old" } } });
      expect(text("target")).toBe("content");
    });

    it("nothing but undecided where it has changed since it was seen", async () => {
      beforeCopy(() => fake.put("source", "changed"));
      expect(await copy()).toMatchObject({ outcome: "undecided", source: { size: 7 } });
      fake.put("target", "old");
      fake.put("source", "content");
      expect(await copy(unchangedSince(etag("target")))).toMatchObject({ outcome: "undecided" });
      expect(fake.requests.operations).toEqual(["HeadObject", "CopyObject", "HeadObject", "CopyObject"]);
      expect(text("target")).toBe("old");
    });

    it("that it is missing where it has gone since it was seen", async () => {
      beforeCopy(() => fake.remove("source"));
      expect(await copy()).toEqual({ outcome: "source_missing" });
      fake.put("target", "old");
      fake.put("source", "content");
      expect(await copy(unchangedSince(etag("target")))).toEqual({ outcome: "source_missing" });
      expect(fake.requests.operations).toEqual(["HeadObject", "CopyObject", "HeadObject", "CopyObject"]);
    });
  });

  describe("says of the target", () => {
    it("that it exists, and leaves it", async () => {
      fake.put("target", "old");
      expect(await copy()).toMatchObject({ outcome: "exists", source: { size: 7 } });
      expect(text("target")).toBe("old");
      expect(fake.requests).toHaveLength(2);
    });

    it("that it has changed, and leaves it", async () => {
      fake.put("target", "old");
      expect(await copy(unchangedSince('"0"'))).toMatchObject({ outcome: "changed", source: { size: 7 } });
      expect(text("target")).toBe("old");
      expect(fake.requests).toHaveLength(2);
    });

    it("that it is missing, and leaves it so", async () => {
      expect(await copy(unchangedSince('"0"'))).toMatchObject({ outcome: "missing", source: { size: 7 } });
      expect(text("target")).toBeUndefined();
    });

    it("undecided after a conflict, sent once", async () => {
      fake.faults.add({ operation: "CopyObject" }, { answer: faultAnswers.conditionalRequestConflict });
      expect(await copy()).toMatchObject({ outcome: "undecided" });
      expect(fake.requests.of("CopyObject")).toHaveLength(1);
    });
  });

  describe("where the store does not say whose condition failed, looks at the source", () => {
    it("which is as it was: it was the target's", async () => {
      refuseCopy(unnamed412);
      expect(await copy()).toMatchObject({ outcome: "exists" });
      expect(await copy(unchangedSince('"0"'))).toMatchObject({ outcome: "changed" });
      fake.faults.clear();
      refuseCopy(unnamed404);
      expect(await copy(unchangedSince('"0"'))).toMatchObject({ outcome: "missing" });
    });

    it("which has changed: undecided", async () => {
      refuseCopy(unnamed412, () => fake.put("source", "changed"));
      expect(await copy()).toMatchObject({ outcome: "undecided" });
      fake.faults.clear();
      fake.put("source", "content");
      refuseCopy(unnamed404, () => fake.put("source", "changed"));
      expect(await copy(unchangedSince('"0"'))).toMatchObject({ outcome: "undecided" });
    });

    it("which is gone: missing", async () => {
      for (const answer of [unnamed412, unnamed404]) {
        fake.faults.clear();
        fake.put("source", "content");
        refuseCopy(answer, () => fake.remove("source"));
        expect(await copy(unchangedSince('"0"'))).toEqual({ outcome: "source_missing" });
      }
    });

    it("but not after a 404 of a copy that demanded no target: only the source can be missing", async () => {
      refuseCopy(unnamed404);
      expect(await copy()).toEqual({ outcome: "source_missing" });
      expect(fake.requests).toHaveLength(2);
    });
  });

  describe("fails", () => {
    it("with a hint that names the option where the store cannot copy on a condition", async () => {
      fake.faults.add({ operation: "CopyObject" }, { answer: { status: 501, code: "NotImplemented" } });
      const { code, details } = await failureOf(copy());
      expect(code).toBe("storage");
      expect(details).toMatchObject({ operation: "CopyObject", key: "target", status: 501, effect: "none" });
      expect(details.hint).toContain("serverSideCopy");
    });

    it("with the permissions that are needed where it is denied", async () => {
      fake.faults.add({ operation: "CopyObject" }, { answer: faultAnswers.accessDenied });
      const { details } = await failureOf(copy());
      expect(details).toMatchObject({ status: 403, effect: "none" });
      expect(details.hint).toContain("s3:PutObject and s3:GetObject");
    });

    it("with an unknown effect after 500, 503, an error in a 200 and a lost answer, sent once", async () => {
      const inBody = { ...faultAnswers.internalError, status: 200 };
      for (const answer of [faultAnswers.internalError, faultAnswers.slowDown, inBody, "drop"] as const) {
        for (const commit of ["now", "never"] as const) {
          fake.faults.clear();
          fake.requests.clear();
          fake.remove("target");
          fake.faults.add({ operation: "CopyObject" }, { commit, answer });
          expect((await failureOf(copy())).details).toMatchObject({ operation: "CopyObject", effect: "unknown" });
          expect(fake.requests.of("CopyObject")).toHaveLength(1);
          expect(text("target")).toBe(commit === "now" ? "content" : undefined);
        }
      }
    });

    it("with an unsettled effect where it is not answered in time, or aborted in flight", async () => {
      fake.faults.add({ operation: "CopyObject" }, { answer: "hang" });
      const options = { bucket: "memory", serverSideCopy: true, timeouts: { request: 150 } };
      const hasty = await storeAt(fake.endpoint, loadSdk, options);
      const late = await failureOf(hasty.copy("source", "target", absent));
      expect(late.details).toMatchObject({ operation: "CopyObject", reason: "TimeoutError", effect: "unsettled" });

      const controller = new AbortController();
      beforeCopy(() => controller.abort());
      const aborted = await failureOf(copy({ ...absent, signal: controller.signal }));
      expect(aborted.code).toBe("aborted");
      expect(aborted.details.effect).toBe("unsettled");
    });

    it("with an unknown effect where the answer is without an ETag", async () => {
      const server = createServer((request, response) => {
        const isCopy = request.method === "PUT";
        response.writeHead(200, isCopy ? {} : { etag: '"e"', "content-length": "1" });
        response.end(isCopy ? '<?xml version="1.0"?><CopyObjectResult></CopyObjectResult>' : undefined);
      });
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const address = server.address();
      const endpoint = `http://127.0.0.1:${typeof address === "object" ? address?.port : address}`;
      const strange = await storeAt(endpoint, loadSdk, { bucket: "memory", serverSideCopy: true });
      const { details } = await failureOf(strange.copy("source", "target", absent));
      expect(details).toMatchObject({ operation: "CopyObject", effect: "unknown" });
      server.closeAllConnections();
      server.close();
    });

    it("where the bucket has gone, never taking that for a missing key", async () => {
      fake.faults.add({ operation: "CopyObject" }, { answer: { status: 404, code: "NoSuchBucket" } });
      expect((await failureOf(copy())).details).toMatchObject({ reason: "NoSuchBucket", effect: "none" });
      expect((await failureOf(copy(unchangedSince('"0"')))).details).toMatchObject({ reason: "NoSuchBucket" });
    });

    it("before it sends anything where the condition cannot be put on the request", async () => {
      const { client, sent, sdk } = await clientWithoutNetwork(loadSdk);
      client.middlewareStack.add((next) => (args) => next({ ...args, request: { method: "PUT" } }), {
        name: "otherRequests",
        step: "build",
        priority: "high",
      });
      const strange = s3StoreOn(() => Promise.resolve(sdk), { bucket: "memory", client, serverSideCopy: true });
      expect((await failureOf(strange.copy("source", "target", absent))).details.effect).toBe("none");
      expect(sent).toEqual([]);
    });
  });

  const sources = [
    ["a bucket", "memory", "memory/a%2Bb%20%C3%96%25%2Fc%3Fd"],
    [
      "an access point",
      "arn:aws:s3:eu-west-1:123456789012:accesspoint/agents",
      "arn:aws:s3:eu-west-1:123456789012:accesspoint/agents/object/a%2Bb%20%C3%96%25%2Fc%3Fd",
    ],
  ] as const;
  it.each(sources)("names a source in %s, with its key encoded", async (_name, bucket, expected) => {
    const { client, sent, sdk } = await clientWithoutNetwork(loadSdk);
    const there = s3StoreOn(() => Promise.resolve(sdk), { bucket, client, serverSideCopy: true });
    expect(await there.copy("a+b Ö%/c?d", "target", absent)).toMatchObject({ outcome: "written" });
    const headers: unknown = expect.objectContaining({ "x-amz-copy-source": expected, "if-none-match": "*" });
    expect(sent).toEqual([expect.objectContaining({ headers })]);
  });
});

describe("A store that ignores the conditions of CopyObject on the target", () => {
  it("is found out by the contract suite", async () => {
    const fake = await startFakeS3({ conditionalCopy: false });
    const store = await storeAt(fake.endpoint, sdks.newest, { bucket: "memory", serverSideCopy: true });
    const failed: string[] = [];
    for (const { name, run } of storeContract.filter((contractCase) => /cop(y|ies)/.test(contractCase.name))) {
      await run(store).catch(() => failed.push(name));
    }
    await fake.close();
    expect(failed).toEqual([
      "answers missing, not changed, to a put, a copy and a delete with unchanged on a missing key",
      "does not copy over what is there with absent",
      "copies with unchanged over that version of the target alone",
      "lets exactly one of many concurrent copies to one key win",
    ]);
  });
});
