import { echoText } from "./echo.ts";
import { longestKey } from "./listing.ts";
import { canonicalOrUndefined, invalidPath, isRoot, rootPath, type MemoryPath } from "./memory-path.ts";
import { exceedsBytes, isWellFormed, utf8Length } from "./text/encoding.ts";

const longestId = 200;

/**
 * Where the files of one scope live in the bucket. No two (scope, path) pairs share a key, and no
 * key lies outside its scope.
 */
export interface KeySpace {
  /** The prefix of every file, ends in `/`. */
  readonly memories: string;
  /** The prefix of what the library keeps for itself about this user, whatever the project; ends in `/`. */
  readonly system: string;
  /**
   * The key of a file; the path's characters stay as they are. Throws `invalid_path` where the key
   * would be over 1,024 bytes; the text repeats `sent`, the path as Claude wrote it. Throws a
   * `TypeError` for the root, which has no key.
   */
  keyOf(path: MemoryPath, sent?: string): string;
  /** The prefix of everything below a directory, ends in `/`; of the root `memories`. Throws as `keyOf` does. */
  prefixOf(path: MemoryPath, sent?: string): string;
  /** The path of a key; `undefined` for a marker, a key outside and one that is no path in canonical form. */
  pathOf(key: string): MemoryPath | undefined;
}

export interface KeySpaceOptions {
  /** One or more segments separated by `/`, at most 200 bytes encoded, without `*`, `?` and `$`. */
  readonly prefix?: string | undefined;
  /** At most 200 bytes encoded, not blank. Compared byte by byte: not normalised, and case matters. */
  readonly user: string;
  /** As `user`. */
  readonly project?: string | undefined;
}

/** What the keys of every user begin with. Throws a `TypeError` for an unusable prefix. */
export function usersPrefix(prefix: string | undefined): string {
  return prefix === undefined ? "users/" : `${encodePrefix(prefix)}/users/`;
}

/** Throws a `TypeError` that names the option, its value and what is expected. */
export function createKeySpace({ prefix, user, project }: KeySpaceOptions): KeySpace {
  const home = `${usersPrefix(prefix)}${encodeId("user", user)}/`;
  const scope = project === undefined ? home : `${home}projects/${encodeId("project", project)}/`;
  const memories = `${scope}memories/`;
  const longestPath = longestKey - utf8Length(memories) + rootPath.length + 1;

  const pathOf = (key: string): MemoryPath | undefined => {
    // A key of the right form over the limit is none that this scope could write to.
    if (!key.startsWith(memories) || exceedsBytes(key, longestKey)) return undefined;
    return canonicalOrUndefined(`${rootPath}/${key.slice(memories.length)}`);
  };

  const keyOf = (path: MemoryPath, sent: string = path): string => {
    if (isRoot(path)) throw new TypeError("The root of a memory is a directory and has no key; use prefixOf.");
    if (utf8Length(path) > longestPath) {
      throw invalidPath(sent, `A path may have at most ${longestPath} bytes here.`);
    }
    const key = memories + path.slice(rootPath.length + 1);
    // Reading it back proves that the key lies below the prefix and belongs to this path alone.
    if (pathOf(key) !== path) throw invalidPath(sent);
    return key;
  };

  return {
    memories,
    system: `${home}system/`,
    keyOf,
    prefixOf: (path, sent) => (isRoot(path) ? memories : `${keyOf(path, sent)}/`),
    pathOf,
  };
}

/** One ASCII segment. Throws a `TypeError` that names the option for what is no usable id. */
export function encodeId(option: "user" | "project" | "actor", id: unknown): string {
  const expected = `a string that is not blank, well-formed Unicode, at most ${longestId} bytes once percent-encoded`;
  if (typeof id !== "string" || id.trim() === "" || !isWellFormed(id)) throw unusable(option, id, expected);
  const encoded = encodeSegment(id);
  if (encoded.length > longestId) throw unusable(option, id, expected);
  return encoded;
}

function encodePrefix(prefix: unknown): string {
  const expected = `one or more segments separated by "/", well-formed Unicode without "*", "?" and "$", at most ${longestId} bytes once percent-encoded`;
  if (typeof prefix !== "string" || !isWellFormed(prefix) || /[*?$]/.test(prefix)) {
    throw unusable("prefix", prefix, expected);
  }
  const segments = prefix.split("/");
  const encoded = segments.map(encodeSegment).join("/");
  if (segments.some((segment) => segment.trim() === "") || encoded.length > longestId) {
    throw unusable("prefix", prefix, expected);
  }
  return encoded;
}

/** One key segment that no other text encodes to, and that is neither `.` nor `..`. */
function encodeSegment(segment: string): string {
  if (segment === "." || segment === "..") return segment.replaceAll(".", "%2E");
  return [...new TextEncoder().encode(segment)].map(encodeByte).join("");
}

function encodeByte(byte: number): string {
  const character = String.fromCharCode(byte);
  if (/[A-Za-z0-9_\-.@+=]/.test(character)) return character;
  return `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
}

function unusable(option: string, value: unknown, expected: string): TypeError {
  return new TypeError(`${option} must be ${expected}; got ${shown(value)}.`);
}

function shown(value: unknown): string {
  if (typeof value === "string") return JSON.stringify(echoText(value));
  return typeof value === "number" || typeof value === "boolean" ? String(value) : typeName(value);
}

function typeName(value: unknown): string {
  if (value === undefined || value === null) return String(value);
  return `a value of type ${typeof value}`;
}
