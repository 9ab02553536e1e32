import pLimit from "p-limit";

/** Requests under way at once for one command. The SDK's default is 50 sockets; other calls need some too. */
const concurrency = 16;

/** Bounded concurrency. After a failure nothing new starts, and what is under way has settled before it is thrown. */
export async function eachSettled<T, R>(items: readonly T[], task: (item: T) => Promise<R>): Promise<R[]> {
  const failures: unknown[] = [];
  const results: R[] = [];
  await pLimit(concurrency).map(items, async (item) => {
    if (failures.length > 0) return;
    try {
      results.push(await task(item));
    } catch (error) {
      failures.push(error);
    }
  });
  if (failures.length > 0) throw failures[0];
  return results;
}
