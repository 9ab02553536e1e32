import { Agent } from "node:http";
import { Socket } from "node:net";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { ObjectStore, PutOptions } from "../../src/core/object-store.ts";
import { s3Failure } from "../../src/stores/s3-failures.ts";
import { faultAnswers, startFakeS3, type FakeS3, type FaultAnswer } from "../../src/testing/index.ts";
import { sdks, storeAt } from "../contract/sdks.ts";
import { failureOf } from "../support/failure-of.ts";

const absent: PutOptions = { condition: { kind: "absent" }, metadata: {}, contentType: "text/plain" };
const unchanged: PutOptions = { ...absent, condition: { kind: "unchanged", version: '"v"' } };
const text = new TextEncoder().encode("text");
const wholeFile = { maximumBytes: 1_000_000 };
const exists = { condition: { kind: "exists" } } as const;

function failed(fields: object): Error {
  return Object.assign(new Error("it failed"), fields);
}

/** Every method of a store, as a call that will fail. */
const calls: Readonly<Record<string, (store: ObjectStore) => Promise<unknown>>> = {
  GetObject: (store) => store.get("some/key", wholeFile),
  HeadObject: (store) => store.head("some/key", {}),
  PutObject: (store) => store.put("some/key", text, absent),
  DeleteObject: (store) => store.delete("some/key", exists),
  DeleteObjects: (store) => store.deleteMany([{ key: "some/key", version: '"v"' }], {}),
  ListObjectsV2: (store) => store.list({ prefix: "some/key" }),
};

