import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { S3Client } from "@aws-sdk/client-s3";
import { createS3Memory } from "../../dist/index.js";
import { counter, countersPath, countsIn } from "./counters.ts";
import type { WorkerFigures, WorkerTask } from "./worker-process.ts";

/** What a team of real processes did. */
export interface RealFigures {
  readonly workers: number;
  readonly puts: number;
  readonly done: number;
  readonly refused: number;
  readonly perSecond: number;
  /** Milliseconds of each edit that was not refused. */
  readonly times: readonly number[];
  /** Edits of the worker that made fewest, and of the one that made most. */
  readonly fewest: number;
  readonly most: number;
}

export interface Server {
  readonly endpoint: string;
  ask(): Promise<{ readonly puts: number; readonly texts: readonly string[] }>;
  close(): void;
}

const mostProcesses = 4;

function start(file: string, ...values: readonly string[]): ChildProcess {
  return fork(new URL(file, import.meta.url), values, { execArgv: [] });
}

async function messageOf<T>(child: ChildProcess): Promise<T> {
  const [message] = (await once(child, "message")) as [T];
  return message;
}

/** The fake S3 in another process. */
export async function startServer(delay: number): Promise<Server> {
  const child = start("server-process.ts", String(delay));
  return {
    endpoint: await messageOf<string>(child),
    ask: async () => {
      child.send("ask");
      return messageOf(child);
    },
    close: () => child.disconnect(),
  };
}

/** So many workers, spread over a few processes, edit one file until the time is over. Throws where an edit was lost or doubled. */
export async function runRealTeam(server: Server, workers: number, milliseconds: number): Promise<RealFigures> {
  const user = `team-of-${workers}`;
  await layDown(server, user, workers);
  await server.ask(); // from here on it counts anew
  const everybody = Array.from({ length: workers }, (_, worker) => worker);
  const groups = Map.groupBy(everybody, (worker) => worker % mostProcesses);
  const children = [...groups.values()].map((group) => {
    const child = start("worker-process.ts");
    child.send({ endpoint: server.endpoint, user, workers: group, milliseconds } satisfies WorkerTask);
    return child;
  });
  await Promise.all(children.map((child) => messageOf(child)));
  const answers = children.map((child) => messageOf<readonly WorkerFigures[]>(child));
  for (const child of children) child.send("go");
  const figures = (await Promise.all(answers)).flat().toSorted((a, b) => a.worker - b.worker);
  const { puts, texts } = await server.ask();
  const made = figures.map(({ done }) => done);
  if (!texts.some((text) => countsIn(text).join() === made.join())) throw new Error("An edit was lost or doubled.");
  return {
    workers,
    puts,
    done: sum(made),
    refused: sum(figures.map(({ refused }) => refused)),
    perSecond: (sum(figures.map(({ doneInTime }) => doneInTime)) / milliseconds) * 1_000,
    times: figures.flatMap(({ times }) => times),
    fewest: Math.min(...made),
    most: Math.max(...made),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

async function layDown({ endpoint }: Server, user: string, workers: number): Promise<void> {
  const credentials = { accessKeyId: "test", secretAccessKey: "test" };
  const client = new S3Client({ endpoint, region: "us-east-1", forcePathStyle: true, credentials });
  const lines = Array.from({ length: workers }, (_, worker) => counter(worker, 0));
  const memory = createS3Memory({ bucket: "memory", client }).forUser(user);
  const result = await memory.execute({ command: "create", path: countersPath, file_text: lines.join("\n") });
  client.destroy();
  if (result.isError) throw result.error;
}
