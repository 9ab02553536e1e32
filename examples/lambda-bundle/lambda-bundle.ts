/** Bundles the handler, and calls the bundle in a folder where there is nothing else, on an S3 server inside this process. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFile, cp, mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startFakeS3 } from "s3-memory-tool/testing";
import { invoke } from "./invoke.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const cache = fileURLToPath(new URL("../../.cache/", import.meta.url));

await mkdir(cache, { recursive: true });
const workshop = await mkdtemp(join(cache, "lambda-bundle-")); // inside the project, to find the packages
const empty = await mkdtemp(join(tmpdir(), "lambda-bundle-"));
const fake = await startFakeS3({ buckets: ["agent-memory"] });
try {
  for (const file of ["handler.ts", "build.ts"]) await copyFile(join(here, file), join(workshop, file));
  await writeFile(join(workshop, "tsconfig.json"), "{}"); // the project's own leads to the sources, not to the package
  execFileSync(process.execPath, ["build.ts"], { cwd: workshop });
  await cp(join(workshop, "function"), empty, { recursive: true });
  console.log(`${(await readdir(empty)).length} files`);

  const inputs = [
    { command: "view", path: "/memories" },
    { command: "create", path: "/memories/notes.md", file_text: "one\n" },
  ];
  const events = inputs.map((input, index) => ({ user: "dana", toolUse: { id: `toolu_${index}`, input } }));
  const results = await invoke(empty, events, {
    MEMORY_BUCKET: "agent-memory",
    AWS_ENDPOINT_URL_S3: fake.endpoint,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "any",
    AWS_SECRET_ACCESS_KEY: "any",
  });
  console.log(results);

  const header =
    "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:";
  assert.deepEqual(results, [
    { isError: false, content: `${header}\n0B\t/memories` },
    { isError: false, content: "File created successfully at: /memories/notes.md" },
  ]);
  assert.equal(fake.objects().get("users/dana/memories/notes.md")?.text, "one\n");
} finally {
  await Promise.all([fake.close(), ...[workshop, empty].map((folder) => rm(folder, { recursive: true }))]);
}
