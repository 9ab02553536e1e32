import type { Call } from "./call.ts";
import { eachSettled } from "./each-settled.ts";
import { listPages } from "./listing.ts";
import type { MemoryPath } from "./memory-path.ts";
import type { PlacedCopy } from "./move-copy.ts";
import type { ListedObject } from "./object-store.ts";
import { movedFromOf } from "./write-record.ts";

/** Files of the right size that are looked at, the newest first, besides the copies themselves: a twin was made just now. */
const mostLooks = 100;

/** What is held of a file that may be looked at, page after page no more of them than there will be looks. */
interface Candidate {
  readonly key: string;
  readonly time: number;
}

function candidate({ key, modified }: ListedObject): Candidate {
  return { key, time: modified.getTime() };
}

/**
 * Where else the files stand that this rename has copied: another rename's copies of the same sources carry the same
 * markers. They are only looked for where a source is gone and not by an answered delete of this call: one LIST per
 * 1,000 files of the scope, and a HEAD for each file of the same size. A twin that was edited is not found.
 */
export async function findTwins(
  call: Call,
  copies: readonly (Pick<PlacedCopy, "marker" | "size"> & { readonly target: string })[],
): Promise<readonly MemoryPath[]> {
  const { store, keys, request } = call;
  if (copies.length === 0) return [];
  const own = new Map(copies.map(({ marker, target }) => [marker, target]));
  const sizes = new Set(copies.map(({ size }) => size));
  const looks = mostLooks + copies.length;
  let newest: readonly Candidate[] = [];
  for await (const page of listPages(store, { prefix: keys.memories, ...request })) {
    const candidates = page.objects.filter(({ size }) => sizes.has(size)).map(candidate);
    newest = [...newest, ...candidates].sort((one, other) => other.time - one.time).slice(0, looks);
  }
  const twins = await eachSettled(newest, async ({ key }) => {
    const found = await store.head(key, request);
    const target = found.outcome === "found" ? own.get(movedFromOf(found.metadata) ?? "") : undefined;
    return target !== undefined && target !== key ? keys.pathOf(key) : undefined;
  });
  return twins.filter((path) => path !== undefined).sort();
}
