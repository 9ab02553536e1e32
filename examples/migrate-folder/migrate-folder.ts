/**
 * Moves the folder of the SDK's local memory tool (`BetaLocalFilesystemMemoryTool`) into a bucket:
 *
 *     S3_MEMORY_BUCKET=agent-memory npx node examples/migrate-folder/migrate-folder.ts ./memory dana
 *
 * Nothing is overwritten: a file that is in the bucket with another content is named and left alone. So it
 * can be run again, whatever it died of.
 */
import { readdir, readFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { createS3Memory, isMemoryError } from "s3-memory-tool";
import { reportFault } from "../support/play.ts";
import { clientsOf } from "../support/surroundings.ts";

const [folder = "", user = ""] = process.argv.slice(2);
const { bucket, s3, prefix } = clientsOf(process.env);
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

if (bucket === "" || folder === "" || user === "") {
  console.error("usage: S3_MEMORY_BUCKET=… npx node examples/migrate-folder/migrate-folder.ts FOLDER USER");
  process.exitCode = 2;
} else {
  await migrate().catch((error: unknown) => reportFault(error));
}

async function migrate(): Promise<void> {
  const { files } = createS3Memory({ bucket, client: s3, ...(prefix && { prefix }) }).forUser(user);
  const root = join(folder, "memories");
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = join(entry.parentPath, entry.name);
    const path = `/memories/${relative(root, file).replaceAll(sep, "/")}`;
    const text = utf8.decode(await readFile(file));
    try {
      await files.write(path, text, { ifAbsent: true });
      console.log(path);
    } catch (error) {
      if (!isMemoryError(error) || error.code !== "already_exists") throw error;
      if ((await files.read(path))?.text === text) continue;
      console.error(`${path} is in the bucket with another content: left alone`);
      process.exitCode = 1;
    }
  }
}
