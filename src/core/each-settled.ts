import { isMemoryError } from "../errors.ts";

/** Requests under way at once for one command. The SDK's default is 50 sockets; other calls need some too. */
const requestsAtOnce = 16;

/**
 * Bounded concurrency. An item is only taken once there is room for it, so that those of a generator, such as the pages
 * of a listing, are not held all at once; the next one is on its way while tasks run. After a failure nothing new
 * starts, and what is under way has settled before it is thrown.
 */
export async function eachSettled<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  task: (item: T) => Promise<R>,
  concurrency = requestsAtOnce,
): Promise<R[]> {
  const failures: unknown[] = [];
  const results: R[] = [];
  const running = new Set<Promise<void>>();
  const run = async (item: T): Promise<void> => {
    try {
      results.push(await task(item));
    } catch (error) {
      failures.push(error);
    }
  };
  try {
    for await (const item of items) {
      if (failures.length > 0) break;
      const started = run(item).finally(() => running.delete(started));
      running.add(started);
      if (running.size >= concurrency) await Promise.race(running);
      if (failures.length > 0) break;
    }
  } catch (error) {
    failures.push(error);
  }
  await Promise.all(running);
  if (failures.length > 0) throw failures.find(isUnknown) ?? failures[0];
  return results;
}

/** Of several failures this one is told: what another says was done or not may not be all that was. */
function isUnknown(failure: unknown): boolean {
  return isMemoryError(failure) && failure.code === "outcome_unknown";
}
