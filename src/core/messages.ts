import { echoPath, echoText } from "./echo.ts";
import { formatSize } from "./text/size.ts";

/**
 * Every fixed text that Claude reads. The sentences of the tool's contract are exact: the model
 * decides its next step by them. Paths are echoed as they were sent, bounded and escaped.
 */

/** One path as it was sent, or both of a rename. */
export type SentPaths = string | readonly string[];

const echoed = (sent: SentPaths): string => [sent].flat().map(echoPath).join(" and ");

// A path that is not there. Three commands, three documented forms.

export const doesNotExist = (sent: string): string =>
  `The path ${echoPath(sent)} does not exist. Please provide a valid path.`;

export const editedPathDoesNotExist = (sent: string): string => `Error: ${doesNotExist(sent)}`;

export const pathDoesNotExist = (sent: string): string => `Error: The path ${echoPath(sent)} does not exist`;

// view

export const directoryHeader = (sent: string): string =>
  `Here're the files and directories up to 2 levels deep in ${echoPath(sent)}, excluding hidden items and node_modules:`;

export const fileHeader = (sent: string): string => `Here's the content of ${echoPath(sent)} with line numbers:`;

export const tooManyLines = (sent: string, limit: number): string =>
  `File ${echoPath(sent)} exceeds maximum line limit of ${limit.toLocaleString("en-US")} lines.`;

export const badViewRange = (range: readonly [number, number], lines: number): string =>
  `Error: Invalid \`view_range\` parameter: [${range.join(", ")}]. It should be [start, end] with 1 <= start <= end ` +
  `within the lines of the file: [1, ${lines}], or with end -1 for the last line`;

/** A `view_range` to go on with, in words; nothing where the asked lines end. */
const continuation = (next: readonly [number, number] | undefined): string =>
  next === undefined ? "" : ` Continue with view_range [${next.join(", ")}].`;

export const viewCut = (
  shown: { readonly first: number; readonly last: number; readonly of: number },
  next: readonly [number, number],
): string => `(Cut: lines ${shown.first} to ${shown.last} of ${shown.of} are shown.${continuation(next)})`;

export const lineCut = (
  line: { readonly number: number; readonly of: number; readonly shown: number; readonly length: number },
  next: readonly [number, number] | undefined,
): string =>
  `(Cut: line ${line.number} of ${line.of} has ${line.length} characters, ` +
  `the first ${line.shown} are shown.${continuation(next)})`;

export const tooLargeTo = (verb: "view" | "edit" | "rename", sent: string, bytes: number): string =>
  `Error: ${echoPath(sent)} is too large to ${verb} (${formatSize(bytes)})`;

export const notText = (sent: string): string =>
  `Error: ${echoPath(sent)} is neither text nor an image that can be shown`;

// create

export const created = (sent: string): string => `File created successfully at: ${echoPath(sent)}`;

export const alreadyExists = (sent: string): string => `Error: File ${echoPath(sent)} already exists`;

export const isADirectory = (sent: string): string => `Error: ${echoPath(sent)} is a directory`;

export const isAFile = (ancestor: string): string => `Error: ${echoPath(ancestor)} is a file, not a directory`;

// str_replace

const replacedHeader = "The memory file has been edited. Here is the snippet showing the change (with line numbers):";

export const edited = (snippet: string): string => (snippet === "" ? replacedHeader : `${replacedHeader}\n${snippet}`);

export const changedLinesLeftOut = (count: number): string => `(${count} changed lines are left out here.)`;

export const lineShortened = (length: number): string => ` (Cut: this line has ${length} characters.)`;

export const snippetLeftOut = (first: number, last: number): string =>
  `(Lines ${first} to ${last} were changed; they are too long to be shown here.)`;

export const emptyOldText = (): string =>
  "Error: `old_str` is empty. It should be the exact text to be replaced; to add text without replacing any, use insert.";

export const oldTextTooLong = (bytes: number): string =>
  `Error: \`old_str\` is longer than any file that can be edited (${formatSize(bytes)}).`;

export const noMatch = (sent: string, oldText: string): string =>
  `No replacement was performed, old_str \`${echoText(oldText)}\` did not appear verbatim in ${echoPath(sent)}.`;

export const nearestText = (first: number, last: number, differences: readonly string[]): string =>
  ` The nearest text is in lines ${first} to ${last}; it differs in ${differences.join(", ")}.`;

export const ambiguousMatch = (oldText: string, lines: readonly number[], more: boolean): string =>
  `No replacement was performed. Multiple occurrences of old_str \`${echoText(oldText)}\` in lines: ` +
  `${lines.join(", ")}${more ? " and more" : ""}. Please ensure it is unique`;

// insert

export const inserted = (sent: string): string => `The file ${echoPath(sent)} has been edited.`;

export const badInsertLine = (line: number, lines: number): string =>
  `Error: Invalid \`insert_line\` parameter: ${line}. It should be within the range of lines of the file: [0, ${lines}]`;

// delete

export const deleted = (sent: string): string => `Successfully deleted ${echoPath(sent)}`;

