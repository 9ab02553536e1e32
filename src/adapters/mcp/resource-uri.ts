/**
 * The URI of a file is `memory://` and its path, each name percent-encoded: `memory:///memories/notes/a%20b.md`. Nothing is
 * judged here: whatever a URI decodes to goes through the same guard as a path that a model sends.
 */

const scheme = "memory://";

/** Where the URIs of all files are found, as RFC 6570 writes it. */
export const uriTemplate = `${scheme}/memories/{+path}`;

export function uriOf(path: string): string {
  return scheme + path.split("/").map(encodeURIComponent).join("/");
}

/** The path that a URI names; `undefined` for a URI of something else. */
export function pathOf(uri: string): string | undefined {
  if (!uri.startsWith(`${scheme}/`)) return undefined;
  try {
    return decodeURIComponent(uri.slice(scheme.length));
  } catch {
    return undefined;
  }
}
