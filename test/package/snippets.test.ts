import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { promisify } from "node:util";
import { afterAll, expect, it } from "vitest";
import { absolute, entries, manifest, pages, read } from "./project.ts";

/** Of its own, because another run may be at work in the same tree. */
const folder = `.cache/snippets/${process.pid}`;
const root = "../../..";

interface Snippet {
  readonly page: string;
  /** Of the first line of code, from 1. */
  readonly line: number;
  readonly code: string;
}

function snippetsOf(page: string): readonly Snippet[] {
  const text = read(page);
  return [...text.matchAll(/^```ts\n(?<code>[^]*?)^```$/gm)].map((match) => ({
    page,
    line: text.slice(0, match.index).split("\n").length + 1,
    code: match.groups?.["code"] ?? "",
  }));
}

/** The code stands in a file of its own at the line that it has in its page, so that the compiler names that line. */
function writeSnippets(snippets: readonly Snippet[]): ReadonlyMap<string, string> {
  mkdirSync(absolute(folder), { recursive: true });
  const pageOf = new Map<string, string>();
  for (const { page, line, code } of snippets) {
    const file = `${page.replaceAll(/[^a-z]+/gi, "-")}-${line}.ts`;
    writeFileSync(absolute(`${folder}/${file}`), "\n".repeat(line - 1) + code);
    pageOf.set(file, page);
  }
  const paths = entries().map(([name, entry]) => [manifest.name + name.slice(1), [sourceOf(entry.default)]]);
  const options = { moduleDetection: "force", noUnusedLocals: false, paths: Object.fromEntries(paths) };
  const project = { extends: `${root}/tsconfig.json`, compilerOptions: options, include: ["*.ts"] };
  writeFileSync(absolute(`${folder}/tsconfig.json`), JSON.stringify(project));
  return pageOf;
}

function sourceOf(built: string): string {
  return `${root}/${built.replace(/^\.\/dist\//, "src/").replace(/\.js$/, ".ts")}`;
}

async function compilerErrors(pageOf: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const compiler = promisify(execFile)(absolute("node_modules/.bin/tsc"), ["-p", ".", "--pretty", "false"], {
    cwd: absolute(folder),
  });
  const output = await compiler.then(
    () => "",
    (error: { stdout?: string; message: string }) => error.stdout ?? error.message,
  );
  return output
    .split("\n")
    .filter((line) => line !== "")
    .map((line) =>
      line.replace(/^([^(]+)\((\d+),\d+\)/, (_, file: string, at: string) => `${pageOf.get(file) ?? file}:${at}`),
    );
}

afterAll(() => rmSync(absolute(folder), { recursive: true, force: true }));

it("has TypeScript in its documentation that compiles against the sources", async () => {
  const snippets = pages().flatMap(snippetsOf);
  expect(snippets.length).toBeGreaterThan(15);
  expect(await compilerErrors(writeSnippets(snippets))).toEqual([]);
});
