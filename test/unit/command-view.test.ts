import { describe, expect, it } from "vitest";
import { testMemory } from "../support/test-memory.ts";

const view = (path: string, view_range?: unknown): object => ({ command: "view", path, view_range });
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);

describe("view", () => {
  it("shows an empty memory, whose root always exists", async () => {
    const { say } = testMemory();
    expect(await say(view("/memories"))).toBe(
      "Here're the files and directories up to 2 levels deep in /memories, excluding hidden items and node_modules:\n" +
        "0B\t/memories",
    );
  });

  it("shows a directory with the path as sent and canonical rows", async () => {
    const { say, plant } = testMemory();
    plant("dir/a.md", "12345");
    expect(await say(view("/memories//dir/"))).toBe(
      "Here're the files and directories up to 2 levels deep in /memories//dir/, excluding hidden items and node_modules:\n" +
        "5B\t/memories//dir/\n5B\t/memories/dir/a.md",
    );
  });

  it("shows a file with line numbers, or the lines that are asked for", async () => {
    const { say, plant } = testMemory();
    plant("a.md", "one\ntwo\nthree\n");
    expect(await say(view("/memories/a.md"))).toBe(
      "Here's the content of /memories/a.md with line numbers:\n     1\tone\n     2\ttwo\n     3\tthree",
    );
    expect(await say(view("/memories/a.md", [2, -1]))).toContain(":\n     2\ttwo\n     3\tthree");
    expect(await say(view("/memories/a.md", null))).toContain("     1\tone");
    expect(await say(view("/memories/a.md", [4, 5]))).toContain("[1, 3]");
  });

  it("ignores a view_range on a directory and on an image", async () => {
    const { say, plant } = testMemory();
    plant("dir/a.png", png);
    expect(await say(view("/memories/dir", [7, 9]))).toContain("/memories/dir/a.png");
    expect(await say(view("/memories/dir/a.png", [7, 9]))).toContain('"type":"image"');
  });

  it("says that a missing path does not exist, also below a file", async () => {
    const { say, plant } = testMemory();
    plant("a", "x");
    for (const path of ["/memories/b.md", "/memories/b", "/memories/a/b"]) {
      expect(await say(view(path))).toBe(`The path ${path} does not exist. Please provide a valid path.`);
    }
  });

  it("case 29: means the file where a file and a directory share a name; both are listed, and each exact path works", async () => {
    const { say, plant } = testMemory();
    plant("a", "file");
    plant("a/b", "below");
    expect(await say(view("/memories/a"))).toContain("     1\tfile");
    expect(await say(view("/memories/a/b"))).toContain("     1\tbelow");
    expect(await say(view("/memories"))).toContain("4B\t/memories/a\n5B\t/memories/a/\n5B\t/memories/a/b");
  });

  it("shows images as image blocks, and refuses other content that is no text", async () => {
    const { user, say, plant } = testMemory();
    plant("a.PNG", png);
    plant("b.jpg", png);
    plant("c.bin", png);
    expect(await user.execute(view("/memories/a.PNG"))).toEqual({
      isError: false,
      content: [
        {
          type: "image",
          source: { type: "base64", media_type: "image/png", data: Buffer.from(png).toString("base64") },
        },
      ],
    });
    const refusal = "is neither text nor an image that can be shown";
    expect(await say(view("/memories/b.jpg"))).toBe(`Error: /memories/b.jpg ${refusal}`);
    expect(await say(view("/memories/c.bin"))).toBe(`Error: /memories/c.bin ${refusal}`);
  });

  it("does not download what is too large to view", async () => {
    const { say, plant } = testMemory();
    plant("a.md", new Uint8Array(6 * 1024 * 1024));
    plant("a.png", new Uint8Array([...png, ...new Uint8Array(6 * 1024 * 1024)]));
    expect(await say(view("/memories/a.md"))).toBe("Error: /memories/a.md is too large to view (6.0M)");
    expect(await say(view("/memories/a.png"))).toBe("Error: /memories/a.png is too large to view (6.0M)");
  });

  it("case 19: never cuts silently, and never says more than 16,000 characters", async () => {
    const { say, plant } = testMemory();
    plant("a.md", Array.from({ length: 5_000 }, (_, line) => `line ${line}`).join("\n"));
    const text = await say(view("/memories/a.md"));
    expect(text.length).toBeLessThanOrEqual(16_000);
    expect(text.split("\n").at(-1)).toMatch(/lines 1 to \d+ of 5000 .*view_range \[\d+, /);
    for (let file = 0; file < 900; file++) plant(`some-longer-name-${file}`, "");
    const listing = await say(view("/memories"));
    expect(listing.length).toBeLessThanOrEqual(16_000);
    expect(listing.split("\n").at(-1)).toMatch(/shown: \d+ of 901/);
  });

  it("asks for file and directory at once where the name tells nothing, and for the file first where it does", async () => {
    const { say, plant, log } = testMemory();
    plant("a.md", "x");
    plant("dir/a", "x");
    await say(view("/memories/a.md"));
    await say(view("/memories/dir"));
    await say(view("/memories/dir/a"));
    expect(log).toEqual(["get a.md", "get dir", "list dir/", "get dir/a", "list dir/a/"]);
  });
});
