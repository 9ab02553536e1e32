import { execFile } from "node:child_process";
import { hash } from "node:crypto";
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { invoke } from "../../examples/lambda-bundle/invoke.ts";
import { startFakeS3 } from "../../src/testing/index.ts";
import { absolute, read } from "./project.ts";

const run = promisify(execFile);

/** The page's own code, in its order. */
const page = read("docs/bundling.md");
const [handler = "", buildScript = ""] = [...page.matchAll(/^```ts\n(?<code>[^]*?)^```$/gm)].map(snippet);
const [command = ""] = [...page.matchAll(/^```sh\n(?<code>[^]*?)^```$/gm)].map(snippet);

/** In the project, where the packages are found; of its own, because another run may be at work in the same tree. */
const workshop = absolute(`.cache/bundle/${process.pid}`);
const byCommand = join(workshop, "by-command");
const byScript = join(workshop, "function");

/** Bytes of all files, minified: ours and what is used of the SDK. A change upwards is a longer start for every function. */
const size = 580_000;

const { peerDependenciesMeta: optional } = JSON.parse(read("package.json")) as {
  readonly peerDependenciesMeta: Readonly<Record<string, unknown>>;
};

interface Metafile {
  readonly outputs: Readonly<Record<string, { readonly inputs: Readonly<Record<string, unknown>> }>>;
}

beforeAll(async () => {
  await mkdir(workshop, { recursive: true });
  await writeFile(join(workshop, "handler.ts"), handler);
  await writeFile(join(workshop, "build.ts"), buildScript);
  await writeFile(join(workshop, "tsconfig.json"), "{}"); // the project's own leads to the sources, not to the package
  await run("sh", ["-ec", `${command.trim()} --metafile=metafile.json`], { cwd: workshop });
  await rename(byScript, byCommand);
  await run(process.execPath, ["build.ts"], { cwd: workshop });
});

afterAll(() => rm(workshop, { recursive: true, force: true }));

describe("the bundle of docs/bundling.md", () => {
  it("is the same by the command and by the script", async () => {
    expect(await filesIn(byScript)).toEqual(await filesIn(byCommand));
  });

  it("is the example's, which ends well", async () => {
    expect(read("examples/lambda-bundle/handler.ts")).toBe(handler);
    expect(read("examples/lambda-bundle/build.ts")).toBe(buildScript);
    const { stderr } = await run(process.execPath, [absolute("examples/lambda-bundle/lambda-bundle.ts")]);
    expect(stderr).toBe("");
  });

  it("has in it the package and the SDK, no optional peer and nothing of the test kit", async () => {
    const { outputs } = JSON.parse(await readFile(join(workshop, "metafile.json"), "utf8")) as Metafile;
    const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
    const has = (part: string): boolean => inputs.some((input) => input.includes(part));
    expect([has("dist/index.js"), has("node_modules/@aws-sdk/client-s3/")]).toEqual([true, true]);
    const peers = Object.keys(optional).map((peer) => `node_modules/${peer}/`);
    expect(peers).not.toEqual([]);
    expect([...peers, "dist/testing/", "dist/adapters/"].filter(has)).toEqual([]);
  });

  it(`weighs at most ${size} bytes`, async () => {
    const files = await readdir(byCommand);
    const lengths = await Promise.all(files.map(async (file) => (await stat(join(byCommand, file))).size));
    const sum = lengths.reduce((total, length) => total + length, 0);
    expect(sum).toBeLessThan(size);
    expect(sum).toBeGreaterThan(size * 0.97); // lower the limit when it has become lighter
  });

  it("answers in a folder where there is nothing else", async () => {
    const empty = await mkdtemp(join(tmpdir(), "bundle-"));
    const fake = await startFakeS3({ buckets: ["agent-memory"] });
    const inputs = [
      { command: "view", path: "/memories" },
      { command: "create", path: "/memories/notes.md", file_text: "one\n" },
    ];
    const calls = inputs.map((input, index) => ({ user: "dana", toolUse: { id: `toolu_${index}`, input } }));
    try {
      await cp(byCommand, empty, { recursive: true });
      const results = await invoke(empty, calls, {
        MEMORY_BUCKET: "agent-memory",
        AWS_ENDPOINT_URL_S3: fake.endpoint,
        AWS_REGION: "us-east-1",
        AWS_ACCESS_KEY_ID: "any",
        AWS_SECRET_ACCESS_KEY: "any",
      });
      expect(results).toEqual([
        { isError: false, content: expect.stringMatching(/^Here're the files .+:\n0B\t\/memories$/) },
        { isError: false, content: "File created successfully at: /memories/notes.md" },
      ]);
      expect(fake.objects().get("users/dana/memories/notes.md")?.text).toBe("one\n");
      expect(fake.requests.operations).toEqual(["ListObjectsV2", "ListObjectsV2", "ListObjectsV2", "PutObject"]);
    } finally {
      await Promise.all([fake.close(), rm(empty, { recursive: true })]);
    }
  });
});

async function filesIn(folder: string): Promise<unknown> {
  const names = (await readdir(folder)).sort();
  return Promise.all(names.map(async (name) => [name, hash("sha256", await readFile(join(folder, name)))]));
}

function snippet({ groups }: RegExpMatchArray): string {
  return groups?.["code"] ?? "";
}
