import { startFakeS3 } from "../../dist/testing/index.js";

/** The fake S3 as a process of its own, so that what it costs is not counted as the worker's. */

const fake = await startFakeS3({ buckets: ["memory"] });
fake.faults.add({}, { beforeCommit: Number(process.argv[2]) });
process.on("disconnect", () => process.exit());
process.send?.(fake.endpoint);
