import { GetObjectCommand, paginateListObjectsV2, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { createS3Memory } from "../../../src/index.ts";
import type { Conversation } from "./conversations.ts";
import type { Answer, Driver } from "./driver.ts";

/** Where conversations are played: each below a prefix of its own. */
export interface Stage {
  readonly client: S3Client;
  readonly bucket: string;
  readonly conditionalDelete?: false;
}

/** All that an object is, but for what differs from write to write: times, and the ids of writes. */
interface Lasting {
  /** Byte by byte, as latin1. */
  readonly bytes: string;
  readonly contentType: string | undefined;
  readonly metadata: Readonly<Record<string, string>>;
  /** How many ids of writes its metadata has. */
  readonly writes: number | undefined;
  readonly moved: boolean;
}

export interface Outcome {
  /** For each run and turn, what the model read. */
  readonly answers: readonly (readonly (readonly Answer[])[])[];
  /** Everything that is left, by its path below `/memories/`; by its whole key where it is anywhere else. */
  readonly objects: Readonly<Record<string, Lasting>>;
}

const scope = ["dana", { project: "crm", actor: "Claude für Dana" }] as const;
let plays = 0;

/** Plays a conversation from an empty prefix. */
export async function play(stage: Stage, driver: Driver, { before = {}, runs }: Conversation): Promise<Outcome> {
  const { client, bucket } = stage;
  const prefix = `play-${(plays += 1)}`;
  const below = `${prefix}/users/dana/projects/crm/memories/`;
  for (const [path, body] of Object.entries(before)) {
    const object = { Bucket: bucket, Key: below + path, Body: body, ContentType: "text/plain" };
    await client.send(new PutObjectCommand(object));
  }
  const memory = createS3Memory({ ...stage, prefix });
  const answers: (readonly (readonly Answer[])[])[] = [];
  for (const turns of runs) answers.push(await driver.play(memory.forUser(...scope), turns));
  const objects: [string, Lasting][] = [];
  for await (const { Contents = [] } of paginateListObjectsV2({ client }, { Bucket: bucket, Prefix: `${prefix}/` })) {
    for (const { Key: key = "" } of Contents) objects.push([key.replace(below, ""), await lasting(stage, key)]);
  }
  return { answers, objects: Object.fromEntries(objects) };
}

async function lasting({ client, bucket }: Stage, key: string): Promise<Lasting> {
  const { Body, ContentType, Metadata = {} } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  const { "write-ids": writeIds, "moved-from": movedFrom, ...metadata } = Metadata;
  return {
    bytes: latin1((await Body?.transformToByteArray()) ?? ""),
    contentType: ContentType,
    metadata,
    writes: writeIds?.split(",").length,
    moved: movedFrom !== undefined,
  };
}

export function latin1(body: string | Uint8Array): string {
  return Buffer.from(body).toString("latin1");
}
