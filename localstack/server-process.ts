import { spawn, type ChildProcess } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endOf, killGroup } from "./process-group.ts";
import { reasonOf, type HealthCheck, type RunningServer } from "./running-server.ts";

/** Where a server runs: its port, and the folder that it works in and that goes with it. */
interface Place {
  readonly port: number;
  readonly folder: string;
}

export interface ServerCommand {
  readonly executable: string;
  readonly args: (place: Place) => readonly string[];
  readonly environment: (place: Place) => Readonly<Record<string, string>>;
  /** Lays files in the server's folder before it starts. */
  readonly prepare?: (folder: string) => Promise<void>;
  readonly health: HealthCheck;
  /** It has things to remove that lie outside its folder: it is asked to end before it is made to. */
  readonly tidiesUp?: true;
  readonly via: string;
}

const startMilliseconds = 120_000;
const tidyMilliseconds = 5_000;

// The server becomes the leader of a process group of its own. Beside it a guard waits for the end
// of its standard input, a pipe that only we hold open: however we end, `kill -9` included, the
// guard then ends the server, its folder and the group, itself last.
const guarded = `
exec 3<&0
(cat <&3 >/dev/null
if [ "$SERVER_TIDIES_UP" ]; then kill -TERM $$; sleep ${tidyMilliseconds / 1000}; fi
kill -KILL $$; rm -rf "$SERVER_FOLDER"; kill -KILL 0) &
exec "$@" </dev/null 3<&-
`;

/** Starts a server on a free loopback port and resolves when it is healthy. */
export async function startProcess(command: ServerCommand): Promise<RunningServer> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "s3-test-server-"));
  await command.prepare?.(folder);
  const log = join(folder, "server.log");
  const output = openSync(log, "w");
  const place = { port, folder };
  const child = spawn("/bin/sh", ["-c", guarded, "sh", command.executable, ...command.args(place)], {
    cwd: folder,
    detached: true,
    stdio: ["pipe", output, output],
    env: {
      ...process.env,
      SERVER_FOLDER: folder,
      SERVER_TIDIES_UP: command.tidiesUp ? "yes" : "",
      PYTHONUNBUFFERED: "1",
      ...command.environment(place),
    },
  });
  closeSync(output);
  const exited = endOf(child);
  const stop = async (): Promise<void> => {
    if (command.tidiesUp && child.kill("SIGTERM")) {
      await Promise.race([exited, sleep(tidyMilliseconds, undefined, { ref: false })]);
    }
    killGroup(child);
    await exited;
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  };
  const endpoint = `http://127.0.0.1:${port}`;
  try {
    await untilHealthy(endpoint, command.health, child);
  } catch (error) {
    const lastLines = readFileSync(log, "utf8").trimEnd().split("\n").slice(-30).join("\n");
    await stop();
    throw new Error(`${reasonOf(error)}; its last words:\n${lastLines}`, { cause: error });
  }
  return { endpoint, via: command.via, log, stop };
}

async function untilHealthy(endpoint: string, health: HealthCheck, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + startMilliseconds;
  for (;;) {
    if (child.exitCode !== null || child.signalCode !== null) {
      throw new Error(`it ended at once (${child.signalCode ?? `exit code ${child.exitCode}`})`);
    }
    try {
      return await health(endpoint);
    } catch (error) {
      if (performance.now() > deadline)
        throw new Error(`it did not become healthy: ${reasonOf(error)}`, { cause: error });
    }
    await sleep(100);
  }
}

// Below the range from which systems take the ports of outgoing connections: between this look and
// the server's own, seconds later, no client's socket takes it.
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 15_000 + Math.floor(Math.random() * 15_000);
    if (await isFree(port)) return port;
  }
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
