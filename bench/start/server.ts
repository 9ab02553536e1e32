import { fork } from "node:child_process";
import { once } from "node:events";

/** The fake S3 in another process. */
export async function startServer(): Promise<{ readonly endpoint: string; close(): void }> {
  const child = fork(new URL("server-process.ts", import.meta.url), { execArgv: [] });
  const [endpoint] = (await once(child, "message")) as [string];
  return { endpoint, close: () => child.disconnect() };
}
