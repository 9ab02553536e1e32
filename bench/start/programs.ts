import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** How a program comes to Node: as it is written, by the recipe of docs/bundling.md, or by the same as a single file. */
export type Form = "unbundled" | "bundled" | "one-file";

/** In the project, where a program finds the packages as an application would: this one, and one copy of the SDK. */
const folder = fileURLToPath(new URL("../../.cache/bench-start/", import.meta.url));
/** They have no types in them: unbundled they are started as they are. */
const sources = new URL("programs/", import.meta.url);
const recipe = readFileSync(new URL("../../examples/lambda-bundle/build.ts", import.meta.url), "utf8");

/** Makes every program in every form; answers where one is. */
export function buildPrograms(): (name: string, form: Form) => string {
  rmSync(folder, { recursive: true, force: true });
  for (const file of readdirSync(sources)) {
    const text = readFileSync(new URL(file, sources), "utf8");
    const name = file.replace(/\.ts$/, "");
    write(`unbundled/${name}/handler.mjs`, text);
    bundle(`bundled/${name}`, text, recipe);
    bundle(`one-file/${name}`, text, recipe.replace("splitting: true", "splitting: false"));
  }
  return (name, form) => `${folder}${form}/${name}/${form === "unbundled" ? "" : "function/"}handler.mjs`;
}

function bundle(place: string, program: string, build: string): void {
  write(`${place}/handler.ts`, program);
  write(`${place}/build.ts`, build);
  write(`${place}/tsconfig.json`, "{}"); // the project's own leads to the sources, not to the package
  execFileSync(process.execPath, ["build.ts"], { cwd: `${folder}${place}` });
}

function write(file: string, text: string): void {
  const path = `${folder}${file}`;
  mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  writeFileSync(path, text);
}
