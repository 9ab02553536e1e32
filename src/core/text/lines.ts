/**
 * Lines end in `\n` and nowhere else: `\r`, NEL and U+2028 are content. A final `\n` ends a line and
 * does not open one, so `a\n` has one line and the empty text none.
 */
export function countLines(text: string): number {
  return text === "" ? 0 : lineNumberAt(text, text.length - 1);
}

/** The number, from 1, of the line that the character at `offset` belongs to, a `\n` to the line that it ends. */
export function lineNumberAt(text: string, offset: number): number {
  let number = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) number += 1;
  return number;
}

/** The offset at which a line starts; the end of the text for any line after the last. */
export function startOfLine(text: string, number: number): number {
  let start = 0;
  for (let line = 1; line < number; line += 1) {
    const end = text.indexOf("\n", start);
    if (end === -1) return text.length;
    start = end + 1;
  }
  return start;
}

/** The offset of the `\n` that ends the line which starts here, or the end of the text. */
export function endOfLine(text: string, start: number): number {
  const newline = text.indexOf("\n", start);
  return newline === -1 ? text.length : newline;
}

/** The lines `first` to `last`, from 1, without their `\n`; made one by one as they are asked for. */
export function* linesBetween(
  text: string,
  first: number,
  last: number,
): Generator<{ readonly number: number; readonly line: string }> {
  let start = startOfLine(text, first);
  for (let number = first; number <= last && start < text.length; number += 1) {
    const end = endOfLine(text, start);
    yield { number, line: text.slice(start, end) };
    start = end + 1;
  }
}
