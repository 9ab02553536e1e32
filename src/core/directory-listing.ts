import { listPages } from "./listing.ts";
import type { ListOptions, ObjectStore } from "./object-store.ts";
import { compareUtf8 } from "./utf8-order.ts";

/** An object, or, in a listing with a delimiter, the prefix that everything below it was rolled up into. */
export interface ListedEntry {
  readonly key: string;
  /** Bytes; 0 for a prefix, of which nothing is known. */
  readonly size: number;
  readonly isPrefix: boolean;
}

export interface ListedBlock {
  readonly entries: readonly ListedEntry[];
  /** Nothing follows. */
  readonly isLast: boolean;
}

/** How many requests may still be sent. */
export class RequestBudget {
  #remaining: number;

  constructor(requests: number) {
    this.#remaining = requests;
  }

  /** Takes one request, if more than `reserve` are left. */
  take(reserve: number): boolean {
    if (this.#remaining <= reserve) return false;
    this.#remaining -= 1;
    return true;
  }
}

/** The size of a full page. */
const blockSize = 1_000;

/**
 * A listing in blocks of 1,000 entries, however the store cuts its pages, so that what is made of the
 * blocks does not depend on the pages. On full pages a block costs one request. The keys of all blocks
 * rise strictly in UTF-8 byte order, from `startAfter` on: what is repeated or out of order while
 * others write is left out. Where the budget ends, the entries read so far are the final block, and
 * it is not the last.
 */
export async function* readBlocks(
  store: Pick<ObjectStore, "list">,
  options: Omit<ListOptions, "token" | "pageSize">,
  budget: RequestBudget,
  reserve = 0,
): AsyncGenerator<ListedBlock, void, undefined> {
  const pages = listPages(store, options);
  let waiting: ListedEntry[] = [];
  let previous = options.startAfter;
  let hasMore = true;
  while (hasMore || waiting.length > 0) {
    let isAffordable = true;
    while (hasMore && waiting.length < blockSize) {
      isAffordable = budget.take(reserve);
      if (!isAffordable) break;
      const { value: page } = await pages.next();
      for (const entry of page === undefined ? [] : entriesOf(page)) {
        if (previous !== undefined && compareUtf8(entry.key, previous) <= 0) continue;
        previous = entry.key;
        waiting.push(entry);
      }
      hasMore = page?.next !== undefined;
    }
    const entries = waiting.slice(0, blockSize);
    waiting = waiting.slice(blockSize);
    yield { entries, isLast: !hasMore && waiting.length === 0 };
    if (!isAffordable) return;
  }
}

function entriesOf(page: {
  objects: readonly { key: string; size: number }[];
  prefixes: readonly string[];
}): ListedEntry[] {
  const entries = page.objects.map(({ key, size }) => ({ key, size, isPrefix: false }));
  if (page.prefixes.length === 0) return entries;
  const prefixes = page.prefixes.map((key) => ({ key, size: 0, isPrefix: true }));
  return [...entries, ...prefixes].sort((one, other) => compareUtf8(one.key, other.key));
}
