import { randomUUID } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  DeleteObjectCommand,
  paginateListObjectsV2,
  type S3Client,
} from "@aws-sdk/client-s3";
import { createS3Memory } from "../../src/index.ts";
import { testClient } from "../support/test-client.ts";
import { compileCacheOf, Crew } from "./crew.ts";
import { faultsOfDirectEdits } from "./direct-edits.ts";
import { Journal, type Deed } from "./journal.ts";
import { judge, type Verdict } from "./judge.ts";
import { heading, movingFiles, sharedFiles } from "./places.ts";
import { user, type Plan } from "./plan.ts";
import { isGood } from "./report.ts";

export interface Account extends Verdict {
  readonly plan: Plan;
  readonly deeds: readonly Deed[];
  readonly kills: number;
  readonly milliseconds: number;
}

/**
 * A whole run on one server, in a bucket of its own, which is removed at the end however that comes. The journals
 * stay where something was wrong.
 */
export async function runCampaign(wanted: Omit<Plan, "bucket" | "folder">, signal: AbortSignal): Promise<Account> {
  const folder = mkdtempSync(join(tmpdir(), "s3-memory-stress-"));
  const plan: Plan = { ...wanted, bucket: `stress-${randomUUID()}`, folder };
  const client = testClient(plan.endpoint);
  await client.send(new CreateBucketCommand({ Bucket: plan.bucket }));
  let keepJournals = true;
  try {
    const account = await workAndJudge(plan, client, signal);
    keepJournals = !isGood(account);
    return account;
  } finally {
    if (signal.aborted) keepJournals = false;
    if (keepJournals) console.log(`the journals of the workers: ${folder}`);
    await rm(keepJournals ? compileCacheOf(plan) : folder, { recursive: true, force: true });
    await removeBucket(client, plan.bucket);
    client.destroy();
  }
}

async function workAndJudge(plan: Plan, client: S3Client, signal: AbortSignal): Promise<Account> {
  const started = performance.now();
  await layFiles(plan, client);
  const { kills } = await new Crew(plan, signal).result;
  const deeds = Array.from({ length: plan.processes }, (_, index) => new Journal(plan, index + 1).deeds()).flat();
  const verdict = judge(deeds, await readFiles(plan, client));
  const strays = (await keysOf(client, plan.bucket)).filter((key) => !key.startsWith(`users/${user}/memories/`));
  const faults = [
    ...verdict.faults,
    ...strays.map((key) => `${key} is outside of the scope`),
    ...faultsOfDirectEdits(plan, deeds),
  ];
  return { ...verdict, plan, faults, deeds, kills, milliseconds: performance.now() - started };
}

async function layFiles({ bucket, conditionalDelete }: Plan, client: S3Client): Promise<void> {
  const { files } = createS3Memory({ bucket, client, conditionalDelete }).forUser(user);
  for (const path of conditionalDelete ? [...sharedFiles, ...movingFiles] : sharedFiles) {
    await files.write(path, `${heading}\n`, { ifAbsent: true });
  }
}

/** Through a memory that knows nothing of the run. */
async function readFiles({ bucket, conditionalDelete }: Plan, client: S3Client): Promise<Map<string, string>> {
  const { files } = createS3Memory({ bucket, client, conditionalDelete }).forUser(user);
  const texts = new Map<string, string>();
  for await (const { path } of files.list()) {
    const found = await files.read(path);
    if (found) texts.set(path, found.text);
  }
  return texts;
}

async function keysOf(client: S3Client, bucket: string): Promise<readonly string[]> {
  const keys: string[] = [];
  for await (const page of paginateListObjectsV2({ client }, { Bucket: bucket })) {
    keys.push(...(page.Contents ?? []).map(({ Key = "" }) => Key));
  }
  return keys;
}

async function removeBucket(client: S3Client, bucket: string): Promise<void> {
  for (const key of await keysOf(client, bucket)) {
    await client.send(new DeleteObjectCommand({ Bucket: bucket, Key: key }));
  }
  await client.send(new DeleteBucketCommand({ Bucket: bucket }));
}
