import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { serverReporter } from "./support/server-reporter.ts";

const support = (file: string): string => fileURLToPath(new URL(`support/${file}`, import.meta.url));

// For whoever adds up several runs.
const countsFile = process.env["VITEST_JSON"];
const counts: ["json", { outputFile: string }][] = countsFile ? [["json", { outputFile: countsFile }]] : [];

export default defineConfig({
  test: {
    root: fileURLToPath(new URL("..", import.meta.url)),
    testTimeout: 60_000,
    hookTimeout: 240_000,
    reporters: [serverReporter(), "default", ...counts],
    projects: [
      // No server and no Python: it starts at once.
      { extends: true, test: { name: "unit", include: ["test/**/*.test.ts"], exclude: ["test/integration/**"] } },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
          globalSetup: support("global-setup.ts"),
          runner: support("runner.ts"),
        },
      },
    ],
  },
});
