import { build } from "esbuild";

await build({
  entryPoints: ["handler.ts"],
  outdir: "function",
  outExtension: { ".js": ".mjs" },
  bundle: true,
  splitting: true,
  minify: true,
  format: "esm",
  platform: "node",
  target: "node22",
  mainFields: ["module", "main"],
});
