/** The input of a memory command, as Claude would send it. */
export type CommandInput =
  | { readonly command: "view"; readonly path: string; readonly view_range?: readonly [number, number] }
  | { readonly command: "create"; readonly path: string; readonly file_text: string }
  | { readonly command: "str_replace"; readonly path: string; readonly old_str: string; readonly new_str: string }
  | { readonly command: "insert"; readonly path: string; readonly insert_line: number; readonly insert_text: string }
  | { readonly command: "delete"; readonly path: string }
  | { readonly command: "rename"; readonly old_path: string; readonly new_path: string };
