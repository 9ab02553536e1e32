/**
 * What edits and views should do, written once more and as plainly as the texts of the simulation allow: short, and
 * every line and every word in it unique. Nothing here comes from the code that is judged.
 */

/** Lines end in `\n`; a final one opens no line. */
export function linesOf(text: string): readonly string[] {
  if (text === "") return [];
  return (text.endsWith("\n") ? text.slice(0, -1) : text).split("\n");
}

/** The words of a text, by which its content is followed from file to file. */
export function tokensOf(text: string): readonly string[] {
  return text.match(/\S+/g) ?? [];
}

export function countOf(text: string, part: string): number {
  return part === "" ? 0 : text.split(part).length - 1;
}

/** `undefined` where the text is not there exactly once. */
export function replaceOnce(text: string, oldText: string, newText: string): string | undefined {
  if (countOf(text, oldText) !== 1) return undefined;
  const at = text.indexOf(oldText);
  return text.slice(0, at) + newText + text.slice(at + oldText.length);
}

/** The text with an addition after a line; `undefined` where there is no such line. */
export function insertAfter(text: string, line: number, addition: string): string | undefined {
  const lines = linesOf(text);
  if (line < 0 || line > lines.length) return undefined;
  if (lines.length === 0) return addition;
  const added = addition.endsWith("\n") ? addition.slice(0, -1) : addition;
  const joined = [...lines.slice(0, line), added, ...lines.slice(line)].join("\n");
  // The end stays as it was: with a final newline or without.
  return text.endsWith("\n") || line < lines.length ? joined + (text.endsWith("\n") ? "\n" : "") : joined;
}

/** The numbered rows of a file's view, or of a part of it. */
export function rowsOf(text: string, range: readonly [number, number] = [1, -1]): readonly string[] {
  const [first, last] = range;
  const rows = linesOf(text).map((line, index) => `${String(index + 1).padStart(6)}\t${line}`);
  return rows.slice(first - 1, last === -1 ? undefined : last);
}

export function fileView(path: string, text: string, range?: readonly [number, number]): string {
  return [`Here's the content of ${path} with line numbers:`, ...rowsOf(text, range)].join("\n");
}

/** Whether an error's text says that something was done, or may have been: what was moved, what was kept, what stayed. */
export function saysWhatStands(content: string): boolean {
  return /w(?:as|ere) kept|stayed in|moved by someone else|both moved or deleted|was moved back to|only in part|was not finished/.test(
    content,
  );
}
