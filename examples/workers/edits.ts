import type { MemoryFiles } from "s3-memory-tool";
import { everyCustomer, index, indexText, logLine, logOf, tasks } from "./tasks.ts";

export interface Edits {
  readonly expected: number;
  readonly lost: number;
  readonly doubled: number;
}

/** Compares the memory with what it has to hold: each line of each file exactly once, and no other. */
export async function countEdits(files: MemoryFiles): Promise<Edits> {
  const expected = new Map([[index, linesOf(indexText("answered"))]]);
  for (const customer of everyCustomer) {
    const tickets = tasks.filter((task) => task.customer === customer).map(({ ticket }) => logLine(ticket));
    expected.set(logOf(customer), [`# ${customer}`, ...tickets]);
  }
  let lost = 0;
  let doubled = 0;
  for (const [path, lines] of expected) {
    const found = linesOf((await files.read(path))?.text ?? "");
    lost += leftOver(lines, found);
    doubled += leftOver(found, lines);
  }
  return { expected: [...expected.values()].flat().length, lost, doubled };
}

/** How many lines there are that have no partner among the others. */
function leftOver(lines: readonly string[], others: readonly string[]): number {
  const partners = [...others];
  return lines.filter((line) => {
    const partner = partners.indexOf(line);
    if (partner >= 0) partners.splice(partner, 1);
    return partner < 0;
  }).length;
}

function linesOf(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}
