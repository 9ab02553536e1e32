/** `node test/support/remove-containers.ts RUN_ID`: removes the containers that a test run left behind. */
import { getContainerRuntimeClient } from "testcontainers";

/** Its value says which test run a container belongs to. */
export const containerLabel = "s3-memory-tool.test-run";

if (import.meta.main) {
  const [runId] = process.argv.slice(2);
  const { container } = await getContainerRuntimeClient();
  for (const { Id, Labels } of await container.list()) {
    if (Labels[containerLabel] !== runId) continue;
    const left = container.getById(Id);
    await container.stop(left, { timeout: 0 });
    await container.remove(left, { removeVolumes: true });
  }
}
