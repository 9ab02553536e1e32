import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { cpus, release, totalmem, type } from "node:os";

/** Where and when something was measured, and what. */
export interface Circumstances {
  /** `2026-11-30` */
  readonly date: string;
  readonly machine: string;
  readonly node: string;
  /** Of this library: its version, and the revision it was built from. */
  readonly revision: string;
  /** Versions of the others, by package name. */
  readonly versions: Readonly<Record<string, string>>;
}

const here = new URL("./", import.meta.url);

export function circumstances(): Circumstances {
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: machine(),
    node: process.version,
    revision: `${versionOf("../package.json")}, ${revision()}`,
    versions: versions(),
  };
}

function machine(): string {
  const cores = cpus();
  const memory = Math.round(totalmem() / 2 ** 30);
  return `${cores[0]?.model ?? "unknown CPU"}, ${cores.length} cores, ${memory} GiB, ${type()} ${release()}`;
}

/** The pages and figures that a run writes do not make its sources others than the revision's. */
function revision(): string {
  try {
    const changed = git("status", "--porcelain", "--", "../src", ".", ":!results");
    return `revision ${git("rev-parse", "--short=10", "HEAD")}${changed === "" ? "" : " with changes"}`;
  } catch {
    return "revision unknown";
  }
}

function git(...args: string[]): string {
  return execFileSync("git", args, { cwd: here, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();
}

function versions(): Record<string, string> {
  const { dependencies } = packageJson("package.json") as { readonly dependencies: Record<string, string> };
  const peers = Object.keys(dependencies).map((name) => [name, versionOf(`node_modules/${name}/package.json`)]);
  const anthropic = "@anthropic-ai/sdk";
  return Object.fromEntries([...peers, [anthropic, versionOf(`../node_modules/${anthropic}/package.json`)]]);
}

function versionOf(file: string): string {
  return (packageJson(file) as { readonly version: string }).version;
}

function packageJson(file: string): unknown {
  return JSON.parse(readFileSync(new URL(file, here), "utf8"));
}
