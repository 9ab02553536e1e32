import { copyRows } from "./copy-rows.ts";
import { deleteRows } from "./delete-rows.ts";
import { keyRows } from "./key-rows.ts";
import { listRows } from "./list-rows.ts";
import { missingBucketRows } from "./missing-bucket-rows.ts";
import { putRows } from "./put-rows.ts";
import { readRows } from "./read-rows.ts";
import { versionRows } from "./version-rows.ts";
import type { TruthRow } from "./truth-row.ts";

/** How S3 answers, row by row. Every server is asked all of them. */
export const truthRows: readonly TruthRow[] = [
  ...putRows,
  ...copyRows,
  ...deleteRows,
  ...missingBucketRows,
  ...readRows,
  ...versionRows,
  ...keyRows,
  ...listRows,
];
