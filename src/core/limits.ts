/** The limits of one scope. `Infinity` switches a limit off. */
export interface Limits {
  /** Bytes of one file. Stops growth only: a file that is already larger can still be made smaller. */
  readonly fileBytes: number;
  /** Lines of one file; one with more is neither written nor shown. */
  readonly fileLines: number;
  /** UTF-16 units of one view, its header and its last line included. */
  readonly viewCharacters: number;
  /** Files of the scope, checked where a file is created. */
  readonly files: number;
  /** Bytes of all files of the scope together. */
  readonly totalBytes: number;
}
