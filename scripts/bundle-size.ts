// Bundles the root entry as an application's bundler would, minified and without the packages that it
// imports, for size-limit to measure: what importing it loads, and what is loaded when it is first used.
import { mkdir, rm, writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const path = (relative: string): string => fileURLToPath(new URL(`../${relative}`, import.meta.url));
const folder = path(".cache/size");

const { outputFiles, metafile } = await build({
  entryPoints: { index: path("src/index.ts") },
  outdir: folder,
  absWorkingDir: path("."),
  bundle: true,
  splitting: true,
  minify: true,
  format: "esm",
  platform: "node",
  target: "node22",
  packages: "external",
  charset: "utf8",
  metafile: true,
  write: false,
});

/** The chunks that a static import reaches from here on. */
function reached(name: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  for (const { path: next, kind, external } of metafile.outputs[name]?.imports ?? []) {
    if (kind === "import-statement" && external !== true) reached(next, seen);
  }
  return seen;
}

const atImport = reached(".cache/size/index.js");
const loaded = (wanted: boolean): string =>
  outputFiles
    .filter((file) => atImport.has(file.path.slice(path(".").length)) === wanted)
    .map((file) => file.text)
    .join("");

await rm(folder, { recursive: true, force: true });
await mkdir(folder, { recursive: true });
await writeFile(`${folder}/at-import.js`, loaded(true));
await writeFile(`${folder}/on-demand.js`, loaded(false));
