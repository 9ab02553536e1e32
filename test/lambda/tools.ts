import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { access, copyFile, mkdir, readFile, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isThere, provideBuildTools } from "./build-tools.ts";

const run = promisify(execFile);

const cache = fileURLToPath(new URL("../../.cache/lambda", import.meta.url));
const runtime = fileURLToPath(new URL("runtime", import.meta.url));
const installMilliseconds = 900_000;

/** It has no releases for the Go toolchain: its own tags lie outside the module's versions. */
const emulator = "github.com/aws/aws-lambda-runtime-interface-emulator/cmd/aws-lambda-rie";
const emulatorVersion = "v0.0.0-20261030222936-bef5c4ba774d";

/** AWS's own programs that stand between an event and a handler. */
export interface LambdaTools {
  /** The Runtime Interface Emulator, a binary: it plays Lambda. */
  readonly emulator: string;
  /** The Runtime Interface Client, a file for Node: it loads the handler and hands the events on. */
  readonly client: string;
}

/** What is to be installed, once, and what that takes. */
interface Tool {
  readonly title: string;
  /** Its folder below `.cache/lambda`; another version has another name. */
  readonly name: string;
  /** Its file in there. */
  readonly file: string;
  /** For each program that the install calls, the commands that would do. */
  readonly needs: readonly (readonly string[])[];
  readonly install: (folder: string) => Promise<unknown>;
}

/**
 * Both, installed below `.cache/lambda` by whoever needs them first, and kept there, with what they are built with. Throws
 * where something of that cannot be had, and names all of it.
 */
export async function lambdaTools(say: (line: string) => void): Promise<LambdaTools> {
  if (process.platform === "darwin") throw new Error("aws-lambda-ric does not build on macOS; run this on Linux");
  const tools = [emulatorTool(), await clientTool()] as const;
  const there = await Promise.all(tools.map(({ name, file }) => exists(join(cache, name, file))));
  if (there.includes(false)) await provideBuildTools(say);
  const lacking = await Promise.all(tools.map(missing));
  if (lacking.flat().length > 0) throw new Error(`missing on this machine: ${[...new Set(lacking.flat())].join(", ")}`);
  const [rie, ric] = await Promise.all(tools.map((tool) => ensured(tool, say)));
  return { emulator: rie ?? "", client: ric ?? "" };
}

function emulatorTool(): Tool {
  return {
    title: "the Runtime Interface Emulator",
    name: `emulator-${emulatorVersion.slice(-12)}`,
    file: "aws-lambda-rie",
    needs: [["go"]],
    install: (folder) =>
      run("go", ["install", `${emulator}@${emulatorVersion}`], {
        env: { ...process.env, CGO_ENABLED: "0", GOBIN: folder, GOFLAGS: "-modcacherw" },
        timeout: installMilliseconds,
      }),
  };
}

async function clientTool(): Promise<Tool> {
  const files = ["package.json", "package-lock.json"];
  const hash = createHash("sha256");
  for (const file of files) hash.update(await readFile(join(runtime, file)));
  return {
    title: "the Runtime Interface Client",
    name: `client-${hash.digest("hex").slice(0, 12)}`,
    file: "node_modules/aws-lambda-ric/index.mjs",
    needs: [["npm"], ["cmake", "cmake3"], ["c++", "g++", "clang++"], ["make"], ["tar"], ["xz"], ["python3"]],
    install: async (folder) => {
      for (const file of files) await copyFile(join(runtime, file), join(folder, file));
      const clean = ["ci", "--no-audit", "--no-fund", "--loglevel", "error"];
      await run("npm", clean, { cwd: folder, timeout: installMilliseconds, maxBuffer: 64 * 1024 * 1024 });
      await access(join(folder, "node_modules/aws-lambda-ric/rapid-client.node"));
    },
  };
}

async function missing(tool: Tool): Promise<readonly string[]> {
  if (await exists(join(cache, tool.name, tool.file))) return [];
  const found = await Promise.all(
    tool.needs.map((commands) => Promise.all(commands.map(isThere)).then((there) => there.includes(true))),
  );
  return tool.needs.filter((_, index) => !found[index]).map((commands) => commands.join(" or "));
}

/** Made beside its place and moved there when it is whole: a half-finished install is never used. */
async function ensured({ title, name, file, install }: Tool, say: (line: string) => void): Promise<string> {
  const place = join(cache, name);
  if (await exists(join(place, file))) return join(place, file);
  const unfinished = join(cache, `unfinished-${process.pid}-${randomUUID()}`);
  const started = performance.now();
  say(`installing ${title} into .cache/lambda, once …`);
  await mkdir(unfinished, { recursive: true });
  try {
    await install(unfinished);
    await rename(unfinished, place).catch(async (error: unknown) => {
      if (!(await exists(join(place, file)))) throw error; // else somebody else was quicker
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
  say(`installed ${title} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
  return join(place, file);
}

function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