describe.each(Object.entries(sdks))("A failure of the S3 store with the %s SDK", (_, loadSdk) => {
  let fake: FakeS3;
  let store: ObjectStore;

  beforeAll(async () => {
    fake = await startFakeS3({ buckets: ["memory"] });
    store = await storeAt(fake.endpoint, loadSdk, { bucket: "memory" }, { maxAttempts: 1 });
  });
  beforeEach(() => {
    fake.faults.clear();
    fake.requests.clear();
  });
  afterAll(() => fake.close());

  it.each(Object.entries(calls))("names the operation and the key of %s, and keeps the cause", async (name, call) => {
    fake.faults.add({}, { answer: faultAnswers.accessDenied });
    const error = await failureOf(call(store));
    expect(error.code).toBe("storage");
    expect(error.details).toMatchObject({
      operation: name,
      status: 403,
      requestId: expect.stringContaining("FAKE"),
      effect: "none",
      ...(name === "DeleteObjects" ? {} : { key: "some/key" }),
    });
    expect(error.cause).toMatchObject({ $metadata: { httpStatusCode: 403 } });
  });

  it.each(Object.entries(calls))("tells Claude nothing of the store (%s)", async (_name, call) => {
    const answers = [
      faultAnswers.accessDenied,
      faultAnswers.internalError,
      faultAnswers.permanentRedirect("eu-west-1"),
    ];
    for (const answer of answers) {
      fake.faults.clear();
      fake.faults.add({}, { answer: { ...answer, message: "arn:aws:s3:::memory at 127.0.0.1" } });
      const { message } = await failureOf(call(store));
      expect(message).toMatch(/^Error: The memory is not available/);
      expect(message).not.toMatch(/bucket|some\/key|127\.0|arn:|S3|region|\d{3}/);
    }
  });

  const hints: [string, FaultAnswer, keyof typeof calls, RegExp][] = [
    ["a denied read", faultAnswers.accessDenied, "GetObject", /s3:GetObject, and s3:ListBucket/],
    ["a denied head", faultAnswers.accessDenied, "HeadObject", /s3:GetObject, and s3:ListBucket/],
    ["a denied write", faultAnswers.accessDenied, "PutObject", /s3:PutObject and s3:GetObject/],
    ["a denied delete", faultAnswers.accessDenied, "DeleteObject", /s3:DeleteObject and s3:GetObject/],
    ["a denied batch", faultAnswers.accessDenied, "DeleteObjects", /s3:DeleteObject and s3:GetObject/],
    ["a denied listing", faultAnswers.accessDenied, "ListObjectsV2", /s3:ListBucket/],
    [
      "a denied key of KMS",
      { ...faultAnswers.accessDenied, message: "not authorized to perform: kms:GenerateDataKey" },
      "PutObject",
      /kms:Decrypt and kms:GenerateDataKey/,
    ],
    ["another region", faultAnswers.permanentRedirect("eu-west-1"), "GetObject", /AWS_REGION=eu-west-1/],
    [
      "another region, without a body",
      faultAnswers.permanentRedirect("eu-west-1"),
      "HeadObject",
      /AWS_REGION=eu-west-1/,
    ],
    [
      "another region, known from the signature",
      { status: 400, code: "AuthorizationHeaderMalformed", headers: { "x-amz-bucket-region": "eu-west-1" } },
      "PutObject",
      /AWS_REGION=eu-west-1/,
    ],
    ["another region, unnamed", { status: 400, code: "AuthorizationHeaderMalformed" }, "PutObject", /set AWS_REGION,/],
    ["expired credentials", { status: 400, code: "ExpiredToken" }, "GetObject", /have expired/],
    [
      "unknown credentials",
      { status: 403, code: "InvalidAccessKeyId" },
      "GetObject",
      /does not know these credentials/,
    ],
    ["a wrong secret", { status: 403, code: "SignatureDoesNotMatch" }, "PutObject", /access key, its secret/],
    ["a wrong clock", faultAnswers.requestTimeTooSkewed, "PutObject", /clock of this machine/],
    ["too many requests", faultAnswers.slowDown, "PutObject", /fewer requests/],
    ["no conditional delete", { status: 501, code: "NotImplemented" }, "DeleteObject", /conditionalDelete: false/],
    ["no conditional write", { status: 501, code: "NotImplemented" }, "PutObject", /If-Match, If-None-Match/],
    ["a listing of what is no S3", { status: 404, code: "NoSuchPage" }, "ListObjectsV2", /does not answer as S3/],
  ];
  it.each(hints)("hints at %s", async (_name, answer, operation, hint) => {
    fake.faults.add({}, { answer });
    const { details } = await failureOf(calls[operation]?.(store) ?? Promise.resolve());
    expect(details.hint).toMatch(hint);
    expect(details.effect).toBe(answer.status === 503 ? "unknown" : "none");
  });

  it("is what a missing bucket is: on everything but a HEAD, which cannot tell", async () => {
    const lost = await storeAt(fake.endpoint, loadSdk, { bucket: "no-such-bucket" });
    for (const [name, call] of Object.entries(calls)) {
      if (name === "HeadObject") continue;
      const { details } = await failureOf(call(lost));
      expect(details).toMatchObject({ status: 404, reason: "NoSuchBucket", effect: "none" });
      expect(details.hint).toContain("no bucket no-such-bucket");
    }
    const lostPut = await failureOf(lost.put("k", text, unchanged));
    expect(lostPut.details.reason).toBe("NoSuchBucket");
    const lostDelete = await failureOf(lost.delete("k", { condition: { kind: "unchanged", version: '"v"' } }));
    expect(lostDelete.details.reason).toBe("NoSuchBucket");
    expect(await lost.head("k", {})).toEqual({ outcome: "missing" });
  });

  it("is what a missing access point is, too", async () => {
    fake.faults.add({}, { answer: { status: 404, code: "NoSuchAccessPoint" } });
    expect((await failureOf(store.get("k", wholeFile))).details.reason).toBe("NoSuchAccessPoint");
    expect((await failureOf(store.put("k", text, unchanged))).details.reason).toBe("NoSuchAccessPoint");
  });

  it("says that nothing was sent where the connection is refused", async () => {
    const closed = await startFakeS3();
    await closed.close();
    const nowhere = await storeAt(closed.endpoint, loadSdk, { bucket: "memory" }, { maxAttempts: 1 });
    const { details } = await failureOf(nowhere.put("k", text, absent));
    expect(details).toMatchObject({ reason: "ECONNREFUSED", effect: "none" });
    expect(details.hint).toContain("No connection to the endpoint");
  });

  it("says that nothing was sent where the host has no address", async () => {
    const httpAgent = new Agent({
      lookup: (_host, _options, callback) => callback(failed({ code: "ENOTFOUND", syscall: "getaddrinfo" }), ""),
    });
    const config = { requestHandler: { httpAgent }, maxAttempts: 1 };
    const nowhere = await storeAt("http://s3.invalid", loadSdk, { bucket: "memory" }, config);
    const { details } = await failureOf(nowhere.put("k", text, absent));
    expect(details).toMatchObject({ reason: "ENOTFOUND", effect: "none" });
  });

  it("says that nothing was sent where connecting took too long", async () => {
    const httpAgent = new Agent();
    httpAgent.createConnection = () => Object.assign(new Socket(), { connecting: true });
    const config = { requestHandler: { httpAgent, connectionTimeout: 100 }, maxAttempts: 1 };
    const slow = await storeAt("http://s3.invalid", loadSdk, { bucket: "memory", timeouts: { request: 2000 } }, config);
    const { details } = await failureOf(slow.put("k", text, absent));
    expect(details).toMatchObject({ reason: "TimeoutError", effect: "none" });
    expect(details.hint).toContain("No connection to the endpoint");
  });

  it("is unsettled where the client's own time-out gave up on a write", async () => {
    fake.faults.add({}, { answer: "hang" });
    const requestHandler = { requestTimeout: 100, throwOnRequestTimeout: true };
    const hasty = await storeAt(fake.endpoint, loadSdk, { bucket: "memory" }, { requestHandler, maxAttempts: 1 });
    const { details } = await failureOf(hasty.put("k", text, absent));
    expect(details.effect).toBe("unsettled");
    expect(details.hint).toContain("in the time that the client allows");
  });

  it("hints at credentials that could not be had, and nothing was sent", async () => {
    const error = failed({ name: "CredentialsProviderError" });
    const credentials = (): Promise<never> => Promise.reject(error);
    const anonymous = await storeAt(fake.endpoint, loadSdk, { bucket: "memory" }, { credentials });
    const { details } = await failureOf(anonymous.put("k", text, absent));
    expect(details).toMatchObject({ reason: "CredentialsProviderError", effect: "none" });
    expect(details.hint).toContain("No credentials were found");
    expect(fake.requests).toHaveLength(0);
  });
});