export const cannotDeleteRoot = (): string => "Error: Cannot delete the /memories directory itself";

export const deletedInPart = (sent: string): string => `Error: ${echoPath(sent)} was deleted only in part; view again`;

export const changedAndKept = (files: number, sent: string): string =>
  `${files} files in ${echoPath(sent)} were changed meanwhile and were kept; view again`;

// rename

export const renamed = (oldSent: string, newSent: string): string =>
  `Successfully renamed ${echoPath(oldSent)} to ${echoPath(newSent)}`;

export const destinationExists = (newSent: string): string =>
  `Error: The destination ${echoPath(newSent)} already exists`;

export const cannotRenameRoot = (): string => "Error: Cannot rename the /memories directory itself";

export const cannotRenameIntoItself = (oldSent: string): string =>
  `Error: Cannot rename ${echoPath(oldSent)} into itself`;

export const movedBySomeoneElse = (files: number, of: number): string =>
  `${files} of ${of} files were moved by someone else meanwhile; view again`;

export const bothKept = (oldSent: string, newSent: string): string =>
  `Error: ${echoPath(oldSent)} was changed meanwhile, so both it and ${echoPath(newSent)} were kept; view both again`;

export const movedAndKept = (oldSent: string, newSent: string): string =>
  `Error: ${echoPath(oldSent)} was moved or deleted by someone else meanwhile, ${echoPath(newSent)} was kept; view both again`;

export const movedTwice = (oldSent: string, newSent: string, twin: string): string =>
  `Error: ${echoPath(oldSent)} was moved by someone else meanwhile too, so its content may be in both ` +
  `${echoPath(newSent)} and ${echoPath(twin)}; view both again`;

export const bothGone = (oldSent: string, newSent: string): string =>
  `Error: ${echoPath(oldSent)} and ${echoPath(newSent)} were both moved or deleted by someone else meanwhile; view again`;

export const movedBack = (oldSent: string, newSent: string): string =>
  `Error: ${echoPath(newSent)} was moved back to ${echoPath(oldSent)} by someone else meanwhile; view both again`;

export const renameUnfinished = (oldSent: string, newSent: string): string =>
  `Error: The rename was not finished: files may be in ${echoPath(oldSent)}, in ${echoPath(newSent)} or in both. ` +
  "The same rename again finishes it";

export const filesStayed = (files: number, oldSent: string): string =>
  `${files} files that were added or changed meanwhile stayed in ${echoPath(oldSent)}; view again`;

// Limits

export const fileTooLarge = (sent: string, bytes: number, limit: number): string =>
  `Error: File ${echoPath(sent)} would be ${formatSize(bytes)}, over the limit of ${formatSize(limit)} per file.`;

export const fileTooLong = (sent: string, lines: number, limit: number): string =>
  `Error: File ${echoPath(sent)} would have ${lines} lines, over the limit of ${limit} per file.`;

export const filesReached = (files: number, limit: number, isWhole = true): string =>
  `Error: The memory holds ${isWhole ? "" : "at least "}${files} files, the limit is ${limit}. Delete or merge files first.`;

export const totalBytesReached = (bytes: number, limit: number): string =>
  `Error: The memory holds ${formatSize(bytes)}, this would take it over the limit of ${formatSize(limit)}. ` +
  "Delete or shorten files first.";

export const readOnly = (sent: string): string => `Error: ${echoPath(sent)} is read-only`;

// What came between the command and its outcome

export const changedMeanwhile = (sent: SentPaths): string =>
  `Error: ${echoed(sent)} was changed meanwhile: nothing was changed by this command, view it again`;

export const changedSinceViewed = (sent: string): string =>
  `Error: ${echoPath(sent)} was changed since you viewed it: nothing was written, view it again`;

export const outcomeUnknown = (sent: SentPaths): string =>
  "Error: The outcome is unknown: this command may or may not have taken effect, " +
  `view ${echoed(sent)} again before repeating it`;

export const aborted = (sent: SentPaths): string =>
  "Error: The command was stopped before its outcome was known: it may or may not have taken effect, " +
  `view ${echoed(sent)} again before repeating it`;

/** Neutral: what is wrong with the storage is for its operator, never for the model. */
export const storageFailed = (): string =>
  "Error: The memory is not available at the moment. The command itself is not at fault; it may be tried again later.";

// Input that is no command: one sentence a fault. `came` describes the value in words.

export const badInput = (faults: readonly string[]): string => `Error: ${faults.join(" ")}`;

const example = '{"command": "view", "path": "/memories"}';

export const notACommand = (came: string): string => `The input should be an object such as ${example}, not ${came}.`;

export const unreadableInput = (): string =>
  `The input cannot be read; it should be a plain object such as ${example}.`;

export const badField = (name: string, expected: string, came: string): string =>
  `\`${name}\` should be ${expected}, not ${came}.`;

export const missingField = (name: string, expected: string): string =>
  `\`${name}\` is missing; it should be ${expected}.`;

export const illFormedField = (name: string): string =>
  `\`${name}\` holds half of a surrogate pair, which is not a character; it should be well-formed Unicode text.`;
