/** The six commands, by the names of the wire. */
export const commandNames = ["view", "create", "str_replace", "insert", "delete", "rename"] as const;

/** What each field of a command is to be, in words: for whoever sent something else, and for models that are told beforehand. */
export const fieldTexts = {
  command: `one of ${commandNames.join(", ")}`,
  path: "a string, the path of a file or directory such as /memories/notes.md",
  view_range: "[start, end], two integers: the first line from 1, the last line or -1 for the end of the file",
  file_text: "a string, the whole text of the file, empty for an empty file",
  old_str: "a string, the exact text to be replaced",
  new_str: "a string, the text to put in its place, or left out to delete the text",
  insert_line: "an integer, the line after which the text goes, 0 for the top of the file",
  insert_text: "a string, the text to be inserted",
  old_path: "a string, the path of the file or directory to be renamed",
  new_path: "a string, the path it is to have",
} as const;

export type FieldName = keyof typeof fieldTexts;