describe("An error without an answer", () => {
  const request = { operation: "PutObject", key: "k", writes: true } as const;
  const state = { bucket: "memory", sent: true, limitMilliseconds: 10_000 };

  it.each([
    ["unknown", "a reset", { name: "TimeoutError", code: "ECONNRESET", syscall: "read" }],
    ["unknown", "a broken pipe", { name: "TimeoutError", code: "EPIPE", syscall: "write" }],
    ["unknown", "anything else", {}],
    ["unsettled", "a time-out of the request", { name: "TimeoutError", code: "ETIMEDOUT" }],
    ["unsettled", "a time-out while reading", { name: "TimeoutError", code: "ETIMEDOUT", syscall: "read" }],
    ["unsettled", "an abort by somebody else", { name: "AbortError" }],
    ["none", "a time-out while connecting", { name: "TimeoutError", code: "ETIMEDOUT", syscall: "connect" }],
    ["none", "a refusal at every address", { name: "AggregateError", code: "ECONNREFUSED", errors: [] }],
    ["none", "a refusal under fetch", { name: "TypeError", cause: { code: "ECONNREFUSED" } }],
    ["none", "a certificate that is not trusted", { code: "DEPTH_ZERO_SELF_SIGNED_CERT" }],
    ["none", "an expired certificate", { code: "CERT_HAS_EXPIRED" }],
  ])("has the effect %s: %s", (effect, _name, fields) => {
    expect(s3Failure(failed(fields), request, state).details.effect).toBe(effect);
  });

  it("has no effect for a read, and none for what was not sent", () => {
    const reset = failed({ code: "ECONNRESET" });
    expect(s3Failure(reset, { operation: "GetObject", writes: false }, state).details.effect).toBe("none");
    expect(s3Failure(reset, request, { ...state, sent: false }).details.effect).toBe("none");
  });

  it("may be carried out where a success could not be read", () => {
    const unreadable = failed({ $response: { statusCode: 200, headers: {} } });
    expect(s3Failure(unreadable, request, state).details).toMatchObject({ status: 200, effect: "unknown" });
  });

  it("is survived where it is not even an error", () => {
    expect(s3Failure("a string", request, state).details).toMatchObject({ reason: "Error", effect: "unknown" });
    expect(s3Failure(undefined, request, state).details).toMatchObject({ reason: "Error" });
  });
});
