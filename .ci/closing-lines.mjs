// `node .ci/closing-lines.mjs FOLDER`: the last lines of each vitest run (*.log), then the sum of
// their counts (*.json) as one plain line. Exits with 1 if there was no test or one failed.
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";

const [folder] = process.argv.slice(2);
const read = (extension) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(extension))
    .toSorted()
    .map((name) => readFileSync(join(folder, name), "utf8"));

for (const log of read(".log")) {
  const lines = stripVTControlCharacters(log).split("\n");
  const summary = lines.filter((line) => /^ +(Test Files|Tests|Type Errors|Errors|Duration) {2}/.test(line));
  console.log(`\n${summary.join("\n")}`);
}

let passed = 0;
let failed = 0;
let skipped = 0;
for (const report of read(".json").map((text) => JSON.parse(text))) {
  passed += report.numPassedTests;
  skipped += report.numPendingTests + report.numTodoTests;
  // A file that cannot be loaded, or an error outside of any test, fails a run without a failed test.
  failed += report.numFailedTests || (report.success ? 0 : 1);
}
console.log(`\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exitCode = passed > 0 && failed === 0 ? 0 : 1;
