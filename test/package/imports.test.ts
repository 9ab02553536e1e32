import { describe, expect, it } from "vitest";
import { reach } from "./modules.ts";
import { entries } from "./project.ts";

interface Allowed {
  /** What loading the entry loads, besides files of the package. */
  readonly packages: readonly string[];
  /** What its types refer to. */
  readonly types: readonly string[];
  /** What it loads later. */
  readonly later: readonly string[];
}

const aws = "@aws-sdk/client-s3";

/** Every entry, and all that it may load. An optional peer appears in its own adapter alone. */
const allowed: Readonly<Record<string, Allowed>> = {
  ".": { packages: ["lru.min", "node:crypto", "zod/mini"], types: [aws], later: [aws, "diff", "p-limit"] },
  "./anthropic": {
    packages: ["@anthropic-ai/sdk/resources/beta/messages"],
    types: [
      "@anthropic-ai/sdk/lib/tools/BetaRunnableTool",
      "@anthropic-ai/sdk/resources/beta/messages",
      "@anthropic-ai/sdk/resources/messages",
    ],
    later: [],
  },
  "./testing": { packages: ["node:*", "p-limit"], types: ["node:*"], later: [] },
};

const isAllowed = (names: readonly string[]) => (name: string) =>
  names.includes(name) || (names.includes("node:*") && name.startsWith("node:"));

describe.each(entries())("the entry %s", (name, entry) => {
  const limits = allowed[name] ?? { packages: [], types: [], later: [] };
  const javaScript = reach(entry.default);
  const declarations = reach(entry.types);

  it("loads nothing but what it needs", () => {
    expect(javaScript.packages.filter((loaded) => !isAllowed(limits.packages)(loaded))).toEqual([]);
  });

  it("loads later what is large or may be missing", () => {
    const { packages } = reach(entry.default, { later: true });
    expect(packages.filter((loaded) => !javaScript.packages.includes(loaded))).toEqual(limits.later);
  });

  it("refers in its types to nothing that an application may lack", () => {
    expect(declarations.packages.filter((named) => !isAllowed(limits.types)(named))).toEqual([]);
  });
});

it("needs every package that it says it needs", () => {
  const { packages, later } = allowed["."] ?? { packages: [], later: [] };
  expect(reach("dist/index.js").packages).toEqual(packages);
  expect(reach("dist/index.js", { later: true }).packages).toEqual([...packages, ...later].sort());
});
