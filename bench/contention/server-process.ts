import { startFakeS3 } from "../../dist/testing/index.js";

/** The fake S3 as a process of its own. Half of the delay goes by before it decides, half after it, as on the way to S3. */

const delay = Number(process.argv[2]);
const fake = await startFakeS3({ buckets: ["memory"] });
fake.faults.add({}, { beforeCommit: delay / 2, afterCommit: delay / 2 });

/** Answers with what lies there and how many PUTs came since the last time. */
process.on("message", () => {
  const puts = fake.requests.operations.filter((operation) => operation === "PutObject").length;
  fake.requests.clear();
  process.send?.({ puts, texts: [...fake.objects().values()].map(({ text }) => text) });
});
process.on("disconnect", () => process.exit());
process.send?.(fake.endpoint);
