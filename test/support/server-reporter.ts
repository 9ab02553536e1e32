import { readFileSync } from "node:fs";
import type { Reporter, TestModule, TestProject } from "vitest/node";
import { serverAdvice } from "./server-advice.ts";
import { serverNames, serverTitles, type ServerName, type ServerReport } from "./servers.ts";

const linesOfLog = 100;

/**
 * Speaks only when it has to: shows the end of the servers' logs where an integration test failed,
 * and says in large letters which tests were not run because there was no server.
 */
export function serverReporter(): Reporter {
  return {
    onTestRunEnd(modules) {
      const integration = modules.filter(({ project }) => project.name === "integration");
      const [project] = integration.map((module) => module.project);
      if (!project) return;
      if (integration.some((module) => !module.ok())) showLogs(project);
      showNotRun(project, integration);
    },
  };
}

function reportsOf(project: TestProject): [ServerName, ServerReport][] {
  // Nothing was provided where global setup itself failed.
  const provided: Partial<ReturnType<TestProject["getProvidedContext"]>> = project.getProvidedContext();
  const { servers } = provided;
  return servers ? serverNames.map((name) => [name, servers[name]]) : [];
}

function showLogs(project: TestProject): void {
  for (const [name, report] of reportsOf(project)) {
    if (report.state !== "running" || report.log === undefined) continue;
    const lines = readFileSync(report.log, "utf8").trimEnd().split("\n").slice(-linesOfLog);
    console.error(`\n── the last ${lines.length} lines of ${serverTitles[name]}'s log ──\n${lines.join("\n")}\n`);
  }
}

function showNotRun(project: TestProject, modules: readonly TestModule[]): void {
  const missing = reportsOf(project).flatMap(([name, report]) =>
    report.state === "missing" ? [`no ${serverTitles[name]}: ${report.reason}`] : [],
  );
  if (missing.length === 0) return;
  const skipped = modules.flatMap((module) => [...module.children.allTests("skipped")]).length;
  const lines = [`${skipped} INTEGRATION TESTS WERE NOT RUN`, ...missing, ...serverAdvice];
  const frame = "!".repeat(80);
  console.error(`\n${frame}\n!! ${lines.join("\n!! ")}\n${frame}`);
}
