import { describe, expect, it } from "vitest";
import { createMemory, createS3Memory, MemoryError } from "../../src/index.ts";
import { inMemoryStore, startFakeS3 } from "../../src/testing/index.ts";
import { testClient } from "../support/test-client.ts";

function fail(): never {
  throw new Error("the operator's own");
}

describe("warm", () => {
  it("opens the connection by one listing of one key", async () => {
    const fake = await startFakeS3({ buckets: ["memory"] });
    const client = testClient(fake.endpoint);
    try {
      const memory = createS3Memory({ bucket: "memory", client, prefix: "agents" });
      await memory.warm();
      expect(fake.requests.operations).toEqual(["ListObjectsV2"]);
      expect([...fake.requests][0]).toMatchObject({ query: { prefix: "agents/users/", "max-keys": "1" } });
    } finally {
      client.destroy();
      await fake.close();
    }
  });

  it("never rejects: a failure goes to onError", async () => {
    const fake = await startFakeS3({ buckets: [] });
    const client = testClient(fake.endpoint);
    const errors: MemoryError[] = [];
    try {
      await createS3Memory({ bucket: "missing", client, onError: (error) => void errors.push(error) }).warm();
      expect(errors.map(({ code, details }) => [code, details.reason])).toEqual([["storage", "NoSuchBucket"]]);
    } finally {
      client.destroy();
      await fake.close();
    }
  });

  it("takes a 403 for an answer: credentials of one user may not list what is above all users", async () => {
    const errors: MemoryError[] = [];
    const onError = (error: MemoryError): void => void errors.push(error);
    const denied = new MemoryError("storage", "Error: denied", { status: 403, reason: "AccessDenied" });
    await createMemory({ store: { ...inMemoryStore(), list: () => Promise.reject(denied) }, onError }).warm();
    expect(errors).toEqual([]);
  });

  it("survives an onError that throws", async () => {
    const store = { ...inMemoryStore(), list: () => Promise.reject(new Error("down")) };
    await expect(createMemory({ store, onError: fail }).warm()).resolves.toBeUndefined();
  });

  it("ends with its caller's abort, which is no failure to report", async () => {
    const errors: MemoryError[] = [];
    const memory = createMemory({ store: inMemoryStore(), onError: (error) => void errors.push(error) });
    await memory.warm({ signal: AbortSignal.abort() });
    expect(errors).toEqual([]);
  });

  it("refuses options that make no sense", async () => {
    const memory = createMemory({ store: inMemoryStore() });
    // @ts-expect-error -- no such option
    await expect(memory.warm({ timeout: 1 })).rejects.toThrow(TypeError);
  });
});
