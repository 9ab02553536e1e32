import { describe, expect, it } from "vitest";
import { reach } from "./modules.ts";
import { entries, manifest, read } from "./project.ts";

interface Allowed {
  /** What loading the entry loads, besides files of the package. */
  readonly packages: readonly string[];
  /** What its types refer to. */
  readonly types: readonly string[];
  /** What it loads later. */
  readonly later: readonly string[];
  /** Files of the package that it loads, itself included: each costs about half a millisecond of every start. */
  readonly files: number;
  /** What is in them. A start parses all of it: a millisecond for 40 kB. */
  readonly bytes: number;
}

const aws = "@aws-sdk/client-s3";

/** Every entry, and all that it may load. An optional peer appears in its own adapter alone. */
const allowed: Readonly<Record<string, Allowed>> = {
  ".": { packages: ["node:crypto"], types: [aws], later: [aws], files: 2, bytes: 160_000 },
  "./anthropic": {
    packages: ["@anthropic-ai/sdk/resources/beta/messages"],
    types: [
      "@anthropic-ai/sdk/lib/tools/BetaRunnableTool",
      "@anthropic-ai/sdk/resources/beta/messages",
      "@anthropic-ai/sdk/resources/messages",
    ],
    later: [],
    files: 2,
    bytes: 3_500,
  },
  // These load what the root entry loads, once for both.
  "./lambda": { packages: ["node:crypto"], types: ["aws-lambda"], later: [aws], files: 4, bytes: 160_000 },
  "./ai-sdk": { packages: ["ai", "node:crypto"], types: ["ai"], later: [aws], files: 4, bytes: 160_000 },
  "./langchain": {
    packages: ["@langchain/core/messages", "@langchain/core/tools", "node:crypto"],
    types: ["@langchain/core/messages", "@langchain/core/tools", "@langchain/core/utils/json_schema"],
    later: [aws],
    files: 4,
    bytes: 160_000,
  },
  "./mcp": {
    packages: ["@modelcontextprotocol/server", "node:crypto"],
    types: ["@modelcontextprotocol/server"],
    later: [aws],
    files: 5,
    bytes: 170_000,
  },
  "./context": {
    packages: ["node:crypto"],
    types: ["@anthropic-ai/sdk/resources/beta/messages"],
    later: [aws],
    files: 2,
    bytes: 165_000,
  },
  "./testing": { packages: ["node:*"], types: ["node:*"], later: [aws], files: 3, bytes: 250_000 },
};

const isAllowed = (names: readonly string[]) => (name: string) =>
  names.includes(name) || (names.includes("node:*") && name.startsWith("node:"));

describe.each(entries())("the entry %s", (name, entry) => {
  const limits = allowed[name] ?? { packages: [], types: [], later: [], files: 0, bytes: 0 };
  const javaScript = reach(entry.default);
  const declarations = reach(entry.types, { later: true }); // `import(…)` in a type is there at once

  it("loads nothing but what it needs", () => {
    expect(javaScript.packages.filter((loaded) => !isAllowed(limits.packages)(loaded))).toEqual([]);
  });

  it("loads later what is large or may be missing", () => {
    const { packages } = reach(entry.default, { later: true });
    expect(packages.filter((loaded) => !javaScript.packages.includes(loaded))).toEqual(limits.later);
  });

  it("is a few small files when it is loaded", () => {
    expect(javaScript.files.length).toBeLessThanOrEqual(limits.files);
    expect(bytesOf(javaScript.files)).toBeLessThan(limits.bytes);
    expect(bytesOf(javaScript.files)).toBeGreaterThan(limits.bytes / 2); // else the limit is none
  });

  it("refers in its types to nothing that an application may lack", () => {
    expect(declarations.packages.filter((named) => !isAllowed(limits.types)(named))).toEqual([]);
  });
});

describe.each(Object.entries(manifest.bin))("the command %s", (_, file) => {
  it("loads nothing but Node's own before it knows what it is to do, and every peer later", () => {
    const { packages } = reach(file);
    expect(packages.filter((name) => !name.startsWith("node:"))).toEqual([]);
    const later = reach(file, { later: true }).packages.filter((name) => !name.startsWith("node:"));
    expect(later).toEqual([
      aws,
      "@modelcontextprotocol/node",
      "@modelcontextprotocol/server",
      "@modelcontextprotocol/server/stdio",
    ]);
  });
});

it("needs every package that it says it needs", () => {
  const { packages, later } = allowed["."] ?? { packages: [], later: [] };
  expect(reach("dist/index.js").packages).toEqual(packages);
  expect(reach("dist/index.js", { later: true }).packages).toEqual([...packages, ...later].sort());
});

it("hands on the license of every package that is built in", () => {
  const started = [...entries().map(([, entry]) => entry.default), ...Object.values(manifest.bin)];
  const files = new Set(started.flatMap((file) => reach(file, { later: true }).files));
  const code = [...files].map((file) => read(file)).join("\n");
  const builtIn = new Set(Array.from(code.matchAll(/^\/\/ node_modules\/((?:@[^/]+\/)?[^/]+)/gm), ([, name]) => name));
  expect([...builtIn]).toEqual(expect.arrayContaining(["commander", "p-limit", "zod"]));
  const licenses = read("dist/THIRD-PARTY-LICENSES.txt");
  for (const name of builtIn) expect(licenses).toContain(`${name}\n\n`);
});

function bytesOf(files: readonly string[]): number {
  return files.reduce((sum, file) => sum + Buffer.byteLength(read(file)), 0);
}
