import { createHash, randomUUID } from "node:crypto";
import { mkdir, readFile, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { findPythons, run, type Python } from "./python.ts";
import { reasonOf, type Say } from "./running-server.ts";

const cache = fileURLToPath(new URL("../.cache/python", import.meta.url));
const installMilliseconds = 600_000;

/** A set of Python packages: the file in this folder that pins each of them, and a statement that proves it installed. */
export interface PackageSet {
  readonly name: string;
  readonly lockFile: string;
  readonly proof: string;
}

/**
 * The Python of a virtual environment that holds exactly the locked packages. Made once and kept
 * in `.cache/python`, under a name made from the lock's hash.
 *
 * It is installed beside its place and moved there when it is whole, so that a half-finished
 * install is never used, and of two processes that install at once one wins and both are served.
 */
export async function virtualEnvironment(packages: PackageSet, say: Say): Promise<Python> {
  const lockFile = fileURLToPath(new URL(packages.lockFile, import.meta.url));
  const hash = createHash("sha256")
    .update(await readFile(lockFile))
    .digest("hex")
    .slice(0, 12);
  const key = `${packages.name}-${hash}`;
  await mkdir(cache, { recursive: true });
  const installed = await findInstalled(key);
  if (installed) return installed;
  await removeAbandoned();
  const failures: string[] = [];
  for (const python of await findPythons()) {
    try {
      return await install(packages, key, lockFile, python, say);
    } catch (error) {
      failures.push(`Python ${python.version}: ${reasonOf(error)}`);
    }
  }
  throw new Error(failures.join("; ") || "no Python 3.12 or newer that can make virtual environments");
}

async function findInstalled(key: string): Promise<Python | undefined> {
  for (const name of await readdir(cache)) {
    if (!name.startsWith(`${key}-`)) continue;
    const executable = executableIn(join(cache, name));
    // The Python that it was made from may be gone.
    const works = await run(executable, ["-c", ""]).then(
      () => true,
      () => false,
    );
    if (works) return { executable, version: name.slice(key.length + 1) };
    await rm(join(cache, name), { recursive: true, force: true });
  }
  return undefined;
}

async function install(
  packages: PackageSet,
  key: string,
  lockFile: string,
  { executable, version }: Python,
  say: Say,
): Promise<Python> {
  const started = performance.now();
  const unfinished = join(cache, `unfinished-${process.pid}-${randomUUID()}`);
  say(`installing ${packages.name} for Python ${version} into .cache/python, once …`);
  try {
    await run(executable, ["-m", "venv", unfinished], { timeout: installMilliseconds });
    const python = executableIn(unfinished);
    const options = ["--quiet", "--disable-pip-version-check", "--no-input"];
    await run(python, ["-m", "pip", "install", ...options, "-r", lockFile], { timeout: installMilliseconds });
    await run(python, ["-c", packages.proof], { timeout: installMilliseconds });
    const place = join(cache, `${key}-${version}`);
    await rename(unfinished, place).catch(async (error: unknown) => {
      if (!(await findInstalled(key))) throw error;
    });
    say(`installed ${packages.name} in ${((performance.now() - started) / 1000).toFixed(1)} s`);
    return { executable: executableIn(place), version };
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Removes what installs that were killed have left. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(cache)) {
    const owner = /^unfinished-(\d+)-/.exec(name)?.[1];
    if (owner !== undefined && !isAlive(Number(owner))) await rm(join(cache, name), { recursive: true, force: true });
  }
}

function isAlive(processId: number): boolean {
  try {
    return process.kill(processId, 0);
  } catch {
    return false;
  }
}

// Called as a module (`python -m`): the scripts beside it name the folder that it was installed in.
function executableIn(environment: string): string {
  return join(environment, "bin", "python");
}
