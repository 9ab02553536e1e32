import { startFakeS3 } from "../../dist/testing/index.js";

/**
 * The fake S3 as a process of its own, so that what it costs is not counted as the client's. Its parent
 * lays files down past every request and asks what was requested.
 */

export interface PutObject {
  readonly key: string;
  readonly text: string;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** One step before or between the measurements. */
export type ServerStep =
  /** What lies below the prefix is then exactly this. */
  | { readonly step: "fill"; readonly prefix: string; readonly objects: readonly PutObject[] }
  /** Answered with the operations since the last time, in the order in which they came. */
  | { readonly step: "operations" };

const fake = await startFakeS3();

function carryOut(task: ServerStep): readonly string[] {
  switch (task.step) {
    case "fill":
      for (const key of fake.objects().keys()) if (key.startsWith(task.prefix)) fake.remove(key);
      for (const { key, text, metadata = {} } of task.objects) {
        fake.put(key, text, { metadata, contentType: "text/plain; charset=utf-8" });
      }
      return [];
    case "operations": {
      const { operations } = fake.requests;
      fake.requests.clear();
      return operations;
    }
    default:
      return task satisfies never;
  }
}

process.on("message", (task: ServerStep) => process.send?.(carryOut(task)));
process.on("disconnect", () => process.exit());
process.send?.(fake.endpoint);
