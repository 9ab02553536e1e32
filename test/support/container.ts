import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { createWriteStream, mkdtempSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { StartedTestContainer } from "testcontainers";
import { localStackVersion } from "../../localstack/host-mode.ts";
import { endOf, killGroup } from "../../localstack/process-group.ts";
import { localStackHealth, reasonOf, type RunningServer } from "../../localstack/running-server.ts";
import { containerLabel } from "./remove-containers.ts";

const image = `localstack/localstack:${localStackVersion}`;
const port = 4566;

/**
 * LocalStack in a container of its own. Throws where no engine is reachable or the image cannot be had.
 * Testcontainers' own reaper is not used: its image would be one more to pull. A guard of ours does the same.
 */
export async function startLocalStackContainer(): Promise<RunningServer> {
  // Loaded here, not above: it takes half a second, and most runs of a few tests don't need it.
  const { GenericContainer, Wait, getContainerRuntimeClient } = await import("testcontainers");
  await getContainerRuntimeClient().catch((error: unknown) => {
    throw new Error("no container engine can be reached", { cause: error });
  });
  // Who starts several runs, as `.ci/run` does, names them, and can remove what they left behind.
  const runId = process.env["S3_MEMORY_TEST_RUN"] ?? `${process.pid}-${randomUUID()}`;
  const folder = mkdtempSync(join(tmpdir(), "s3-test-server-"));
  const guard = guardContainers(runId, folder);
  const log = join(folder, "server.log");
  let container: StartedTestContainer | undefined;
  const stop = async (): Promise<void> => {
    await container?.stop({ remove: true, removeVolumes: true });
    await guard.release();
    await rm(folder, { recursive: true, force: true });
  };
  try {
    container = await new GenericContainer(image)
      .withExposedPorts(port)
      .withEnvironment({ SERVICES: "s3", EAGER_SERVICE_LOADING: "1", DISABLE_EVENTS: "1", SKIP_SSL_CERT_DOWNLOAD: "1" })
      .withLabels({ [containerLabel]: runId })
      .withAutoCleanup(false)
      .withLogConsumer((lines) => lines.pipe(createWriteStream(log)))
      // The port is looked at below: Testcontainers guesses the host wrongly inside a container.
      .withWaitStrategy(Wait.forLogMessage(/Ready\./))
      .withStartupTimeout(120_000)
      .start();
    return { endpoint: await reachableEndpoint(container), via: `Docker (Testcontainers, ${image})`, log, stop };
  } catch (error) {
    await stop();
    throw new Error(`the engine is there, but no container of ${image}: ${reasonOf(error)}`, { cause: error });
  }
}

async function reachableEndpoint(container: StartedTestContainer): Promise<string> {
  const hosts = new Set([container.getHost(), "127.0.0.1"]);
  const endpoints = [...hosts].map((host) => `http://${host}:${container.getMappedPort(port)}`);
  return Promise.any(
    endpoints.map(async (endpoint) => {
      await localStackHealth(localStackVersion)(endpoint);
      return endpoint;
    }),
  );
}

/** Removes the containers and the folder of this run when this process ends in any way, `kill -9` included. */
function guardContainers(runId: string, folder: string): { release(): Promise<void> } {
  const script = fileURLToPath(new URL("remove-containers.ts", import.meta.url));
  // The shell waits cheaply for the end of the pipe that only we hold open.
  const waiting = 'cat >/dev/null; rm -rf "$0"; exec "$@"';
  const child = spawn("/bin/sh", ["-c", waiting, folder, process.execPath, script, runId], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const ended = endOf(child);
  return {
    release() {
      killGroup(child);
      return ended;
    },
  };
}
