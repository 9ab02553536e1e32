import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import { homedir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

export const run = promisify(execFile);

export interface Python {
  readonly executable: string;
  /** Such as `3.13.0`. */
  readonly version: string;
}

const oldestMinor = 12;
const commands = ["python3.14", "python3.13", "python3.12", "python3"];

// ensurepip is a package of its own on Debian, and no environment can be made without it.
const probe = "import ensurepip, ssl, sys, venv; print(sys.executable); print('%d.%d.%d' % sys.version_info[:3])";

/** Every Python of 3.12 or newer on this machine that can make a virtual environment, the newest first. */
export async function findPythons(): Promise<readonly Python[]> {
  const candidates = [...commands, ...(await pyenvPythons())];
  const found = (await Promise.all(candidates.map(probePython))).filter((python) => python !== undefined);
  const byVersion = new Map(found.filter(isNewEnough).map((python) => [python.version, python]));
  return [...byVersion.values()].sort((one, other) =>
    other.version.localeCompare(one.version, "en", { numeric: true }),
  );
}

/** What `command` really is: a pyenv shim, for one, exists for versions that it then refuses to run. */
async function probePython(command: string): Promise<Python | undefined> {
  try {
    const { stdout } = await run(command, ["-c", probe], { timeout: 20_000 });
    const [executable = "", version = ""] = stdout.trim().split("\n");
    return { executable, version };
  } catch {
    return undefined;
  }
}

function isNewEnough({ version }: Python): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major === 3 && minor >= oldestMinor;
}

async function pyenvPythons(): Promise<readonly string[]> {
  const asked = await run("pyenv", ["root"], { timeout: 20_000 }).catch(() => ({ stdout: "" }));
  const roots = new Set([asked.stdout.trim(), process.env["PYENV_ROOT"] ?? "", join(homedir(), ".pyenv")]);
  roots.delete("");
  const versions = await Promise.all([...roots].map(installedVersions));
  return versions.flat();
}

async function installedVersions(root: string): Promise<readonly string[]> {
  const names = await readdir(join(root, "versions")).catch(() => []);
  return names.map((name) => join(root, "versions", name, "bin", "python3"));
}
