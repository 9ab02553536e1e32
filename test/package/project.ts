import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = new URL("../../", import.meta.url);

/** A file or folder of the project. */
export function absolute(relative: string): string {
  return fileURLToPath(new URL(relative, root));
}

export function read(relative: string): string {
  return readFileSync(absolute(relative), "utf8");
}

/** Files of the project by patterns, sorted, with `/`. */
export function filesOf(...patterns: string[]): readonly string[] {
  return globSync(patterns, { cwd: absolute(".") })
    .map((file) => file.replaceAll("\\", "/"))
    .sort();
}

/** Every page that people read, but for what is generated from the sources. */
export function pages(): readonly string[] {
  const found = filesOf(
    "*.md",
    "docs/**/*.md",
    ".github/**/*.md",
    ".changeset/*.md",
    "localstack/*.md",
    "bench/*.md",
    "examples/**/*.md",
  );
  return found.filter((page) => !page.startsWith("docs/api/"));
}

export interface Entry {
  readonly types: string;
  readonly default: string;
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, Entry | string>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly files: readonly string[];
}

export const manifest = JSON.parse(read("package.json")) as Manifest;

/** The entries that can be imported, without `./package.json`. */
export function entries(): readonly (readonly [name: string, entry: Entry])[] {
  return Object.entries(manifest.exports).flatMap(([name, entry]) =>
    typeof entry === "string" ? [] : [[name, entry]],
  );
}
