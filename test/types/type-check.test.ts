import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);
const root = fileURLToPath(new URL("../../", import.meta.url));

it("has the type tests in the type check", async () => {
  const { stdout } = await run(`${root}node_modules/.bin/tsc`, ["-p", "tsconfig.json", "--listFilesOnly"], {
    cwd: root,
  });
  expect(stdout.split("\n").filter((file) => file.includes("/test/types/"))).toContainEqual(
    expect.stringMatching(/anthropic-adapter\.ts$/),
  );
});
