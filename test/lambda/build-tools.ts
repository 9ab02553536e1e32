import { execFile } from "node:child_process";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { virtualEnvironment } from "../../localstack/virtual-environment.ts";

const run = promisify(execFile);

/** What PyPI has of the tools: the folder of its program below the installed packages. */
const onPyPI: Readonly<Record<string, string>> = { go: "go/bin", cmake: "cmake/data/bin" };

const packages = {
  name: "build-tools",
  lockFile: new URL("build-tools-requirements.txt", import.meta.url).href,
  proof: "import cmake",
};

/** What Debian has of them. */
const onDebian: Readonly<Record<string, string>> = { "c++": "g++", make: "make", xz: "xz-utils" };

/**
 * Puts what AWS's programs are built with on the PATH of this process, where it is not there yet: Go and CMake from
 * PyPI, in a virtual environment below `.cache/python`; as root on Debian, its compiler, make and xz. Throws where one of
 * these ways fails.
 */
export async function provideBuildTools(say: (line: string) => void): Promise<void> {
  const fromPyPI = await lacking(onPyPI);
  if (fromPyPI.length > 0) {
    const { executable } = await virtualEnvironment(packages, say);
    const { stdout } = await run(executable, ["-c", "import sysconfig; print(sysconfig.get_path('purelib'))"]);
    const folders = fromPyPI.map((folder) => join(stdout.trim(), folder));
    process.env["PATH"] = [process.env["PATH"], ...folders].join(delimiter);
  }
  const fromDebian = await lacking(onDebian);
  if (fromDebian.length > 0 && process.getuid?.() === 0 && (await isThere("apt-get"))) {
    say(`installing ${fromDebian.join(", ")} of Debian …`);
    const environment = { env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" }, maxBuffer: 64 * 1024 * 1024 };
    await run("apt-get", ["update", "-qq"], environment);
    await run("apt-get", ["install", "-y", "-qq", "--no-install-recommends", ...fromDebian], environment);
  }
}

async function lacking(tools: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const there = await Promise.all(Object.keys(tools).map(isThere));
  return Object.values(tools).filter((_, index) => there[index] !== true);
}

export function isThere(command: string): Promise<boolean> {
  return run("/bin/sh", ["-c", `command -v ${command}`]).then(
    () => true,
    () => false,
  );
}
