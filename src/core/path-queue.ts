import { overlaps, type MemoryPath } from "./memory-path.ts";

interface Place {
  readonly paths: readonly MemoryPath[];
  readonly reads: boolean;
  readonly done: Promise<unknown>;
}

export interface PathQueue {
  /**
   * Runs the task once every earlier task on an overlapping path has ended, however it ended. Tasks
   * on other paths run in parallel, and so do reads of one path. A waiting task whose signal is aborted
   * starts at once: it will find its signal aborted, and hold nobody up.
   */
  run<T>(
    paths: readonly MemoryPath[],
    options: { readonly reads: boolean; readonly signal?: AbortSignal },
    task: () => Promise<T>,
  ): Promise<T>;
}

/**
 * The order inside one process: a turn of Claude may carry several commands, which the tool runner
 * starts all at once. Correctness between workers does not depend on it; the order in which Claude
 * sent them does.
 */
export function createPathQueue(): PathQueue {
  const places = new Set<Place>();
  return {
    run(paths, { reads, signal }, task) {
      const before = [...places].filter((place) => !(reads && place.reads) && overlap(place.paths, paths));
      const result = before.length === 0 ? task() : waitForAll(before, signal).then(task);
      const leave = (): void => void places.delete(place);
      const place: Place = { paths, reads, done: result.then(leave, leave) };
      places.add(place);
      return result;
    },
  };
}

function overlap(some: readonly MemoryPath[], others: readonly MemoryPath[]): boolean {
  return some.some((one) => others.some((other) => overlaps(one, other)));
}

async function waitForAll(places: readonly Place[], signal: AbortSignal | undefined): Promise<void> {
  const all = Promise.all(places.map((place) => place.done));
  if (!signal) {
    await all;
    return;
  }
  const aborted = Promise.withResolvers<void>();
  const onAbort = (): void => aborted.resolve();
  if (signal.aborted) return;
  signal.addEventListener("abort", onAbort, { once: true });
  await Promise.race([all, aborted.promise]);
  signal.removeEventListener("abort", onAbort);
}
