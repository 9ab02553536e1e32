import { createServer, type RequestListener, type Server } from "node:http";
import { PassThrough, Readable } from "node:stream";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import type { MemoryErrorDetails } from "../../src/errors.ts";
import type { ObjectStore, PutOptions } from "../../src/core/object-store.ts";
import { s3StoreOn } from "../../src/stores/s3-store.ts";
import { faultAnswers, startFakeS3, type FakeS3 } from "../../src/testing/index.ts";
import { sdks, storeAt } from "../contract/sdks.ts";
import { failureOf } from "../support/failure-of.ts";

const absent: PutOptions = { condition: { kind: "absent" }, metadata: {}, contentType: "text/plain" };
const text = new TextEncoder().encode("text");
const wholeFile = { maximumBytes: 1_000_000 };
const exists = { condition: { kind: "exists" } } as const;

async function detailsOf(call: Promise<unknown>): Promise<MemoryErrorDetails> {
  return (await failureOf(call)).details;
}

/** How a batch tells of a key that failed. */
function batchFailure(reason: string, effect: string): object {
  return { outcome: "failed", error: { code: "storage", details: { operation: "DeleteObjects", reason, effect } } };
}

const servers: Server[] = [];

/** A server that answers as no S3 would, for what the fake cannot do. */
async function rawServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : address}`;
}

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

describe.each(Object.entries(sdks))("The S3 store with the %s SDK", (_, loadSdk) => {
  let fake: FakeS3;
  let store: ObjectStore;

  beforeAll(async () => {
    fake = await startFakeS3();
    store = await storeAt(fake.endpoint, loadSdk, { bucket: "memory", timeouts: { request: 2000 } });
  });
  beforeEach(() => {
    fake.faults.clear();
    fake.requests.clear();
    for (const key of fake.objects().keys()) fake.remove(key);
  });
  afterAll(() => fake.close());

  describe("sends a write once", () => {
    const writes: [string, (target: ObjectStore) => Promise<unknown>][] = [
      ["PutObject", (target) => target.put("k", text, absent)],
      ["DeleteObject", (target) => target.delete("k", exists)],
      ["DeleteObjects", (target) => target.deleteMany([{ key: "k", version: '"v"' }], {})],
    ];

    it.each(writes)("%s is answered with 500 or 503: one request, the effect is unknown", async (_name, write) => {
      for (const answer of [faultAnswers.internalError, faultAnswers.slowDown]) {
        fake.requests.clear();
        fake.faults.clear();
        fake.faults.add({}, { answer });
        const details = await detailsOf(write(store));
        expect(details).toMatchObject({ status: answer.status, reason: answer.code, effect: "unknown" });
        expect(fake.requests).toHaveLength(1);
      }
    });

    it.each(writes)("%s loses its answer: one request, the effect is unknown", async (_name, write) => {
      fake.faults.add({}, { answer: "drop" });
      expect(await detailsOf(write(store))).toMatchObject({ reason: "ECONNRESET", effect: "unknown" });
      expect(fake.requests).toHaveLength(1);
    });

    it.each(writes)("%s is never answered: one request, the effect is unsettled", async (operation, write) => {
      fake.faults.add({}, { answer: "hang" });
      const hasty = await storeAt(fake.endpoint, loadSdk, { bucket: "memory", timeouts: { request: 150 } });
      const error = await failureOf(write(hasty));
      expect(error.code).toBe("storage");
      expect(error.details).toMatchObject({ operation, reason: "TimeoutError", effect: "unsettled" });
      expect(error.details.hint).toContain("150 ms");
      expect(fake.requests).toHaveLength(1);
    });

    it.each(writes)("%s is aborted in flight: aborted, the effect is unsettled", async (_name, write) => {
      const controller = new AbortController();
      fake.faults.add({}, { beforeCommit: () => controller.abort(), answer: "hang" });
      const { signal } = controller;
      const abortable: ObjectStore = {
        ...store,
        put: (key, body, options) => store.put(key, body, { ...options, signal }),
        delete: (key, options) => store.delete(key, { ...options, signal }),
        deleteMany: (objects) => store.deleteMany(objects, { signal }),
      };
      const error = await failureOf(write(abortable));
      expect(error.code).toBe("aborted");
      expect(error.details.effect).toBe("unsettled");
    });

    it("but once more where the clock was wrong, for that request was refused", async () => {
      fake.faults.add({ times: 1 }, { answer: faultAnswers.requestTimeTooSkewed });
      expect(await store.put("k", text, absent)).toMatchObject({ outcome: "written" });
      expect(fake.requests).toHaveLength(2);
    });

    it("and not a third time where the clock stays wrong", async () => {
      fake.faults.add({}, { answer: faultAnswers.requestTimeTooSkewed });
      const details = await detailsOf(store.put("k", text, absent));
      expect(details).toMatchObject({ status: 403, effect: "none", hint: expect.stringContaining("clock") });
      expect(fake.requests).toHaveLength(2);
    });
  });

  describe("reads", () => {
    it("again what was answered with 503 or lost", async () => {
      fake.put("k", "text");
      fake.faults.add({ times: 1 }, { answer: faultAnswers.slowDown });
      fake.faults.add({ nth: 2, times: 1 }, { answer: "drop" });
      expect(await store.get("k", wholeFile)).toMatchObject({ outcome: "found" });
      expect(fake.requests).toHaveLength(3);
    });

    it("within the time limit, retries and their pauses included", async () => {
      fake.faults.add({}, { answer: "hang" });
      const hasty = await storeAt(fake.endpoint, loadSdk, { bucket: "memory", timeouts: { request: 150 } });
      const calls = [hasty.get("k", wholeFile), hasty.head("k", {}), hasty.list({ prefix: "" })];
      for (const call of calls) {
        expect(await detailsOf(call)).toMatchObject({ reason: "TimeoutError", effect: "none" });
      }
      fake.faults.clear();
      fake.faults.add({}, { answer: faultAnswers.slowDown });
      const patient = { maxAttempts: 50 };
      const stubborn = await storeAt(fake.endpoint, loadSdk, { bucket: "memory", timeouts: { request: 300 } }, patient);
      const started = Date.now();
      expect(await detailsOf(stubborn.get("k", wholeFile))).toMatchObject({ reason: "TimeoutError", effect: "none" });
      expect(Date.now() - started).toBeLessThan(2000);
    });

    it("a body within the time limit, though its head came at once", async () => {
      const endpoint = await rawServer((_request, response) => {
        response.writeHead(200, { etag: '"e"', "content-length": "100" });
        response.write("the beginning");
      });
      const hasty = await storeAt(endpoint, loadSdk, { bucket: "memory", timeouts: { request: 150 } });
      expect(await detailsOf(hasty.get("k", wholeFile))).toMatchObject({ reason: "TimeoutError", effect: "none" });
    });

    it("a body until the caller's signal is aborted", async () => {
      const controller = new AbortController();
      const endpoint = await rawServer((_request, response) => {
        response.writeHead(200, { etag: '"e"', "content-length": "100" });
        response.write("the beginning", () => setTimeout(() => controller.abort(), 20));
      });
      const reading = await storeAt(endpoint, loadSdk, { bucket: "memory" });
      const error = await failureOf(reading.get("k", { ...wholeFile, signal: controller.signal }));
      expect([error.code, error.details.effect]).toEqual(["aborted", "none"]);
    });

    it("a body that breaks off as a failure, never as a shorter one", async () => {
      const endpoint = await rawServer((_request, response) => {
        response.writeHead(200, { etag: '"e"', "content-length": "100" });
        response.write("the beginning", () => response.destroy());
      });
      const reading = await storeAt(endpoint, loadSdk, { bucket: "memory" });
      const error = await failureOf(reading.get("k", wholeFile));
      expect([error.code, error.details.effect]).toEqual(["storage", "none"]);
    });

    it.each(["with", "without"])("no more than it must of a large object %s a Content-Length", async (length) => {
      const size = 64 * 1024 * 1024;
      let sent = 0;
      const closed = Promise.withResolvers<void>();
      const endpoint = await rawServer((_request, response) => {
        response.on("close", closed.resolve);
        response.writeHead(200, { etag: '"e"', ...(length === "with" ? { "content-length": String(size) } : {}) });
        const chunk = Buffer.alloc(65_536);
        const write = (): void => {
          while (sent < size && !response.destroyed) {
            sent += chunk.byteLength;
            if (!response.write(chunk)) {
              response.once("drain", write);
              return;
            }
          }
        };
        write();
      });
      const reading = await storeAt(endpoint, loadSdk, { bucket: "memory" });
      // With a Content-Length not even as much as would be allowed is read.
      const maximumBytes = length === "with" ? size / 2 : 1_000_000;
      expect(await reading.get("k", { maximumBytes })).toMatchObject({ outcome: "too_large", version: '"e"' });
      await closed.promise;
      expect(sent).toBeLessThan(size / 4);
    });

    it("no byte of a large object with a checksum, and leaves no error that would end the process", async () => {
      const endpoint = await rawServer((_request, response) => {
        response.writeHead(200, { etag: '"e"', "content-length": "5", "x-amz-checksum-crc32": "y/U6HA==" });
        response.end("12345");
      });
      const reading = await storeAt(endpoint, loadSdk, { bucket: "memory" });
      for (let count = 0; count < 20; count += 1) {
        expect(await reading.get("k", { maximumBytes: 4 })).toMatchObject({ outcome: "too_large", size: 5 });
      }
      expect(await reading.get("k", { maximumBytes: 5 })).toMatchObject({ outcome: "found" });
      // An uncaught error would come a moment later; the test runner fails on it.
      await new Promise((resolve) => setTimeout(resolve, 50));
    });

    it("no more of a large object where the SDK's body keeps its end to itself", async () => {
      const closed = Promise.withResolvers<void>();
      const endpoint = await rawServer((_request, response) => {
        response.on("close", closed.resolve);
        response.writeHead(200, { etag: '"e"', "content-length": "50000000" });
        response.write(Buffer.alloc(65_536));
      });
      const sdk = await loadSdk();
      const credentials = { accessKeyId: "test", secretAccessKey: "test" };
      const client = new sdk.S3Client({ endpoint, region: "us-east-1", credentials, forcePathStyle: true });
      client.middlewareStack.add(
        (next) => async (args) => {
          const result = await next(args);
          if (result.output !== undefined && "Body" in result.output && result.output.Body instanceof Readable) {
            Object.assign(result.output, { Body: result.output.Body.pipe(new PassThrough()) });
          }
          return result;
        },
        { step: "deserialize", priority: "high" },
      );
      const reading = s3StoreOn(loadSdk, { bucket: "memory", client });
      expect(await reading.get("k", wholeFile)).toMatchObject({ outcome: "too_large" });
      await closed.promise;
    });

    it("keys with control characters, which XML could not carry", async () => {
      fake.put("a\u0001\n+ %b", "text");
      const { objects } = await store.list({ prefix: "a\u0001" });
      expect(objects.map(({ key }) => key)).toEqual(["a\u0001\n+ %b"]);
      expect(fake.requests.of("ListObjectsV2")[0]?.query).toMatchObject({ "encoding-type": "url" });
    });

    it("many objects over few sockets: none is held by a body nobody reads", async () => {
      fake.put("small", "text");
      fake.put("large", "x".repeat(2_000_000));
      const narrow = await storeAt(
        fake.endpoint,
        loadSdk,
        { bucket: "memory", timeouts: { request: 20_000 } },
        { requestHandler: { httpAgent: { maxSockets: 2, keepAlive: true } } },
      );
      const keys = Array.from({ length: 200 }, (_unused, index) => ["small", "large", "missing"][index % 3] ?? "");
      const results = await Promise.all(keys.map((key) => narrow.get(key, { maximumBytes: 1000 })));
      const outcomes = { small: "found", large: "too_large", missing: "missing" } as Record<string, string>;
      expect(results.map(({ outcome }) => outcome)).toEqual(keys.map((key) => outcomes[key]));
    });

    it("ETags without quotes and weak ones as the versions that a condition takes", async () => {
      const etags = ["abc", "W/abc", 'W/"abc"', '"abc"'];
      const endpoint = await rawServer((_request, response) => {
        response.writeHead(200, { etag: etags.shift() ?? "", "content-length": "0" }).end();
      });
      const reading = await storeAt(endpoint, loadSdk, { bucket: "memory" });
      for (let count = 0; count < 4; count += 1) {
        expect(await reading.head("k", {})).toMatchObject({ version: '"abc"' });
      }
    });

    it("keys as they are where the store does not encode a listing as it was asked to", async () => {
      const endpoint = await rawServer((_request, response) => {
        response.end(
          "<ListBucketResult><IsTruncated>false</IsTruncated><Contents><Key>1+1 100%</Key><Size>1</Size>" +
            "<ETag>abc</ETag><LastModified>2026-01-02T03:04:05.000Z</LastModified></Contents></ListBucketResult>",
        );
      });
      const reading = await storeAt(endpoint, loadSdk, { bucket: "memory" });
      const { objects } = await reading.list({ prefix: "" });
      expect(objects).toEqual([
        { key: "1+1 100%", size: 1, version: '"abc"', modified: new Date("2026-01-02T03:04:05Z") },
      ]);
    });
  });

  describe("sends", () => {
    it("a copy as GET and conditional PUT, never as CopyObject", async () => {
      fake.put("source", "text", { contentType: "text/markdown" });
      await store.copy("source", "target", { condition: { kind: "absent" }, metadata: () => ({}), maximumBytes: 1000 });
      expect(fake.requests.operations).toEqual(["GetObject", "PutObject"]);
      expect(fake.requests.of("PutObject")[0]?.conditions).toEqual({ "if-none-match": "*" });
    });

    it("one request for each call, and every write with its condition", async () => {
      const put = await store.put("k", text, absent);
      const version = put.outcome === "written" ? put.version : "";
      await store.put("k", text, { ...absent, condition: { kind: "unchanged", version } });
      await store.get("k", wholeFile);
      await store.head("k", {});
      await store.list({ prefix: "k" });
      await store.deleteMany([{ key: "k", version }], {});
      await store.delete("k", exists);
      await store.delete("k", { condition: { kind: "unchanged", version } });
      expect([...fake.requests].map(({ operation, conditions }) => [operation, conditions])).toEqual([
        ["PutObject", { "if-none-match": "*" }],
        ["PutObject", { "if-match": version }],
        ["GetObject", {}],
        ["HeadObject", {}],
        ["ListObjectsV2", {}],
        ["DeleteObjects", {}],
        ["DeleteObject", { "if-match": "*" }],
        ["DeleteObject", { "if-match": version }],
      ]);
      expect(fake.requests.of("DeleteObjects")[0]?.batch).toMatchObject([{ key: "k", etag: version }]);
    });

    it("nothing for a signal that was aborted before, and nothing for an empty batch", async () => {
      const signal = AbortSignal.abort();
      expect((await failureOf(store.put("k", text, { ...absent, signal }))).code).toBe("aborted");
      await store.deleteMany([], {});
      expect(fake.requests).toHaveLength(0);
    });

    it("nothing after an abort while the credentials were awaited, though the HTTP handler ignores it", async () => {
      const controller = new AbortController();
      const credentials = async (): Promise<{ accessKeyId: string; secretAccessKey: string }> => {
        controller.abort();
        await new Promise((resolve) => setTimeout(resolve, 20));
        return { accessKeyId: "test", secretAccessKey: "test" };
      };
      const handle = vi.fn(() => Promise.reject(new Error("it was sent")));
      const requestHandler = { handle, updateHttpClientConfig: () => undefined, httpHandlerConfigs: () => ({}) };
      const slow = await storeAt(fake.endpoint, loadSdk, { bucket: "memory" }, { credentials, requestHandler });
      const error = await failureOf(slow.put("k", text, { ...absent, signal: controller.signal }));
      await new Promise((resolve) => setTimeout(resolve, 60));
      expect([error.code, error.details.effect]).toEqual(["aborted", "none"]);
      expect(handle).not.toHaveBeenCalled();
    });

    it("nothing after an abort while the SDK was loaded, whatever the client makes of the signal", async () => {
      const controller = new AbortController();
      const sdk = await loadSdk();
      const client = new sdk.S3Client({});
      const send = vi.spyOn(client, "send");
      const load = async (): Promise<typeof sdk> => {
        controller.abort();
        await new Promise((resolve) => setTimeout(resolve, 10));
        return sdk;
      };
      const loading = s3StoreOn(load, { bucket: "memory", client });
      const error = await failureOf(loading.put("k", text, { ...absent, signal: controller.signal }));
      await new Promise((resolve) => setTimeout(resolve, 30));
      expect([error.code, error.details.effect]).toEqual(["aborted", "none"]);
      expect(send).not.toHaveBeenCalled();
    });

    it("and lets go of the caller's signal when it is done", async () => {
      const { signal } = new AbortController();
      const added = vi.spyOn(signal, "addEventListener");
      const removed = vi.spyOn(signal, "removeEventListener");
      await store.put("k", text, { ...absent, signal });
      const left = added.mock.calls.map(([, listener]) => listener);
      const gone = removed.mock.calls.map(([, listener]) => listener);
      expect(left.length).toBeGreaterThan(0);
      expect(gone).toEqual(expect.arrayContaining(left));
    });
  });

  describe("answers undecided", () => {
    it("to a put, a copy and a delete that raced", async () => {
      fake.put("source", "text");
      fake.faults.add({ method: "PUT" }, { answer: faultAnswers.conditionalRequestConflict });
      fake.faults.add({ method: "DELETE" }, { answer: { status: 409, code: "OperationAborted" } });
      const copy = { condition: { kind: "absent" }, metadata: () => ({}), maximumBytes: 1000 } as const;
      expect(await store.put("k", text, absent)).toEqual({ outcome: "undecided" });
      expect(await store.copy("source", "k", copy)).toMatchObject({ outcome: "undecided" });
      expect(await store.delete("k", exists)).toEqual({ outcome: "undecided" });
    });

    it("for a key of a batch, and tells what else befell the others", async () => {
      const codes: Readonly<Record<string, string>> = {
        conflict: "ConditionalRequestConflict",
        aborted: "OperationAborted",
        denied: "AccessDenied",
        broken: "InternalError",
      };
      const keys = ["fine", ...Object.keys(codes)];
      for (const key of keys) fake.put(key, "text");
      const { objects } = await store.list({ prefix: "" });
      fake.faults.add(
        { operation: "DeleteObjects" },
        { keyErrors: (key) => (codes[key] === undefined ? undefined : { code: codes[key], message: "" }) },
      );
      const results = await store.deleteMany(
        keys.map((key) => ({ key, version: objects.find((listed) => listed.key === key)?.version ?? "" })),
        {},
      );
      expect(results).toMatchObject([
        { outcome: "deleted" },
        { outcome: "undecided" },
        { outcome: "undecided" },
        batchFailure("AccessDenied", "none"),
        batchFailure("InternalError", "unknown"),
      ]);
    });
  });

  describe("deletes with exists on a store that answers 412 to If-Match: *", () => {
    beforeEach(() => {
      fake.faults.add({ method: "DELETE" }, { answer: { status: 412, code: "PreconditionFailed" } });
    });

    it("as missing where nothing is there", async () => {
      expect(await store.delete("k", exists)).toEqual({ outcome: "missing" });
    });

    it("as the operator's fault where something is there", async () => {
      fake.put("k", "text");
      const details = await detailsOf(store.delete("k", exists));
      expect(details.hint).toContain("conditionalDelete: false");
      expect(details.effect).toBe("none");
    });
  });

  describe("without conditional deletes", () => {
    let checked: ObjectStore;

    beforeAll(async () => {
      checked = await storeAt(fake.endpoint, loadSdk, {
        bucket: "memory",
        conditionalDelete: false,
        timeouts: { request: 2000 },
      });
    });

    it("checks the version by HEAD, then deletes plainly", async () => {
      fake.put("k", "text");
      const stale = { kind: "unchanged", version: '"stale"' } as const;
      expect(await checked.delete("k", { condition: stale })).toEqual({ outcome: "changed" });
      expect(await checked.delete("k", exists)).toEqual({ outcome: "deleted" });
      expect(fake.requests.operations).toEqual(["HeadObject", "HeadObject", "DeleteObject"]);
      expect(fake.requests.of("DeleteObject")[0]?.conditions).toEqual({});
    });

    it("works on at most eight keys of a batch at a time", async () => {
      for (let index = 0; index < 40; index += 1) fake.put(`k${index}`, "text");
      const { objects } = await checked.list({ prefix: "" });
      let inFlight = 0;
      let most = 0;
      fake.faults.add(
        {},
        {
          beforeCommit: async () => {
            inFlight += 1;
            most = Math.max(most, inFlight);
            await new Promise((resolve) => setTimeout(resolve, 20));
            inFlight -= 1;
          },
        },
      );
      const results = await checked.deleteMany(objects, {});
      expect(results.every(({ outcome }) => outcome === "deleted")).toBe(true);
      expect(most).toBeLessThanOrEqual(8);
      expect(most).toBeGreaterThan(2);
    });

    it("gives a batch up at the first key that is not answered", async () => {
      for (let index = 0; index < 40; index += 1) fake.put(`k${String(index).padStart(2, "0")}`, "text");
      const { objects } = await checked.list({ prefix: "" });
      fake.faults.add({ method: "DELETE", nth: 3 }, { commit: "never", answer: "drop" });
      const results = await checked.deleteMany(objects, {});
      expect(results.filter(({ outcome }) => outcome === "deleted")).toHaveLength(2);
      expect(fake.requests.of("DeleteObject").length).toBeLessThanOrEqual(2 + 8);
    });

    it("goes on after a key that was refused", async () => {
      for (const key of ["a", "b", "c"]) fake.put(key, "text");
      const { objects } = await checked.list({ prefix: "" });
      fake.faults.add({ method: "DELETE", key: "b" }, { answer: faultAnswers.accessDenied });
      const results = await checked.deleteMany(objects, {});
      expect(results.map(({ outcome }) => outcome)).toEqual(["deleted", "failed", "deleted"]);
    });

    it("throws aborted, unsettled, where some keys of a batch were deleted before", async () => {
      for (let index = 0; index < 40; index += 1) fake.put(`k${index}`, "text");
      const { objects } = await checked.list({ prefix: "" });
      const controller = new AbortController();
      fake.faults.add({ method: "HEAD", nth: 20 }, { beforeCommit: () => controller.abort() });
      const error = await failureOf(checked.deleteMany(objects, { signal: controller.signal }));
      expect([error.code, error.details.effect]).toEqual(["aborted", "unsettled"]);
      expect(fake.objects().size).toBeLessThan(40);
    });

    it("throws for a missing bucket, which a HEAD alone would call a missing object", async () => {
      const lost = await storeAt(fake.endpoint, loadSdk, { bucket: "no-such-bucket", conditionalDelete: false });
      expect(await detailsOf(lost.delete("k", exists))).toMatchObject({ reason: "NoSuchBucket" });
      const many = lost.deleteMany([{ key: "k", version: '"v"' }], {});
      expect(await detailsOf(many)).toMatchObject({ reason: "NoSuchBucket", effect: "none" });
    });
  });

  describe("loads the SDK", () => {
    it("at the first request, once, and makes one client with time-outs", async () => {
      const sdk = await loadSdk();
      const configs: unknown[] = [];
      const here = { endpoint: fake.endpoint, region: "us-east-1", forcePathStyle: true };
      const credentials = { accessKeyId: "test", secretAccessKey: "test" };
      const S3Client = new Proxy(sdk.S3Client, {
        construct: (target, [config]: [object]) => {
          configs.push(config);
          return new target({ ...config, ...here, credentials });
        },
      });
      const load = vi.fn(() => Promise.resolve({ ...sdk, S3Client }));
      const lazy = s3StoreOn(load, { bucket: "memory", timeouts: { connect: 1234 } });
      expect(load).not.toHaveBeenCalled();
      await Promise.allSettled([lazy.head("a", {}), lazy.head("b", {}), lazy.list({ prefix: "" })]);
      await lazy.head("c", {}).catch(() => undefined);
      expect(load).toHaveBeenCalledTimes(1);
      expect(configs).toEqual([
        { requestHandler: { connectionTimeout: 1234, requestTimeout: 10_000, throwOnRequestTimeout: true } },
      ]);
    });

    it("again at the next request where it could not be loaded, and says what to install", async () => {
      const missing = Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
      const load = vi.fn(loadSdk).mockRejectedValueOnce(missing);
      const lazy = s3StoreOn(load, { bucket: "memory", client: new (await loadSdk()).S3Client({}) });
      const details = await detailsOf(lazy.put("k", text, absent));
      expect(details).toMatchObject({ effect: "none", hint: expect.stringContaining("npm install") });
      await lazy.put("k", text, { ...absent, signal: AbortSignal.abort() }).catch(() => undefined);
      expect(load).toHaveBeenCalledTimes(2);
    });
  });
});
