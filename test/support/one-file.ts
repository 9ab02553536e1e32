/** Commands on one file, as tests of what is remembered of it send them. */
export const path = "/memories/a.md";
export const view = { command: "view", path };

export const insert = (insert_line: number, insert_text: string): object => ({
  command: "insert",
  path,
  insert_line,
  insert_text,
});

export const replace = (old_str: string, new_str: string): object => ({
  command: "str_replace",
  path,
  old_str,
  new_str,
});

export const create = (file_text: string): object => ({ command: "create", path, file_text });
