import { fork } from "node:child_process";
import { once } from "node:events";
import type { PutObject, ServerStep } from "./server-process.ts";

/** The fake S3 in another process. */
export interface Server {
  readonly endpoint: string;
  /** What lies below the prefix is then exactly this. */
  fill(prefix: string, objects: readonly PutObject[]): Promise<void>;
  /** The operations since the last call, in the order in which they came. */
  operations(): Promise<readonly string[]>;
  close(): void;
}

export async function startServer(): Promise<Server> {
  const child = fork(new URL("server-process.ts", import.meta.url), { execArgv: [] });
  const [endpoint] = (await once(child, "message")) as [string];
  const ask = async (task: ServerStep): Promise<readonly string[]> => {
    child.send(task);
    const [answer] = (await once(child, "message")) as [readonly string[]];
    return answer;
  };
  return {
    endpoint,
    fill: async (prefix, objects) => void (await ask({ step: "fill", prefix, objects })),
    operations: () => ask({ step: "operations" }),
    close: () => child.disconnect(),
  };
}
