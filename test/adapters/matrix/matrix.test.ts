import { describe, expect, it } from "vitest";
import { createS3Memory } from "../../../src/index.ts";
import { startFakeS3, type FakeS3, type StoredObject } from "../../../src/testing/index.ts";
import { testClient } from "../../support/test-client.ts";
import { conversations, type Conversation } from "./conversations.ts";
import type { Answer, Driver } from "./driver.ts";
import { direct } from "./drivers/direct.ts";

const drivers: readonly Driver[] = [direct];

const bucket = "agent-memory";
const scope = ["dana", { project: "crm", actor: "Claude für Dana" }] as const;
const below = "users/dana/projects/crm/memories/";

interface Outcome {
  /** For each run and turn, what the model read. */
  readonly answers: readonly (readonly (readonly Answer[])[])[];
  readonly objects: Readonly<Record<string, unknown>>;
}

async function play(driver: Driver, { before = {}, runs }: Conversation): Promise<Outcome> {
  const s3 = await startFakeS3({ buckets: [bucket] });
  try {
    for (const [path, body] of Object.entries(before)) s3.put(below + path, body, { contentType: "text/plain" });
    const memory = createS3Memory({ bucket, client: testClient(s3.endpoint) });
    const answers: (readonly (readonly Answer[])[])[] = [];
    for (const turns of runs) answers.push(await driver.play(memory.forUser(...scope), turns));
    return { answers, objects: contents(s3) };
  } finally {
    await s3.close();
  }
}

/** All that is in the bucket, but for what differs from write to write: times, and the ids of writes. */
function contents(s3: FakeS3): Readonly<Record<string, unknown>> {
  return Object.fromEntries([...s3.objects()].map(([key, object]) => [key, lasting(object)]));
}

function lasting({ bytes, contentType, metadata }: StoredObject): unknown {
  const { "write-ids": writeIds, "moved-from": movedFrom, ...rest } = metadata;
  const writes = writeIds?.split(",").length;
  return { bytes: latin1(bytes), contentType, rest, writes, moved: movedFrom !== undefined };
}

/** The bytes alone, by path below `/memories/`. */
function bytesOf(objects: Outcome["objects"]): unknown {
  return Object.fromEntries(
    Object.entries(objects).map(([key, object]) => [key.replace(below, ""), (object as { bytes: string }).bytes]),
  );
}

const latin1 = (body: string | Uint8Array): string => Buffer.from(body).toString("latin1");

describe("the matrix", () => {
  it("has twenty conversations, each with a name of its own", () => {
    expect(new Set(conversations.map(({ name }) => name)).size).toBe(20);
  });

  it("excuses a way by conversations that there are", () => {
    const excused = drivers.flatMap(({ cannotSay = {} }) => Object.keys(cannotSay));
    expect(conversations.map(({ name }) => name)).toEqual(expect.arrayContaining(excused));
  });
});

describe.each(conversations)("$name", (conversation) => {
  const able = drivers.filter(({ name, cannotSay = {} }) => name !== direct.name && !(conversation.name in cannotSay));
  const unable = drivers.filter((driver) => !able.includes(driver) && driver.name !== direct.name);

  it("leaves these bytes by execute", async () => {
    const { objects } = await play(direct, conversation);
    const expected = Object.entries(conversation.after).map(([path, body]) => [path, latin1(body)]);
    expect(bytesOf(objects)).toEqual(Object.fromEntries(expected));
  });

  it.each(able)("leaves the same bytes and reads the same by $name", async (driver) => {
    const { afterWithoutIds } = conversation;
    if (!driver.passesIds && afterWithoutIds !== undefined) {
      const { objects } = await play(driver, conversation);
      const expected = Object.entries(afterWithoutIds).map(([path, body]) => [path, latin1(body)]);
      expect(bytesOf(objects)).toEqual(Object.fromEntries(expected));
    } else {
      expect(await play(driver, conversation)).toEqual(await play(direct, conversation));
    }
  });

  it.each(unable)("is not for $name, with a reason", ({ cannotSay = {} }) => {
    expect(cannotSay[conversation.name]).toMatch(/^[A-Z].+\.$/);
  });
});
