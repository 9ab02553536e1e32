// Builds the package: declarations file by file, code as few files, because each one costs time at every start. What it uses
// of other packages is built in, with their licenses, because their own entries load much more; peers stay imports.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { fileURLToPath } from "node:url";
import { rolldown, type OutputChunk } from "rolldown";

interface Manifest {
  readonly exports: Readonly<Record<string, string | { readonly default: string }>>;
  readonly bin: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

process.chdir(fileURLToPath(new URL("..", import.meta.url)));
const manifest = JSON.parse(readFileSync("package.json", "utf8")) as Manifest;
const exported = Object.values(manifest.exports).flatMap((entry) => (typeof entry === "string" ? [] : [entry.default]));
const entries = [...exported, ...Object.values(manifest.bin)].map((file) => file.replace(/^\.\/dist\/|\.js$/g, ""));
const peers = Object.keys(manifest.peerDependencies);

rmSync("dist", { recursive: true, force: true });
const bundle = await rolldown({
  input: Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])),
  platform: "node",
  transform: { target: "node22" },
  external: (name) => isBuiltin(name) || peers.some((peer) => name === peer || name.startsWith(`${peer}/`)),
  treeshake: { moduleSideEffects: false },
});
const { output } = await bundle.write({
  dir: "dist",
  entryFileNames: "[name].js",
  chunkFileNames: "chunks/[name]-[hash].js",
  minifyInternalExports: false, // people read it
  codeSplitting: {
    groups: [
      // All that the root entry loads: who uses an adapter has loaded it anyhow.
      { name: "core", test: /src\/index\.ts$/, priority: 2 },
      // All that is needed where a model knows the tool already.
      { name: "answer", test: /src\/adapters\/tool\/(?:answer|tool-result)\.ts$/, priority: 1 },
      { name: "tool", test: /src\/adapters\/tool\// },
    ],
  },
});
const chunks = output.filter((file) => file.type === "chunk");
writeFileSync("dist/THIRD-PARTY-LICENSES.txt", [...builtIn(chunks)].sort().map(licenseOf).join("\n---\n\n"));

const declarations = spawnSync("node_modules/.bin/tsc", ["-p", "src", "--emitDeclarationOnly"], { stdio: "inherit" });
process.exitCode = declarations.status ?? 1;

/** The packages that code was taken from. */
function builtIn(built: readonly OutputChunk[]): ReadonlySet<string> {
  const taken = built
    .flatMap(({ modules }) => Object.entries(modules))
    .filter(([, { renderedLength }]) => renderedLength > 0);
  const packages = taken.flatMap(
    ([file]) =>
      /[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/]+)[\\/](?!.*[\\/]node_modules[\\/])/.exec(file)?.[1] ?? [],
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
