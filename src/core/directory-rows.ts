import type { KeySpace } from "./key-space.ts";
import { formatSize } from "./text/size.ts";

/** What a view needs to know of the keys. */
export type DirectoryKeys = Pick<KeySpace, "prefixOf" | "pathOf">;

/** One line of a directory's view. */
export interface DirectoryRow {
  /** As it is shown; a directory's ends in `/`. */
  readonly path: string;
  /** Bytes; of a directory, all that was counted below it. */
  readonly size: number;
  /** `false` if there may be bytes below it that were not counted. */
  readonly isExact: boolean;
}

/** A directory that the last key lies in; it grows until a key beyond it comes. */
interface OpenDirectory {
  readonly prefix: string;
  readonly isShown: boolean;
  path: string;
  size: number;
  isExact: boolean;
}

const levels = 2;

/**
 * The rows of a directory's view, made from its keys in UTF-8 byte order, which is the order of the
 * rows: depth-first, siblings by the bytes of their name, a directory's with its `/`.
 *
 * Hidden entries, `node_modules` and what is the canonical form of no path get no row, nor does
 * anything below them, but their bytes count in the directories above. A directory is there as soon
 * as one key lies below it, its own marker `dir/` included. Rows that don't fit are counted, not kept.
 */
export class DirectoryRows {
  readonly #keys: DirectoryKeys;
  readonly #root: OpenDirectory;
  /** The open directories of level 1 and 2, each below the one before. */
  readonly #open: OpenDirectory[] = [];
  readonly #rows: DirectoryRow[] = [];
  #room: number;
  #omitted = 0;
  #hasKeys = false;
  #hasDirectories = false;

  /**
   * @param prefix the keys' common prefix, that of the directory
   * @param path the directory as the first row shows it
   * @param room characters for the rows below the first one
   */
  constructor(keys: DirectoryKeys, prefix: string, path: string, room: number) {
    this.#keys = keys;
    this.#root = { prefix, isShown: true, path, size: 0, isExact: true };
    this.#room = room;
  }

  /** The first row. */
  get root(): DirectoryRow {
    return this.#root;
  }

  /** The rows below the first one, as far as they may fit: a directory's row counts with the shortest size. */
  get rows(): readonly DirectoryRow[] {
    return this.#rows;
  }

  /** How many rows were left out after those. */
  get omitted(): number {
    return this.#omitted;
  }

  get isFull(): boolean {
    return this.#omitted > 0;
  }

  /** Whether there was any key, so that the directory exists. */
  get hasKeys(): boolean {
    return this.#hasKeys;
  }

  /** Whether a directory was among the rows, the omitted ones included. */
  get hasDirectories(): boolean {
    return this.#hasDirectories;
  }

  /** The prefix of the first-level directory that the last key lies in, if that directory is shown. */
  get openPrefix(): string | undefined {
    const directory = this.#open[0];
    return directory?.isShown === true ? directory.prefix : undefined;
  }

  addObject(key: string, size: number): void {
    const directories = this.#enter(key);
    for (const directory of directories) directory.size += size;
    const parent = directories.at(-1) ?? this.#root;
    const name = key.slice(parent.prefix.length);
    const isTooDeep = directories.length > levels;
    if (isTooDeep || !parent.isShown || !isVisible(name)) return;
    const path = this.#keys.pathOf(key);
    if (path !== undefined) this.#push({ path, size, isExact: true }, formatSize(size));
  }

  /** A directory of which no more is known than that it is there. Answers whether it is shown. */
  addPrefix(prefix: string): boolean {
    const directory = this.#enter(prefix).at(-1) ?? this.#root;
    directory.isExact = false;
    return directory.isShown;
  }

  /** Every key below this directory, just added by its prefix, has been added since. */
  settle(prefix: string): void {
    const directory = this.#open.find((candidate) => candidate.prefix === prefix);
    if (directory !== undefined) directory.isExact = true;
  }

  /** Keys that follow the last one are not known: the directories it lies in may hold more. */
  interrupt(): void {
    for (const directory of [this.#root, ...this.#open]) directory.isExact = false;
  }

  /** The directories that a key lies in, from the root down to the last level that is shown. */
  #enter(key: string): readonly OpenDirectory[] {
    this.#hasKeys = true;
    const entered = [this.#root];
    let parent = this.#root;
    for (let level = 0; level < levels; level += 1) {
      const end = key.indexOf("/", parent.prefix.length) + 1;
      if (end === 0) break;
      const prefix = key.slice(0, end);
      const open = this.#open[level];
      parent = open?.prefix === prefix ? open : this.#begin(level, prefix, parent);
      entered.push(parent);
    }
    this.#open.length = entered.length - 1;
    return entered;
  }

  #begin(level: number, prefix: string, parent: OpenDirectory): OpenDirectory {
    const name = prefix.slice(parent.prefix.length, -1);
    const path = parent.isShown && isVisible(name) ? this.#keys.pathOf(prefix.slice(0, -1)) : undefined;
    const directory = { prefix, isShown: path !== undefined, path: `${path ?? ""}/`, size: 0, isExact: true };
    this.#open.length = level;
    this.#open.push(directory);
    if (directory.isShown) {
      this.#hasDirectories = true;
      this.#push(directory, "0B");
    }
    return directory;
  }

  #push(row: DirectoryRow, shortestSize: string): void {
    this.#room -= `\n${shortestSize}\t`.length + row.path.length;
    if (this.#room >= 0) this.#rows.push(row);
    else this.#omitted += 1;
  }
}

/** Whether the directory's view shows an entry of this name. */
function isVisible(name: string): boolean {
  return !name.startsWith(".") && name !== "node_modules";
}
