import { MemoryError } from "../errors.ts";
import type { Call } from "./call.ts";
import { hasKeys, listPages } from "./listing.ts";
import { ancestorsOf, type MemoryPath } from "./memory-path.ts";
import * as messages from "./messages.ts";
import type { ListedObject } from "./object-store.ts";

/** Pages that a count goes on where it meets keys that are no files of Claude's. */
const pagesBeyondLimit = 5;

/** What stands where a new file or directory is to go. */
export interface Survey {
  /** A file where the path needs a directory. */
  readonly ancestorFile: MemoryPath | undefined;
  /** There are keys below the path, a marker object counts. */
  readonly isDirectory: boolean;
  /** The file at the path itself; `unknown` where only its write condition will tell. */
  readonly existing: "file" | "none" | "unknown";
  /** The files of the scope, and their bytes; as far as they were counted. */
  readonly files: number;
  readonly bytes: number;
  /** Everything was counted. */
  readonly isWhole: boolean;
}

/** Refuses a target that lies below a file. */
export function assertNoFileAbove({ ancestorFile }: Survey): void {
  if (ancestorFile !== undefined) {
    throw new MemoryError("not_a_directory", messages.isAFile(ancestorFile));
  }
}

/**
 * Looks around a target before a write. While a limit of the scope is on, its files must be counted
 * anyway: one listing of the scope (one request per 1,000 files) answers everything. Otherwise, and
 * where a scope holds more files than the count needs, the path's own neighbourhood is asked.
 */
export async function survey(call: Call, target: MemoryPath): Promise<Survey> {
  if (!countsFiles(call)) return surveyNeighbourhood(call, target);
  const counted = await countScope(call, target);
  if (counted.isWhole) return counted;
  return { ...(await surveyNeighbourhood(call, target)), files: counted.files, bytes: counted.bytes };
}

/** The bytes of all files of the scope: one LIST per 1,000 files. */
export async function scopeBytes(call: Call): Promise<number> {
  return (await countScope(call)).bytes;
}

/** Every key below the two ends of a rename. */
export interface ListedEnds {
  readonly source: readonly ListedObject[];
  readonly target: readonly ListedObject[];
}

/**
 * As {@link survey}, for the target of a rename. Where the scope is listed anyway, the same listing also tells
 * what lies below both ends.
 */
export async function surveyMove(
  call: Call,
  source: MemoryPath,
  target: MemoryPath,
): Promise<Survey & { readonly ends: ListedEnds | undefined }> {
  const { keys } = call;
  if (!countsFiles(call)) return { ...(await surveyNeighbourhood(call, target)), ends: undefined };
  const prefixes = { source: keys.prefixOf(source), target: keys.prefixOf(target) };
  const ends = { source: [] as ListedObject[], target: [] as ListedObject[] };
  const counted = await countScope(call, target, (object) => {
    if (object.key.startsWith(prefixes.source)) ends.source.push(object);
    if (object.key.startsWith(prefixes.target)) ends.target.push(object);
  });
  if (counted.isWhole) return { ...counted, ends };
  return { ...(await surveyNeighbourhood(call, target)), ends: undefined };
}

/** Whether a limit makes a listing of the whole scope necessary. */
function countsFiles({ limits }: Call): boolean {
  return limits.files !== Infinity || limits.totalBytes !== Infinity;
}

/** Every key below a directory. */
export async function listBelow(call: Call, path: MemoryPath): Promise<readonly ListedObject[]> {
  const objects: ListedObject[] = [];
  for await (const page of listPages(call.store, { prefix: call.keys.prefixOf(path), ...call.request })) {
    objects.push(...page.objects);
  }
  return objects;
}

async function countScope(call: Call, target?: MemoryPath, onObject?: (object: ListedObject) => void): Promise<Survey> {
  const { store, keys, limits, request } = call;
  const exact = target && keys.keyOf(target);
  const below = target && keys.prefixOf(target);
  const above = new Map((target ? ancestorsOf(target) : []).map((path) => [keys.keyOf(path), path]));
  let ancestorFile: MemoryPath | undefined;
  let isDirectory = false;
  let exists = false;
  let files = 0;
  let bytes = 0;
  let isWhole = true;
  let pages = 0;
  for await (const page of listPages(store, { prefix: keys.memories, ...request })) {
    for (const object of page.objects) {
      if (object.key === exact) exists = true;
      if (below && object.key.startsWith(below)) isDirectory = true;
      ancestorFile ??= above.get(object.key);
      onObject?.(object);
      if (keys.pathOf(object.key) === undefined) continue; // a marker, or no file that Claude could delete
      files += 1;
      bytes += object.size;
    }
    pages += 1;
    // Where only the number counts, how far it is over the limit need not be known; nor may keys of other tools,
    // which do not count, make every create pay for them.
    const isEnough = files > limits.files || pages >= limits.files / 1_000 + pagesBeyondLimit;
    if (page.next !== undefined && limits.totalBytes === Infinity && isEnough) {
      isWhole = false;
      break;
    }
  }
  return { isWhole, ancestorFile, isDirectory, existing: exists ? "file" : "none", files, bytes };
}

async function surveyNeighbourhood(call: Call, target: MemoryPath): Promise<Survey> {
  const { store, keys, request } = call;
  const ancestors = ancestorsOf(target);
  const [below, heads] = await Promise.all([
    hasKeys(store, { prefix: keys.prefixOf(target), ...request }),
    Promise.all(ancestors.map((path) => store.head(keys.keyOf(path), request))),
  ]);
  return {
    ancestorFile: ancestors.find((_, index) => heads[index]?.outcome === "found"),
    isDirectory: below,
    existing: "unknown",
    files: 0,
    bytes: 0,
    isWhole: false,
  };
}
