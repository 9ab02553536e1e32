import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import type { ServerStep, Traffic } from "./server-process.ts";
import type { Done, Task } from "./worker-process.ts";

/** The fake S3 in a process of its own. */
export interface Server {
  readonly endpoint: string;
  ask(step: ServerStep): Promise<Traffic>;
  close(): Promise<void>;
}

/** The library in a process of its own. */
export interface Worker {
  run(task: Task): Promise<Done>;
  close(): Promise<void>;
}

export async function startServer(buckets: readonly string[]): Promise<Server> {
  const child = fork(new URL("server-process.ts", import.meta.url), [...buckets], { execArgv: [] });
  const endpoint = (await reply(child)) as string;
  return {
    endpoint,
    ask: async (step) => (await asked(child, step)) as Traffic,
    close: () => ended(child),
  };
}

/** `collects`: garbage is collected after each answer, so that only what is held is counted; its times mean nothing. */
export async function startWorker(endpoint: string, options: { readonly collects?: boolean } = {}): Promise<Worker> {
  const execArgv = options.collects === true ? ["--expose-gc"] : [];
  const child = fork(new URL("worker-process.ts", import.meta.url), [endpoint], { execArgv });
  await reply(child);
  return { run: async (task) => (await asked(child, task)) as Done, close: () => ended(child) };
}

async function asked(child: ChildProcess, message: object): Promise<unknown> {
  const answer = reply(child);
  child.send(message);
  return answer;
}

/** The next message; a process that ends instead has failed. */
async function reply(child: ChildProcess): Promise<unknown> {
  const ends = new AbortController();
  const { signal } = ends;
  try {
    return await Promise.race([
      once(child, "message", { signal }).then(([message]: unknown[]) => message),
      once(child, "exit", { signal }).then(([code]: unknown[]) => {
        throw new Error(`a process of the benchmark ended with ${String(code)}`);
      }),
    ]);
  } finally {
    ends.abort();
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (!child.connected) return;
  const exit = once(child, "exit");
  child.disconnect();
  await exit;
}
