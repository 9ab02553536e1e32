import { MemoryError } from "../errors.ts";
import type { Call } from "./call.ts";
import { hasKeys, listPages } from "./listing.ts";
import { ancestorsOf, looksLikeDirectory, type MemoryPath } from "./memory-path.ts";
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
  const { limits } = call;
  // Where only the number counts, how many there are beyond the limit need not be known; nor may keys of other tools,
  // which do not count, make every create pay for them.
  const isEnough = (files: number, pages: number): boolean =>
    limits.totalBytes === Infinity && (files >= limits.files || pages >= limits.files / 1_000 + pagesBeyondLimit);
  const counted = await countScope(call, { target, isEnough });
  if (counted.isWhole) return counted;
  return { ...(await surveyNeighbourhood(call, target)), files: counted.files, bytes: counted.bytes };
}

/** The bytes of all files of the scope: one LIST per 1,000 files. */
export async function scopeBytes(call: Call): Promise<number> {
  return (await countScope(call, {})).bytes;
}

/** What a directory's rename holds of each file below its source; there may be very many. */
export type SourceFile = Pick<ListedObject, "key" | "size">;

/**
 * What is below the two ends of a rename. No streams, since all of it must be known before the first copy is made:
 * whether every file has room at the destination, and whether the names on both sides are a half-done rename.
 */
export interface ListedEnds {
  readonly source: readonly SourceFile[];
  readonly target: ReadonlySet<string>;
}

/**
 * As {@link survey}, for the target of a rename. A rename adds no file, so nothing has to be counted: where the scope
 * fits one page, that page answers everything, and what is below both ends. Else the neighbourhood is asked, and, where
 * the source's name looks like a directory's, all that the rename of a directory needs to know.
 */
export async function surveyMove(
  call: Call,
  source: MemoryPath,
  target: MemoryPath,
): Promise<Survey & { readonly ends: Partial<ListedEnds> }> {
  if (countsFiles(call)) {
    const [from, to] = [call.keys.prefixOf(source), call.keys.prefixOf(target)];
    const ends = { source: [] as SourceFile[], target: new Set<string>() };
    const onObject = ({ key, size }: ListedObject): void => {
      if (key.startsWith(from)) ends.source.push({ key, size });
      if (key.startsWith(to)) ends.target.add(key);
    };
    const counted = await countScope(call, { target, onObject, isEnough: () => true });
    if (counted.isWhole) return { ...counted, ends };
  }
  if (!looksLikeDirectory(source)) return { ...(await surveyNeighbourhood(call, target)), ends: {} };
  const [around, files, atTarget] = await Promise.all([
    surveyNeighbourhood(call, target),
    filesBelow(call, source),
    call.store.head(call.keys.keyOf(target), call.request),
  ]);
  return { ...around, existing: atTarget.outcome === "found" ? "file" : "none", ends: { source: files } };
}

/** What is not known yet of the two ends of a directory's rename. */
export async function listEnds(
  call: Call,
  source: MemoryPath,
  target: MemoryPath,
  around: Survey & { readonly ends: Partial<ListedEnds> },
): Promise<ListedEnds> {
  const { ends, isDirectory } = around;
  const [files, keys] = await Promise.all([
    ends.source ?? filesBelow(call, source),
    ends.target ?? (isDirectory ? keysBelow(call, target) : new Set<string>()),
  ]);
  return { source: files, target: keys };
}

async function filesBelow(call: Call, path: MemoryPath): Promise<readonly SourceFile[]> {
  const files: SourceFile[] = [];
  await eachBelow(call, path, ({ key, size }) => void files.push({ key, size }));
  return files;
}

async function keysBelow(call: Call, path: MemoryPath): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  await eachBelow(call, path, ({ key }) => void found.add(key));
  return found;
}

/** Every key below a directory, page after page. */
export async function eachBelow(call: Call, path: MemoryPath, onObject: (object: ListedObject) => void): Promise<void> {
  for await (const page of listPages(call.store, { prefix: call.keys.prefixOf(path), ...call.request })) {
    for (const object of page.objects) onObject(object);
  }
}

/** Whether a limit makes a listing of the whole scope necessary. */
function countsFiles({ limits }: Call): boolean {
  return limits.files !== Infinity || limits.totalBytes !== Infinity;
}

interface Count {
  readonly target?: MemoryPath;
  readonly onObject?: (object: ListedObject) => void;
  /** Whether the listing may end with this page, though there is more. */
  readonly isEnough?: (files: number, pages: number) => boolean;
}

async function countScope(call: Call, { target, onObject, isEnough }: Count): Promise<Survey> {
  const { store, keys, request } = call;
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
    if (page.next !== undefined && isEnough?.(files, pages)) {
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
