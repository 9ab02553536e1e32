import { existsSync } from "node:fs";
import { posix } from "node:path";
import { expect, it } from "vitest";
import { absolute, pages, read } from "./project.ts";

/** The text without its code, in which brackets are no links. */
function prose(page: string): string {
  return read(page)
    .replaceAll(/^```[^]*?^```$/gm, "")
    .replaceAll(/(`+)(?!`).*?(?<!`)\1(?!`)/g, "");
}

/** The anchors that GitHub gives the headings of a page. */
function anchorsOf(page: string): readonly string[] {
  const headings = read(page).matchAll(/^#+ (?<title>.+)$/gm);
  return [...headings].map(({ groups }) =>
    (groups?.["title"] ?? "")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function brokenLinks(page: string): readonly string[] {
  const targets = [...prose(page).matchAll(/\]\((?<target>[^)\s]+)\)/g)].map(({ groups }) => groups?.["target"] ?? "");
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [path = "", anchor] = target.split("#");
      const file = path === "" ? page : posix.join(posix.dirname(page), path);
      if (!existsSync(absolute(file))) return true;
      return anchor !== undefined && !anchorsOf(file).includes(anchor);
    });
}

it.each(pages())("has no link in %s that leads nowhere", (page) => {
  expect(brokenLinks(page)).toEqual([]);
});

it("is linked from its index, every page of the documentation", () => {
  const index = read("docs/README.md");
  const missing = pages().filter((page) => page.startsWith("docs/") && !index.includes(`](${page.slice(5)})`));
  expect(missing).toEqual(["docs/README.md"]);
});
