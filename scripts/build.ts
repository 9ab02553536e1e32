// Builds the package: declarations file by file, code as few files, because each one costs time at every start. What it uses
// of other packages is built in, with their licenses, because their own entries load much more; peers stay imports.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);
const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;

rmSync("dist", { recursive: true, force: true });
const exported = Object.values(manifest.exports).flatMap((entry) => (typeof entry === "string" ? [] : [entry.default]));
const { metafile, outputFiles } = await build({
  entryPoints: [...exported, ...Object.values(manifest.bin)].map((file) =>
    file.replace("./dist/", "src/").replace(/\.js$/, ".ts"),
  ),
  outbase: "src",
  outdir: "dist",
  chunkNames: "chunks/[name]-[hash]",
  bundle: true,
  splitting: true,
  format: "esm",
  platform: "node",
  target: "node22",
  external: Object.keys(manifest.peerDependencies),
  metafile: true,
  write: false,
});
for (const { path, text } of outputFiles) {
  mkdirSync(dirname(path), { recursive: true });
  // esbuild keeps the order in which modules would run, but none of them does anything when it is loaded.
  writeFileSync(path, text.replaceAll(/^import "\.[^"]+";\n/gm, ""));
}
writeFileSync("dist/THIRD-PARTY-LICENSES.txt", [...builtIn()].sort().map(licenseOf).join("\n---\n\n"));

const declarations = spawnSync("node_modules/.bin/tsc", ["-p", "src", "--emitDeclarationOnly"], { stdio: "inherit" });
process.exitCode = declarations.status ?? 1;

/** The packages that code was taken from. */
function builtIn(): ReadonlySet<string> {
  const taken = Object.values(metafile.outputs)
    .flatMap(({ inputs }) => Object.entries(inputs))
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const packages = taken.flatMap(
    ([file]) => /(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(file)?.[1] ?? [],
  );
  if (packages.length === 0) throw new Error("No package is built in: their licenses would be missing.");
  return new Set(packages);
}

function licenseOf(name: string): string {
  const folder = `node_modules/${name}`;
  const license = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  if (license === undefined) throw new Error(`${name} has no license to hand on.`);
  return `${name}\n\n${readFileSync(`${folder}/${license}`, "utf8")}`;
}
