import { startFakeS3 } from "../../dist/testing/index.js";

/** The fake S3 as a process of its own: what it costs is not the client's. It answers each start alike, with ten files. */
const fake = await startFakeS3();
for (let file = 0; file < 10; file += 1) fake.put(`users/dana/memories/notes-${file}.md`, "one line\n");

process.on("disconnect", () => process.exit());
process.send?.(fake.endpoint);
