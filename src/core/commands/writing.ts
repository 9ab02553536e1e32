/** The commands that write, loaded together when one is first used: the first act of a conversation is a view, which does not wait for them. */
export { createFile } from "./create.ts";
export { deleteFile, deletePath } from "./delete.ts";
export { insert } from "./insert.ts";
export { rename } from "./rename.ts";
export { replaceString } from "./str-replace.ts";
