import { compareUtf8 } from "../../core/utf8-order.ts";

/** What a listing answers: keys, and what keys have in common up to the delimiter. */
export interface Page<Entry> {
  readonly entries: readonly Entry[];
  readonly prefixes: readonly string[];
  /** Where the next page starts; absent on the last one. */
  readonly next?: PageStart;
}

/** A page starts after one entry, or after all keys with a common prefix. */
export type PageStart = { readonly after: string; readonly kind: "key" | "prefix" };

export interface PageOptions {
  readonly prefix: string;
  /** `""` for none. */
  readonly delimiter: string;
  readonly start: PageStart | undefined;
  /** Entries and common prefixes together. */
  readonly size: number;
}

function commonPrefix(key: string, { prefix, delimiter }: PageOptions): string | undefined {
  const end = delimiter === "" ? -1 : key.indexOf(delimiter, prefix.length);
  return end === -1 ? undefined : key.slice(0, end + delimiter.length);
}

function isBehind(start: PageStart, key: string): boolean {
  if (start.kind === "prefix" && key.startsWith(start.after)) return false;
  return compareUtf8(key, start.after) > 0;
}

/** Cuts one page out of entries that are sorted by UTF-8 bytes. Common prefixes count towards the page as one each. */
export function cutPage<Entry extends { readonly key: string }>(
  sorted: Iterable<Entry>,
  options: PageOptions,
): Page<Entry> {
  const entries: Entry[] = [];
  const prefixes: string[] = [];
  const { prefix, start, size } = options;
  let last: PageStart | undefined;
  if (size === 0) return { entries, prefixes };
  for (const entry of sorted) {
    if (!entry.key.startsWith(prefix)) {
      if (compareUtf8(entry.key, prefix) > 0) break;
      continue;
    }
    if (start !== undefined && !isBehind(start, entry.key)) continue;
    const common = commonPrefix(entry.key, options);
    if (common !== undefined && common === prefixes.at(-1)) continue;
    if (last !== undefined && entries.length + prefixes.length === size) return { entries, prefixes, next: last };
    if (common === undefined) entries.push(entry);
    else prefixes.push(common);
    last = common === undefined ? { after: entry.key, kind: "key" } : { after: common, kind: "prefix" };
  }
  return { entries, prefixes };
}

/** An opaque continuation token. */
export function encodeToken({ after, kind }: PageStart): string {
  return Buffer.from(`${kind}:${after}`).toString("base64url");
}

export function decodeToken(token: string): PageStart | undefined {
  const [, kind, after] = /^(key|prefix):(.+)$/su.exec(Buffer.from(token, "base64url").toString()) ?? [];
  if (after === undefined || (kind !== "key" && kind !== "prefix")) return undefined;
  return { after, kind };
}

/** `encoding-type=url`: as in a form, a space is a `+`, but `/` stays. */
export function encodeKey(key: string): string {
  const encoded = encodeURIComponent(key).replaceAll("%2F", "/").replaceAll("%20", "+");
  return encoded.replace(/[!'()~]/gu, (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`);
}
