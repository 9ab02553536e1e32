import * as because from "../because.ts";
import { failed, ok, type ConformanceGroup } from "../conformance-case.ts";
import { insert, replace, view } from "../inputs.ts";
import { content, edited, listing } from "../texts.ts";

const root = "/memories";
const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const jpeg = new Uint8Array([0xff, 0xd8, 0xff, 0xe0]);
const noText = new Uint8Array([0x61, 0xff, 0x62]);
const notText = (name: string): string => `Error: /memories/${name} is neither text nor an image that can be shown`;

export const binaries: ConformanceGroup = {
  title: "Images and other binary files",
  cases: [
    {
      name: "shows a PNG as an image, its ending in any case",
      files: { "a.PNG": png },
      calls: [
        [
          view("/memories/a.PNG"),
          ok("image/png base64 iVBORw0KGgo="),
          ok(content("/memories/a.PNG", "     1\t\u{fffd}PNG\r", "     2\t\u{1a}", "     3\t")),
        ],
      ],
      why: [because.images],
    },
    {
      name: "shows a JPEG as an image, whatever the range",
      files: { "a.jpg": jpeg, "b.jpeg": jpeg },
      calls: [
        [
          view("/memories/a.jpg"),
          ok("image/jpeg base64 /9j/4A=="),
          ok(content("/memories/a.jpg", "     1\t\u{fffd}\u{fffd}\u{fffd}\u{fffd}")),
        ],
        [view("/memories/b.jpeg", [7, 9]), ok("image/jpeg base64 /9j/4A=="), ok(`${content("/memories/b.jpeg")}\n`)],
      ],
      why: [because.images],
    },
    {
      name: "shows text in a file that is only named like an image",
      files: { "a.png": "text" },
      calls: [[view("/memories/a.png"), ok(content("/memories/a.png", "     1\ttext"))]],
    },
    {
      name: "shows no image in a file that is not named like one",
      files: { "a.bin": png },
      calls: [
        [
          view("/memories/a.bin"),
          failed(notText("a.bin")),
          ok(content("/memories/a.bin", "     1\t\u{fffd}PNG\r", "     2\t\u{1a}", "     3\t")),
        ],
      ],
      why: [because.textOnly],
    },
    {
      name: "refuses to view bytes that are no text",
      files: { "a.md": noText },
      calls: [[view("/memories/a.md"), failed(notText("a.md")), ok(content("/memories/a.md", "     1\ta\u{fffd}b"))]],
      why: [because.textOnly],
    },
    {
      name: "refuses to edit bytes that are no text, and keeps them",
      files: { "a.md": noText },
      calls: [
        [replace("/memories/a.md", "a", "c"), failed(notText("a.md")), ok(edited("     1\tc\u{fffd}b"))],
        [insert("/memories/a.md", 0, "x"), failed(notText("a.md")), ok("The file /memories/a.md has been edited.")],
      ],
      sdkAfter: { "a.md": "x\nc\u{fffd}b" },
      why: [because.textOnly],
    },
    {
      name: "lists and deletes them like any other file",
      files: { "a.bin": noText, "b.png": png },
      calls: [
        [
          view(root),
          ok(listing(root, "11B\t/memories", "3B\t/memories/a.bin", "8B\t/memories/b.png")),
          ok(listing(root, "<inode>\t/memories", "3B\t/memories/a.bin", "8B\t/memories/b.png")),
        ],
        [{ command: "delete", path: "/memories/a.bin" }, ok("Successfully deleted /memories/a.bin")],
      ],
      after: { "b.png": png },
      why: [because.directorySize],
    },
  ],
};
