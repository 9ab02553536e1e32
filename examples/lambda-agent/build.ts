/** Bundles both functions into `dist`, which template.yaml uploads, or into the folder that is named. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = fileURLToPath(new URL(".", import.meta.url));

await build({
  absWorkingDir: here,
  entryPoints: ["agent-function.ts", "memory-function.ts"],
  outdir: process.argv[2] ?? "dist",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  splitting: true,
  minify: true,
  format: "esm",
  platform: "node",
  target: "node22",
  mainFields: ["module", "main"],
  tsconfigRaw: {}, // in a clone of the project its own would lead to the sources, not to the package
});
