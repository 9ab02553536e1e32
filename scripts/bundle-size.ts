// Bundles the root entry as an application's bundler would, for size-limit to measure: minified,
// without the packages that it imports.
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const path = (relative: string): string => fileURLToPath(new URL(`../${relative}`, import.meta.url));

await build({
  entryPoints: [path("dist/index.js")],
  outfile: path(".cache/size/index.js"),
  bundle: true,
  minify: true,
  format: "esm",
  platform: "node",
  target: "node22",
  packages: "external",
});
