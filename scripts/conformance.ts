/**
 * `node scripts/conformance.ts` writes docs/conformance.md; with `--check` it writes nothing and exits
 * with 1 if the page is not what it would write.
 */
import { readFile, writeFile } from "node:fs/promises";
import { groups } from "../test/conformance/cases/index.ts";
import { renderPage } from "../test/conformance/page.ts";

const page = new URL("../docs/conformance.md", import.meta.url);
const wanted = renderPage(groups);

if (process.argv.includes("--check")) {
  const found = await readFile(page, "utf8").catch(() => undefined);
  if (found !== wanted) {
    console.error("docs/conformance.md is out of date; `node scripts/conformance.ts` makes it anew.");
    process.exitCode = 1;
  }
} else {
  await writeFile(page, wanted);
}
