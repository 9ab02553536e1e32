/** The fixed first lines of the answers, so that a case shows only what is its own. Rows are written out in every case. */

export const content = (path: string, ...rows: readonly string[]): string =>
  [`Here's the content of ${path} with line numbers:`, ...rows].join("\n");

export const listing = (path: string, ...rows: readonly string[]): string =>
  [
    `Here're the files and directories up to 2 levels deep in ${path}, excluding hidden items and node_modules:`,
    ...rows,
  ].join("\n");

export const edited = (...rows: readonly string[]): string =>
  ["The memory file has been edited. Here is the snippet showing the change (with line numbers):", ...rows].join("\n");
