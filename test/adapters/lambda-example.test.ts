import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const example = fileURLToPath(new URL("../../examples/lambda-agent/lambda-agent.ts", import.meta.url));

it("bundles the agent of examples/lambda-agent, and finds everything as expected", async () => {
  const { PATH = "", HOME = "" } = process.env;
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [example], { env: { PATH, HOME } });
  expect(stderr).toBe("");
  expect(stdout).toContain("likes short answers");
});
