/**
 * The files of a run. Who may write where decides what the end must look like:
 *
 * - `shared`: every worker edits them, nobody moves them
 * - `moving`: every worker edits them, and renames them to and fro meanwhile
 * - `claims`: every worker tries to create the same ones; exactly one may win each
 * - `own`: one worker creates, renames and deletes them
 * - `scratch`: every worker creates, edits and deletes them, alone and by the directory
 */
export type Area = "shared" | "moving" | "claims" | "own" | "scratch";

export const sharedFiles = ["/memories/shared-1.md", "/memories/shared-2.md", "/memories/shared-3.md"] as const;
export const movingFiles = [1, 2, 3, 4].map((number) => `/memories/moving-${number}.md`);
export const scratchFolder = "/memories/scratch";
export const scratchFiles = [`${scratchFolder}/1.md`, `${scratchFolder}/2.md`] as const;

/** The first line of the files that are there from the start. */
export const heading = "# stress";

export const claim = (number: number): string => `/memories/claims/${number}.md`;
export const ownFolder = (worker: number): string => `/memories/own-${worker}`;

export function areaOf(path: string): Area {
  const [, name = ""] = /^\/memories\/([a-z]+)/u.exec(path) ?? [];
  switch (name) {
    case "shared":
    case "moving":
    case "claims":
    case "own":
    case "scratch":
      return name;
    default:
      throw new RangeError(`no file of this run: ${path}`);
  }
}

/** The name of a file before any rename. */
export function fileOf(path: string): string {
  return path.replace(/-moved\.md$/u, ".md");
}

/** Where a rename takes a file: there or, where it is there already, back. */
export function otherName(path: string): string {
  return path.endsWith("-moved.md") ? fileOf(path) : path.replace(/\.md$/u, "-moved.md");
}
