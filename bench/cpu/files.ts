import type { PutObject } from "./server-process.ts";

export const textContentType = "text/plain; charset=utf-8";

const words = "the user prefers short answers with code first and asks for sources when a figure is named".split(" ");

/** Lines of prose, all different, `bytes` of ASCII in all, with `mark` as the line in the middle. */
export function proseOf(bytes: number, mark: string): string {
  const lines: string[] = [];
  for (let length = 0; length < bytes; length += 70) {
    const from = lines.length % words.length;
    lines.push(`- ${lines.length}: ${[...words.slice(from), ...words.slice(0, from)].join(" ")}`.slice(0, 69));
  }
  lines[Math.floor(lines.length / 2)] = mark;
  return `${lines.join("\n").slice(0, bytes - 1)}\n`;
}

/** The metadata of a file that has been edited often: 16 write ids, which every later write carries on. */
export function editedMetadata(command: string): Record<string, string> {
  const ids = Array.from({ length: 16 }, (_, index) => `bench-write-id-${String(index).padStart(7, "0")}`);
  return { "write-ids": ids.join(","), command };
}

/** Small files, half of them at the root and half in directories of ten. */
export function smallFiles(prefix: string, count: number): PutObject[] {
  return Array.from({ length: count }, (_, index) => {
    const topic = `topic-${String(Math.floor(index / 20)).padStart(3, "0")}/`;
    const name = `note-${String(index).padStart(4, "0")}.md`;
    return { key: `${prefix}${index % 2 === 1 ? topic : ""}${name}`, text: "x\n" };
  });
}
