import { readBlocks, RequestBudget } from "./directory-listing.ts";
import { DirectoryRows, type DirectoryKeys, type DirectoryRow } from "./directory-rows.ts";
import { echoPath } from "./echo.ts";
import { isRoot, type MemoryPath } from "./memory-path.ts";
import { directoryHeader } from "./messages.ts";
import type { ObjectStore, RequestOptions } from "./object-store.ts";
import { formatSize } from "./text/size.ts";

/** Up to 10,000 keys are read without a delimiter, which tells every size: 1 request for 1,000 files. */
const recursiveRequests = 10;
/** What may follow, with a delimiter, to find the rows that come after those keys. */
const levelRequests = 10;
/** How many of those are kept for the first level, whatever lies in the directories of it. */
const firstLevelReserve = 2;

interface Reading {
  readonly store: Pick<ObjectStore, "list">;
  readonly request: RequestOptions;
  readonly rows: DirectoryRows;
}

interface LevelReading extends Reading {
  readonly budget: RequestBudget;
  /** Whether every row was found so far. */
  isComplete: boolean;
}

/** `counted`: every key; `listed`: every row, not every size; `partial`: there may be more rows. */
type Extent = "counted" | "listed" | "partial";

/**
 * The text of `view` on a directory, or `undefined` if there is no key below it. The root always exists.
 *
 * At most 20 requests, 1 up to 1,000 files, and no more once the text is full. However large the
 * directory is, only the rows that fit are kept. The text, its last line included, has at most
 * `viewCharacters` UTF-16 units, if those have room for the first two lines and the last one. It does
 * not depend on how the store cuts its pages, as long as the pages are not so short that requests run out.
 */
export async function viewDirectory(
  store: Pick<ObjectStore, "list">,
  keys: DirectoryKeys,
  path: MemoryPath,
  sent: string,
  options: { readonly viewCharacters: number; readonly signal?: AbortSignal },
): Promise<string | undefined> {
  const { viewCharacters, ...request } = options;
  const prefix = keys.prefixOf(path, sent);
  const shownPath = echoPath(sent);
  const header = directoryHeader(sent);
  const rows = new DirectoryRows(keys, prefix, shownPath, viewCharacters - `${header}\n0B\t${shownPath}`.length);
  const extent = await readDirectory({ store, request, rows }, prefix);
  if (extent === "counted" && !rows.hasKeys && !isRoot(path)) return undefined;
  return render(header, rows, extent, viewCharacters);
}

async function readDirectory(reading: Reading, prefix: string): Promise<Extent> {
  const { store, request, rows } = reading;
  let lastKey: string | undefined;
  for await (const block of readBlocks(store, { prefix, ...request }, new RequestBudget(recursiveRequests))) {
    for (const { key, size } of block.entries) rows.addObject(key, size);
    if (block.isLast) return "counted";
    if (rows.isFull) break;
    lastKey = block.entries.at(-1)?.key ?? lastKey;
  }
  rows.interrupt();
  return rows.isFull ? "partial" : readByLevels(reading, prefix, lastKey);
}

/** The rows after `lastKey`: of the first-level directory that this key lies in, then of all that follow it. */
async function readByLevels(reading: Reading, prefix: string, lastKey: string | undefined): Promise<Extent> {
  const { rows } = reading;
  const levels: LevelReading = { ...reading, budget: new RequestBudget(levelRequests), isComplete: true };
  if (rows.openPrefix !== undefined) await readLevel(levels, 2, rows.openPrefix, lastKey);
  if (!rows.isFull) await readLevel(levels, 1, prefix, lastKey);
  return levels.isComplete && !rows.isFull ? "listed" : "partial";
}

/** Adds what lies directly in a directory after a key. Answers whether nothing else lies below it after that key. */
async function readLevel(reading: LevelReading, level: 1 | 2, directory: string, after?: string): Promise<boolean> {
  const { store, request, rows, budget } = reading;
  const startAfter = isHiddenIn(directory, after) ? endOfHidden(directory) : after;
  const start = startAfter === undefined ? {} : { startAfter };
  const options = { prefix: directory, delimiter: "/", ...start, ...request } as const;
  let isEverything = true;
  for await (const block of readBlocks(store, options, budget, level === 1 ? 0 : firstLevelReserve)) {
    for (const { key, size, isPrefix } of block.entries) {
      if (isPrefix) {
        isEverything = false;
        await addDirectory(reading, level, key);
      } else {
        rows.addObject(key, size);
      }
    }
    if (block.isLast) return isEverything;
    if (rows.isFull) return false;
    const lastKey = block.entries.at(-1)?.key;
    if (isHiddenIn(directory, lastKey)) {
      await readLevel(reading, level, directory, lastKey);
      return false;
    }
  }
  reading.isComplete = false;
  return false;
}

async function addDirectory(reading: LevelReading, level: 1 | 2, prefix: string): Promise<void> {
  const isShown = reading.rows.addPrefix(prefix);
  if (level === 2 || !isShown || reading.rows.isFull) return;
  const isEverything = await readLevel(reading, 2, prefix);
  if (isEverything) reading.rows.settle(prefix);
}

/** Hidden entries follow one another in a listing, so that any number of them can be passed over at once. */
function isHiddenIn(directory: string, key: string | undefined): boolean {
  return key !== undefined && key.startsWith(`${directory}.`);
}

/** In byte order `/` comes right after `.`; no path has this key. */
function endOfHidden(directory: string): string {
  return `${directory}/`;
}

function render(header: string, rows: DirectoryRows, extent: Extent, viewCharacters: number): string {
  const lines = [header, ...[rows.root, ...rows.rows].map(rowText)];
  let length = lines.join("\n").length;
  if (extent !== "partial" && !rows.isFull && length <= viewCharacters) return lines.join("\n");
  const headLines = 2;
  for (;;) {
    const note = noteOf(rows, lines.length - headLines, extent);
    if (length + 1 + note.length <= viewCharacters || lines.length === headLines) return [...lines, note].join("\n");
    length -= 1 + (lines.pop() ?? "").length;
  }
}

function rowText(row: DirectoryRow): string {
  return `${row.isExact ? "" : "≥"}${formatSize(row.size)}\t${row.path}`;
}

/** The last line of a view that does not show everything: what is known of the rest, and how to see it. */
function noteOf(rows: DirectoryRows, shown: number, extent: Extent): string {
  const known = rows.rows.length + rows.omitted;
  const file = "file that is not listed can still be viewed by its path.";
  const way = rows.hasDirectories ? `View a directory below to see what it holds; a ${file}` : `A ${file}`;
  if (extent === "counted") return `[Entries shown: ${shown} of ${known}. ${way}]`;
  const extentText =
    shown === known
      ? "There may be more: this directory is too large to be read to its end."
      : `Entries shown: ${shown}, there are more.`;
  return `[${extentText} A size with ≥ was not counted to the end. ${way}]`;
}
