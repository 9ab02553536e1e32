import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Queue } from "../../examples/workers/queue.ts";
import { faultAnswers, startFakeS3 } from "../../src/testing/index.ts";
import { bucketVariables, runExample } from "./run-example.ts";

const lastLine = (text: string): string | undefined => text.trimEnd().split("\n").at(-1);

const isGlobexLog = (key: string): boolean => key.endsWith("/globex/log.md");

const queueOf = (...tasks: string[]): Queue<string> =>
  new Queue(tasks, { visibilityMilliseconds: 1000, attempts: 2, onChange: () => undefined });

describe("the workers", () => {
  it("lose and double nothing, though one is killed after its line was written and before it heard so", async () => {
    const { code, stdout, stderr } = await runExample("workers/workers.ts", {});
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(
      /(worker \d) {2}is killed with T-09 in its hands\n[^]*\1 {2}is dead; worker 5 starts in its place\n/u,
    );
    expect(stdout).toMatch(/T-09 hooli, once more/u);
    expect(lastLine(stdout)).toMatch(
      /^25 tasks, \d{2} deliveries to 5 workers, 1 of them killed: 55 edits, 0 lost, 0 doubled$/u,
    );
  });

  it("do the same on a bucket of one's own, and clean up their prefix alone", async () => {
    const s3 = await startFakeS3();
    s3.put("somebody/else.md", "kept");
    const { code, stdout } = await runExample("workers/workers.ts", bucketVariables(s3));
    await s3.close();
    expect(code).toBe(0);
    expect(stdout).toMatch(/^4 workers, the memory of support-desk, bucket memory\n/u);
    expect(lastLine(stdout)).toMatch(/: 55 edits, 0 lost, 0 doubled$/u);
    expect([...s3.objects().keys()]).toEqual(["somebody/else.md"]);
  });

  it("give up what never succeeds, say so, and exit with 1", async () => {
    const s3 = await startFakeS3();
    s3.faults.add({ operation: "PutObject", key: isGlobexLog }, { answer: faultAnswers.accessDenied });
    const { code, stdout, stderr } = await runExample("workers/workers.ts", bucketVariables(s3));
    await s3.close();
    expect(stderr).toMatch(/^T-02 was given up\.$/mu);
    expect(lastLine(stdout)).toMatch(/: 55 edits, 7 lost, 0 doubled$/u);
    expect(code).toBe(1);
  });
});

describe("the queue of the example", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("hands a task out again that was not acknowledged in time", () => {
    const queue = queueOf("a");
    expect(queue.receive()).toMatchObject({ task: "a", attempt: 1 });
    vi.advanceTimersByTime(999);
    expect(queue.receive()).toBeUndefined();
    vi.advanceTimersByTime(1);
    expect(queue.receive()).toMatchObject({ task: "a", attempt: 2 });
  });

  it("does not let a late acknowledgement end what somebody else has", () => {
    const queue = queueOf("a");
    const late = queue.receive();
    vi.advanceTimersByTime(1000);
    queue.receive();
    queue.acknowledge(late?.receipt ?? 0);
    expect(queue.isDone).toBe(false);
  });

  it("is done when everything was acknowledged, and gives up what was handed out too often", () => {
    const queue = queueOf("a", "b");
    queue.acknowledge(queue.receive()?.receipt ?? 0);
    queue.release(queue.receive()?.receipt ?? 0);
    expect(queue.isDone).toBe(false);
    queue.release(queue.receive()?.receipt ?? 0);
    expect(queue.isDone).toBe(true);
    expect(queue.givenUp).toEqual(["b"]);
  });
});
