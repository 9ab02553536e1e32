import { roundTrips, startFakeS3 } from "../../dist/testing/index.js";
import { keysOf, type Tenant } from "./tenants.ts";

/** The fake S3 as a process of its own, so that neither its memory nor its time is the library's. */

export type ServerStep =
  /** The bucket holds exactly this tenant then, besides what was there for others. */
  | { readonly step: "fill"; readonly bucket: string; readonly tenant: Tenant }
  /** Every request is answered this much later. */
  | { readonly step: "delay"; readonly milliseconds: number }
  /** Answered with what came since the last time. */
  | { readonly step: "traffic" };

export interface Traffic {
  readonly requests: number;
  /** The longest chain of requests, each sent after the answer to the one before. */
  readonly roundTrips: number;
}

const fake = await startFakeS3({ buckets: process.argv.slice(2) });
const text = `${"One line of a note, as they are. ".repeat(3)}\n`;

function carryOut(task: ServerStep): Traffic {
  switch (task.step) {
    case "fill": {
      const { bucket, tenant } = task;
      for (const key of fake.objects(bucket).keys()) fake.remove(key, bucket);
      const metadata = { "write-ids": "first", command: "create" };
      for (const key of keysOf(tenant))
        fake.put(key, text, { bucket, metadata, contentType: "text/plain; charset=utf-8" });
      break;
    }
    case "delay":
      fake.faults.clear();
      if (task.milliseconds > 0) fake.faults.add({}, { beforeCommit: task.milliseconds });
      break;
    case "traffic":
      break;
    default:
      return task satisfies never;
  }
  const traffic = { requests: fake.requests.length, roundTrips: roundTrips(fake.requests) };
  fake.requests.clear();
  return traffic;
}

process.on("message", (task: ServerStep) => process.send?.(carryOut(task)));
process.on("disconnect", () => process.exit());
process.send?.(fake.endpoint);
