import type { TestProject } from "vitest/node";
import { startServers } from "./start-servers.ts";

/** Runs once, before the first integration test, and only if one was asked for. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { reports, stop } = await startServers(process.env);
  project.provide("servers", reports);
  return stop;
}
