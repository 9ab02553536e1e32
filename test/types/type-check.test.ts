import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const run = promisify(execFile);

it("has the type tests in the type check", async () => {
  const { stdout } = await run("tsc", ["-p", "tsconfig.json", "--listFilesOnly"], {
    env: { ...process.env, PATH: `node_modules/.bin:${process.env["PATH"]}` },
  });
  expect(stdout.split("\n").filter((file) => file.includes("/test/types/"))).toContainEqual(
    expect.stringMatching(/anthropic-adapter\.ts$/),
  );
});
