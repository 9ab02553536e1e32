/** What every handler does with the text once it has it: the least that the tool's contract asks. */

export function numberedLines(path: string, text: string): string {
  const lines = text.split("\n").map((line, index) => `${String(index + 1).padStart(6)}\t${line}`);
  return `Here's the content of ${path} with line numbers:\n${lines.join("\n")}`;
}

export function directoryRows(
  path: string,
  entries: Iterable<{ readonly name: string; readonly size: number }>,
): string {
  const rows = [...entries].map(({ name, size }) => `${(size / 1024).toFixed(1)}K\t${path}/${name}`);
  return `Here're the files and directories up to 2 levels deep in ${path}:\n${rows.join("\n")}`;
}

export function replaceOnce(text: string, path: string, oldText: string, newText: string): string {
  const parts = text.split(oldText);
  if (parts.length !== 2) throw new Error(`No replacement was performed in ${path}.`);
  return parts.join(newText);
}

export function insertAfter(text: string, line: number, added: string): string {
  return text.split("\n").toSpliced(line, 0, added.replace(/\n$/, "")).join("\n");
}

export const missing = (path: string): Error => new Error(`The path ${path} does not exist`);
export const exists = (path: string): Error => new Error(`File ${path} already exists`);
