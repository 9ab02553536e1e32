import type { TestProject } from "vitest/node";
import { serverNames } from "./servers.ts";
import { startServers } from "./start-servers.ts";

/**
 * Runs once, before the first integration test, and only if one was asked for. `TEST_SERVERS=seaweedfs,ministack` starts
 * those alone; the tests of the others are then reported as not run.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const asked = process.env["TEST_SERVERS"]?.split(",") ?? serverNames;
  const unknown = asked.filter((name) => !serverNames.some((known) => known === name));
  if (unknown.length > 0)
    throw new TypeError(`TEST_SERVERS names ${unknown.join(", ")}; there are ${serverNames.join(", ")}`);
  const wanted = serverNames.filter((name) => asked.includes(name));
  const { reports, stop } = await startServers(process.env, wanted);
  project.provide("servers", reports);
  return stop;
}
