/** The six commands, with the field names of the wire. */

export const view = (path: string, view_range?: unknown): unknown =>
  view_range === undefined ? { command: "view", path } : { command: "view", path, view_range };

export const create = (path: string, file_text: unknown): unknown => ({ command: "create", path, file_text });

export const replace = (path: string, old_str: string, new_str?: string | null): unknown =>
  new_str === undefined
    ? { command: "str_replace", path, old_str }
    : { command: "str_replace", path, old_str, new_str };

export const insert = (path: string, insert_line: unknown, insert_text: string): unknown => ({
  command: "insert",
  path,
  insert_line,
  insert_text,
});

export const remove = (path: string): unknown => ({ command: "delete", path });

export const rename = (old_path: string, new_path: string): unknown => ({ command: "rename", old_path, new_path });
