import { once } from "node:events";
import { S3Client } from "@aws-sdk/client-s3";
import { createS3Memory, type UserMemory } from "../../dist/index.js";
import { counter, countersPath } from "./counters.ts";

/** Several workers of one process, each with a client, a memory and a cache of its own. */

export interface WorkerTask {
  readonly endpoint: string;
  readonly user: string;
  readonly workers: readonly number[];
  /** Each worker edits until then, without a pause of its own. */
  readonly milliseconds: number;
}

/** What one worker did. */
export interface WorkerFigures {
  readonly worker: number;
  readonly done: number;
  readonly doneInTime: number;
  readonly refused: number;
  /** Milliseconds of each edit that was not refused. */
  readonly times: readonly number[];
}

function openMemory(endpoint: string, user: string): UserMemory {
  const client = new S3Client({
    endpoint,
    region: "us-east-1",
    forcePathStyle: true,
    credentials: { accessKeyId: "test", secretAccessKey: "test" },
  });
  return createS3Memory({ bucket: "memory", client }).forUser(user);
}

async function work(memory: UserMemory, worker: number, milliseconds: number): Promise<WorkerFigures> {
  const times: number[] = [];
  let refused = 0;
  let doneInTime = 0;
  const end = performance.now() + milliseconds;
  for (;;) {
    const startedAt = performance.now();
    if (startedAt >= end) break;
    const result = await memory.execute({
      command: "str_replace",
      path: countersPath,
      old_str: counter(worker, times.length),
      new_str: counter(worker, times.length + 1),
    });
    if (result.isError && result.code !== "conflict") throw result.error;
    if (result.isError) refused += 1;
    else times.push(performance.now() - startedAt);
    if (!result.isError && performance.now() < end) doneInTime += 1;
  }
  return { worker, done: times.length, doneInTime, refused, times };
}

async function main(): Promise<void> {
  const [{ endpoint, user, workers, milliseconds }] = (await once(process, "message")) as [WorkerTask];
  const team = workers.map((worker) => ({ worker, memory: openMemory(endpoint, user) }));
  await Promise.all(team.map(({ memory }) => memory.execute({ command: "view", path: countersPath })));
  const go = once(process, "message");
  process.send?.("ready");
  await go;
  process.send?.(await Promise.all(team.map(({ memory, worker }) => work(memory, worker, milliseconds))));
  process.disconnect();
}

await main();
