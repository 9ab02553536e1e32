import type { S3ClientConfig, S3Client } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createS3Memory, s3Store, type MemoryError } from "../../src/index.ts";
import { faultAnswers, startFakeS3, type FakeS3, type Fault } from "../../src/testing/index.ts";
import { testClient } from "../support/test-client.ts";

const commands: readonly object[] = [
  { command: "view", path: "/memories" },
  { command: "view", path: "/memories/a.md" },
  { command: "create", path: "/memories/b.md", file_text: "x" },
  { command: "str_replace", path: "/memories/a.md", old_str: "x", new_str: "y" },
  { command: "insert", path: "/memories/a.md", insert_line: 0, insert_text: "y" },
  { command: "delete", path: "/memories/a.md" },
  { command: "rename", old_path: "/memories/a.md", new_path: "/memories/c.md" },
];

/** What Claude reads, whatever is wrong with the storage. */
const neutral =
  "Error: The memory is not available at the moment. The command itself is not at fault; it may be tried again later.";

describe("what is the operator's fault", () => {
  let fake: FakeS3;
  const clients: S3Client[] = [];
  beforeAll(async () => {
    fake = await startFakeS3({ buckets: ["tenant-memory"] });
  });
  afterEach(() => {
    fake.faults.clear();
    fake.requests.clear();
    for (const client of clients.splice(0)) client.destroy();
  });
  afterAll(() => fake.close());

  const run = async (input: object, options: { bucket?: string; config?: S3ClientConfig; request?: number } = {}) => {
    const heard: MemoryError[] = [];
    const client = testClient(fake.endpoint, options.config);
    clients.push(client);
    const memory = createS3Memory({
      bucket: options.bucket ?? "tenant-memory",
      client,
      onError: (error) => heard.push(error),
      timeouts: { request: options.request ?? 5_000 },
    });
    fake.put("users/acme/memories/a.md", "x", { bucket: "tenant-memory" });
    return { result: await memory.forUser("acme").execute(input), heard };
  };

  const faults: readonly (readonly [string, Fault, RegExp])[] = [
    ["a missing permission", { answer: faultAnswers.accessDenied }, /Access is denied; allow s3:/],
    [
      "a bucket in another region",
      { answer: faultAnswers.permanentRedirect("eu-central-1") },
      /AWS_REGION=eu-central-1/,
    ],
    ["a clock that is wrong", { answer: faultAnswers.requestTimeTooSkewed }, /clock of this machine/],
    ["expired credentials", { answer: { status: 400, code: "ExpiredToken" } }, /credentials have expired/],
    ["an unknown access key", { answer: { status: 403, code: "InvalidAccessKeyId" } }, /access key/],
  ];
  for (const [title, fault, hint] of faults) {
    it.each(commands)(`is told to the operator and not to Claude: ${title}, in %o`, async (input) => {
      fake.faults.add({}, fault);
      const { result, heard } = await run(input);
      expect(result).toMatchObject({ isError: true, code: "storage", content: neutral });
      expect(heard).toHaveLength(1);
      expect(heard[0]?.details.hint).toMatch(hint);
      expect(heard[0]?.details.operation).toMatch(/^(Get|Put|Head|Delete|List)/);
      expect(heard[0]?.details.requestId).toBeTruthy();
      expect(heard[0]?.cause).toBeInstanceOf(Error);
      if (result.isError) expect(result.error).toBe(heard[0]);
      expect(fake.requests.length).toBeLessThanOrEqual(4);
    });
  }

  it.each(commands)("never takes a missing bucket for an empty memory, in %o", async (input) => {
    const { result, heard } = await run(input, { bucket: "other-bucket" });
    expect(result).toMatchObject({ isError: true, code: "storage", content: neutral });
    expect(heard[0]?.details).toMatchObject({ reason: "NoSuchBucket", status: 404 });
    expect(heard[0]?.details.hint).toContain("create it");
  });

  it("names s3:ListBucket where a missing object is answered with 403", async () => {
    fake.faults.add({}, { hidesMissing: true });
    const { result, heard } = await run({ command: "view", path: "/memories/missing.md" });
    expect(result).toMatchObject({ code: "storage" });
    expect(heard[0]?.details.hint).toContain("s3:ListBucket");
  });

  it.each([
    [
      "a write",
      { command: "create", path: "/memories/new.md", file_text: "x" },
      "PutObject",
      /does not support the conditional writes/,
    ],
    ["a delete", { command: "delete", path: "/memories/a.md" }, "DeleteObject", /conditionalDelete: false/],
  ] as const)(
    "names the option or the limit where the store lacks the condition of %s",
    async (_, input, operation, hint) => {
      fake.faults.add({ operation }, { answer: { status: 501, code: "NotImplemented" } });
      const { result, heard } = await run(input);
      expect(result).toMatchObject({ code: "storage", content: neutral });
      expect(heard[0]?.details.hint).toMatch(hint);
      expect(fake.requests.of(operation)).toHaveLength(1);
    },
  );

  it.each([
    [500, "InternalError"],
    [503, "SlowDown"],
  ])(
    "starts no retry storm where every write is answered with %i, and says in the end that it failed",
    async (status, code) => {
      fake.faults.add({ operation: "PutObject" }, { answer: { status, code } });
      const { result, heard } = await run({ command: "create", path: "/memories/storm.md", file_text: "x" });
      expect(result).toMatchObject({ code: "storage", content: neutral });
      expect(heard[0]?.details).toMatchObject({ status, reason: code });
      expect(fake.requests.of("PutObject")).toHaveLength(4);
    },
  );

  it("never sends a write again that timed out, and says that the outcome is unknown", async () => {
    fake.faults.add({ operation: "PutObject" }, { commit: "never", answer: "hang" });
    const { result, heard } = await run(
      { command: "create", path: "/memories/slow.md", file_text: "x" },
      { request: 150 },
    );
    expect(result).toMatchObject({ code: "outcome_unknown" });
    expect(result.content).toContain("view /memories/slow.md again");
    expect(heard[0]?.details).toMatchObject({ operation: "PutObject", effect: "unsettled" });
    expect(fake.requests.of("PutObject")).toHaveLength(1);
  });

  it("finds its own write after a dropped connection, and writes once", async () => {
    fake.faults.add({ operation: "PutObject", times: 1 }, { commit: "now", answer: "drop" });
    const { result, heard } = await run({
      command: "str_replace",
      path: "/memories/a.md",
      old_str: "x",
      new_str: "x and x",
    });
    expect(result).toMatchObject({ isError: false });
    expect(heard).toEqual([]);
    expect(fake.requests.of("PutObject")).toHaveLength(1);
    expect(fake.objects("tenant-memory").get("users/acme/memories/a.md")?.text).toBe("x and x");
  });

  it("case 34: passes the region of a redirect on to the operator alone", async () => {
    fake.faults.add({}, { answer: faultAnswers.permanentRedirect("eu-west-3") });
    const { result, heard } = await run({ command: "view", path: "/memories" });
    expect(result.content).not.toContain("eu-west-3");
    expect(heard[0]?.details.hint).toContain("eu-west-3");
  });

  it("case 33: does not stall with 2 sockets and 100 commands at once, refused and failed ones among them", async () => {
    fake.faults.add({ operation: "GetObject", nth: 20, times: 10 }, { answer: faultAnswers.accessDenied });
    const client = testClient(fake.endpoint, {
      requestHandler: { httpsAgent: { maxSockets: 2 }, httpAgent: { maxSockets: 2 } },
    });
    clients.push(client);
    const memory = createS3Memory({ bucket: "tenant-memory", client, onError: () => undefined }).forUser("busy");
    fake.put("users/busy/memories/big.md", "x".repeat(6 * 1024 * 1024), { bucket: "tenant-memory" });
    fake.put("users/busy/memories/a.md", "x", { bucket: "tenant-memory" });
    const paths = ["/memories/a.md", "/memories/big.md", "/memories/missing.md", "/memories"];
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, index) => memory.execute({ command: "view", path: paths[index % 4] })),
    );
    expect(answers).toHaveLength(100);
    expect(await memory.execute({ command: "view", path: "/memories/a.md" })).toMatchObject({ isError: false });
  });

  it("case 33: lets many calls at once wait for their turn without their time running", async () => {
    fake.faults.add({}, { beforeCommit: 300 });
    const client = testClient(fake.endpoint);
    clients.push(client);
    const memory = createS3Memory({
      bucket: "tenant-memory",
      client,
      timeouts: { request: 2_000 },
      onError: () => undefined,
    });
    const { files } = memory.forUser("crowd");
    // With the SDK's 50 sockets the last of them would wait for 3 s.
    const reads = Array.from({ length: 500 }, (_, index) => files.read(`/memories/${index}`));
    expect(new Set(await Promise.all(reads))).toEqual(new Set([undefined]));
  });

  it("ends a call that waits for its turn as soon as its signal is aborted", async () => {
    const gate = Promise.withResolvers<void>();
    fake.faults.add({ operation: "GetObject" }, { beforeCommit: () => gate.promise });
    const client = testClient(fake.endpoint);
    clients.push(client);
    const { files } = createS3Memory({ bucket: "tenant-memory", client }).forUser("crowd");
    const reads = Array.from({ length: 40 }, (_, index) => files.read(`/memories/${index}`));
    const abort = new AbortController();
    const late = files.read("/memories/late", { signal: abort.signal });
    abort.abort();
    await expect(late).rejects.toMatchObject({ code: "aborted", details: { effect: "none" } });
    gate.resolve();
    await Promise.all(reads);
  });

  it("lets no call wait for its turn whose signal is aborted, and gives every place back", async () => {
    let gate = Promise.withResolvers<void>();
    fake.faults.add({ operation: "GetObject" }, { beforeCommit: () => gate.promise });
    const client = testClient(fake.endpoint);
    clients.push(client);
    const store = s3Store({ bucket: "tenant-memory", client });
    const get = (key: string, signal?: AbortSignal): Promise<unknown> =>
      store.get(key, { maximumBytes: 1, ...(signal && { signal }) });
    for (const round of ["first", "second"]) {
      const reads = Array.from({ length: 60 }, (_, index) => get(`${round}${index}`));
      const abort = new AbortController();
      const late = get("late", abort.signal);
      await vi.waitFor(() => expect(fake.requests.of("GetObject").length % 60).toBe(40));
      abort.abort();
      await expect(late).rejects.toMatchObject({ code: "aborted", details: { effect: "none" } });
      await expect(get("later", AbortSignal.abort())).rejects.toMatchObject({ code: "aborted" });
      gate.resolve();
      expect(await Promise.all(reads)).toEqual(Array.from({ length: 60 }, () => ({ outcome: "missing" })));
      gate = Promise.withResolvers();
    }
  });
});
