/** The file that everybody edits: a counter for each worker, so that a lost or doubled edit shows. */
export const countersPath = "/memories/counters.md";

export function counter(worker: number, count: number): string {
  return `worker ${worker}: ${count};`;
}

/** The counts in such a file, by worker. */
export function countsIn(text: string): readonly number[] {
  return [...text.matchAll(/: (\d+);/g)].map(([, count]) => Number(count));
}
