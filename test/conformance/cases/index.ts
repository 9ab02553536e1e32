import type { ConformanceGroup } from "../conformance-case.ts";
import { binaries } from "./binaries.ts";
import { createFile } from "./create.ts";
import { deletePath } from "./delete.ts";
import { insertText } from "./insert.ts";
import { limits, sizes } from "./limits.ts";
import { pathsInside } from "./paths-inside.ts";
import { pathsOutside } from "./paths-outside.ts";
import { renamePath } from "./rename.ts";
import { replaceRefused } from "./str-replace-refused.ts";
import { replaceText } from "./str-replace.ts";
import { turns } from "./turns.ts";
import { viewDirectory } from "./view-directory.ts";
import { viewFile } from "./view-file.ts";
import { viewRange } from "./view-range.ts";
import { wrongInput } from "./wrong-input.ts";

export const groups: readonly ConformanceGroup[] = [
  viewFile,
  viewRange,
  viewDirectory,
  createFile,
  replaceText,
  replaceRefused,
  insertText,
  deletePath,
  renamePath,
  pathsInside,
  pathsOutside,
  wrongInput,
  sizes,
  limits,
  binaries,
  turns,
];
