import type { CommandInput } from "../support/command-input.ts";

/** What the operations of an episode have in common. Few names and one kind of work make them collide. */
export interface Theme {
  readonly names: readonly [string, ...string[]];
  readonly directories: readonly string[];
  /** How often each command comes. */
  readonly commands: Readonly<Partial<Record<CommandInput["command"], number>>>;
  /** Of a view, a delete or a rename to be one of a directory. */
  readonly directoryShare: number;
  /** Of an insert to go to the end of the file. */
  readonly appendShare: number;
  /** Of an insert or a create to come after a view of its file. */
  readonly viewShare: number;
  /** Of an operation to be delivered to a second worker too. */
  readonly repeatShare: number;
  /** Of a command on a file or directory to meet another worker that moves, replaces or removes just that. */
  readonly rivalShare: number;
  /** Of a turn to be a worker's last. */
  readonly deathShare: number;
  readonly onExisting?: "overwrite";
  /** Of each name to be there at first. */
  readonly initialShare: number;
  /** `limits.files` is 3 to 6, or `limits.totalBytes` small. */
  readonly hasSmallLimits?: boolean;
}

const usual = {
  directories: ["d", "e", "f"],
  directoryShare: 0.3,
  appendShare: 0.5,
  viewShare: 0.4,
  repeatShare: 0.08,
  rivalShare: 0.08,
  deathShare: 0.08,
  initialShare: 0.7,
} as const;

export const themes = {
  appenders: {
    ...usual,
    names: ["a", "a", "b"],
    directories: [],
    commands: { insert: 10, view: 2, str_replace: 2 },
    directoryShare: 0,
    appendShare: 0.8,
    viewShare: 0.6,
  },
  "rename fight": {
    ...usual,
    names: ["a", "b", "c"],
    directories: [],
    commands: { rename: 10, str_replace: 2, create: 2, delete: 1, view: 1 },
    directoryShare: 0,
    rivalShare: 0.3,
    initialShare: 0.45,
  },
  "half-done renames": {
    ...usual,
    names: ["a", "b", "d/x"],
    directories: ["d", "e"],
    commands: { rename: 8, str_replace: 6, insert: 2, create: 1 },
    directoryShare: 0.3,
    repeatShare: 0.4,
    rivalShare: 0.3,
    deathShare: 0.4,
    initialShare: 0.45,
  },
  "directory rename against edits": {
    ...usual,
    names: ["d/x", "d/y", "e/x", "e/y", "f/x", "d/z/w"],
    commands: { rename: 7, str_replace: 4, insert: 3, create: 2, delete: 1, view: 1 },
    directoryShare: 0.75,
    rivalShare: 0.25,
    initialShare: 0.4,
  },
  "delete against edits": {
    ...usual,
    names: ["a", "d/x", "d/y"],
    directories: ["d"],
    commands: { delete: 6, str_replace: 4, insert: 3, create: 4, view: 2, rename: 1 },
    directoryShare: 0.4,
    rivalShare: 0.25,
  },
  "create race": {
    ...usual,
    names: ["a", "a/x", "b", "d/x"],
    directories: ["a", "d"],
    commands: { create: 9, delete: 4, rename: 2, view: 1, str_replace: 1 },
    directoryShare: 0.2,
  },
  "redelivery storm": {
    ...usual,
    names: ["a", "b", "d/x"],
    commands: { str_replace: 4, insert: 4, create: 3, delete: 2, rename: 3, view: 1 },
    repeatShare: 0.4,
    deathShare: 0.4,
  },
  quota: {
    ...usual,
    names: ["a", "b", "c", "d/x", "d/y", "e/x", "f/x"],
    commands: { create: 8, delete: 4, insert: 4, str_replace: 2, view: 1, rename: 1 },
    hasSmallLimits: true,
  },
  overwrite: {
    ...usual,
    names: ["a", "b"],
    commands: { create: 7, view: 3, str_replace: 2, insert: 2, delete: 1, rename: 1 },
    viewShare: 0.6,
    repeatShare: 0.25,
    onExisting: "overwrite",
  },
  mixed: {
    ...usual,
    names: ["a", "b", "c", "d/x", "d/y", "e/x", "f/x", "d/z/w"],
    commands: { view: 3, create: 4, str_replace: 4, insert: 4, delete: 3, rename: 5 },
  },
} as const satisfies Readonly<Record<string, Theme>>;

export type ThemeName = keyof typeof themes;
