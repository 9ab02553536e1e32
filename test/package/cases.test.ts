import { expect, it } from "vitest";
import { filesOf, read } from "./project.ts";

interface Row {
  readonly number: number;
  readonly titles: readonly string[];
}

const rows: readonly Row[] = [...read("docs/cases.md").matchAll(/^\| (?<number>\d+) \|.*\| (?<titles>[^|]*)\|$/gm)].map(
  ({ groups }) => ({
    number: Number(groups?.["number"]),
    titles: (groups?.["titles"] ?? "")
      .split("<br>")
      .map((title) => title.trim())
      .filter((title) => title !== ""),
  }),
);

const sources = filesOf("test/**/*.ts")
  .filter((file) => !file.startsWith("test/package/"))
  .map(read)
  .join("\n");

it("has the cases 1 to 38 in its list", () => {
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 38 }, (_, index) => index + 1));
});

it.each(rows)("has a test whose title names case $number", ({ number }) => {
  // In the title of a test, or of a row of its table.
  const title = new RegExp(String.raw`["'\`](?:case ${number}: |[^"'\`\n]*\(case ${number}\))`);
  expect(title.test(sources)).toBe(true);
});

it.each(rows)("has the tests that the list names for case $number", ({ titles }) => {
  const missing = titles.filter((title) => !sources.includes(title));
  expect(missing).toEqual([]);
});
