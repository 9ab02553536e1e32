import { mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { RunningServer, Say } from "./running-server.ts";
import { startProcess } from "./server-process.ts";
import { virtualEnvironment } from "./virtual-environment.ts";

/** The last release that runs without an account's token. */
export const localStackVersion = "4.14.0";
export const miniStackVersion = "1.5.33";

/** LocalStack as a process of this machine: Python packages, no container. */
export async function startLocalStack(say: Say): Promise<RunningServer> {
  const packages = { name: "localstack", lockFile: "requirements.txt", proof: "localstack.aws.components" };
  const { executable, version } = await virtualEnvironment(packages, say);
  return startProcess({
    executable,
    args: ["-m", "localstack.runtime.main"],
    environment: ({ port, folder }) => ({
      SERVICES: "s3",
      EAGER_SERVICE_LOADING: "1",
      GATEWAY_LISTEN: `127.0.0.1:${port}`,
      FILESYSTEM_ROOT: folder,
      // In a container of any kind it would else take itself for its own image and write to /var/lib and /etc.
      OVERRIDE_IN_DOCKER: "0",
      // No DNS server, no reports and no downloads of its own.
      DNS_ADDRESS: "0",
      DISABLE_EVENTS: "1",
      SKIP_SSL_CERT_DOWNLOAD: "1",
    }),
    // Where the image, too, looks for init hooks.
    prepare: async (folder) => {
      await mkdir(join(folder, "etc/localstack"), { recursive: true });
      await symlink(fileURLToPath(new URL("init", import.meta.url)), join(folder, "etc/localstack/init"));
    },
    version: localStackVersion,
    via: `host mode (Python ${version} virtual environment)`,
  });
}

/** MiniStack: it honours conditional deletes and the ETags of batch deletes, which LocalStack does not. */
export async function startMiniStack(say: Say): Promise<RunningServer> {
  const packages = { name: "ministack", lockFile: "ministack-requirements.txt", proof: "ministack.app" };
  const { executable, version } = await virtualEnvironment(packages, say);
  return startProcess({
    executable,
    args: ["-m", "ministack"],
    environment: ({ port, folder }) => ({
      SERVICES: "s3",
      GATEWAY_PORT: String(port),
      BIND_HOST: "127.0.0.1",
      MINISTACK_HOST: "127.0.0.1",
      TMPDIR: folder,
    }),
    version: miniStackVersion,
    via: `host mode (Python ${version} virtual environment)`,
  });
}
