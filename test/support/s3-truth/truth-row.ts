import type { Facts, Probe } from "./probe.ts";

/** One thing that S3 does, asked through the AWS SDK with one attempt. */
export interface TruthRow {
  /** Unique; the differences table refers to it. */
  readonly name: string;
  /** In a bucket with versioning. */
  readonly versioned?: true;
  /** Sets up, asks, and answers what was found. Each row has an empty bucket of its own. */
  readonly run: (s3: Probe) => Promise<Facts>;
  /** What AWS answers. */
  readonly expected: Facts;
}
