import { execFile } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { FakeS3 } from "../../src/testing/index.ts";

export const examples = fileURLToPath(new URL("../../examples/", import.meta.url));

export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs an example as a user would, on the built package. No variable of this machine reaches it. */
export async function runExample(
  file: string,
  environment: Record<string, string>,
  values: string[] = [],
): Promise<Outcome> {
  const { PATH = "", HOME = "" } = process.env;
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [join(examples, file), ...values], {
      env: { PATH, HOME, ...environment },
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    return error as Outcome;
  }
}

/** What leads an example to a bucket of one's own. */
export const bucketVariables = ({ endpoint }: FakeS3): Record<string, string> => ({
  S3_MEMORY_BUCKET: "memory",
  S3_MEMORY_ENDPOINT: endpoint,
  AWS_ACCESS_KEY_ID: "test",
  AWS_SECRET_ACCESS_KEY: "test",
});
