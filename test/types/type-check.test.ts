import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));

it("has the type tests in the type check", async () => {
  const { stdout } = await run(`${root}node_modules/.bin/tsc`, ["-p", "tsconfig.json", "--listFilesOnly"], {
    cwd: root,
  });
  const checked = new Set(stdout.split("\n").map((file) => basename(file)));
  const typeTests = readdirSync(`${root}test/types`).filter((file) => !file.endsWith(".test.ts"));
  expect(typeTests.length).toBeGreaterThan(0);
  expect(typeTests.filter((file) => !checked.has(file))).toEqual([]);
});
