import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { plantedDefects } from "./mutations.ts";

const textOf = (file: string): string => readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), "utf8");

describe("the planted defects", () => {
  it.each(plantedDefects)("find the text that they replace exactly once: $name", ({ also = [], ...mutation }) => {
    for (const { file, from, to } of [mutation, ...also]) {
      expect(file).toMatch(/^src\//);
      expect(textOf(file).split(from), from).toHaveLength(2);
      expect(to).not.toBe(from);
    }
  });

  it("are at least twenty, each with a name of its own and a reason", () => {
    expect(plantedDefects.length).toBeGreaterThanOrEqual(20);
    expect(new Set(plantedDefects.map(({ name }) => name)).size).toBe(plantedDefects.length);
    for (const { why } of plantedDefects) expect(why).toMatch(/^["A-Z].*\.$/);
  });
});
