import { createS3Memory, isMemoryError, type Memory, type UserMemory, type UserOptions } from "../index.ts";
import { UsageError, type McpSettings } from "./mcp-settings.ts";
import type { Surroundings } from "./run.ts";

/** What both ways of serving need. */
export interface Served {
  readonly memory: Memory;
  readonly user: string;
  readonly userOptions: UserOptions;
  readonly userMemory: UserMemory;
  readonly version: string;
  /** To standard error: standard output is the protocol's. */
  readonly log: (line: string) => void;
  readonly onError: (error: unknown) => void;
  readonly graceMilliseconds: number;
}

/** Serves until its input or its signal ends it. Resolves to the exit code. Throws a `UsageError` for what makes no sense. */
export async function serve(settings: McpSettings, surroundings: Surroundings, version: string): Promise<number> {
  const log = (line: string): void => {
    surroundings.stderr.write(`[s3-memory-tool] ${line}\n`);
  };
  if (isTooOld(surroundings.nodeVersion)) {
    log(`Node 22.12 or newer is needed; this is ${surroundings.nodeVersion}.`);
    return 1;
  }
  const stopping = (): void => log("stopping; what is under way may end");
  surroundings.signal.addEventListener("abort", stopping, { once: true });
  try {
    const served = await open(settings, { log, version, graceMilliseconds: surroundings.graceMilliseconds ?? 10_000 });
    if (settings.http === undefined) {
      const { serveStdio } = await import("./serve-stdio.ts");
      await serveStdio(served, surroundings);
    } else {
      const { serveHttp } = await import("./serve-http.ts");
      await serveHttp(served, { ...settings.http, token: settings.token, signal: surroundings.signal });
    }
    return 0;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    log(missingPackage(error) ?? String(error));
    return 1;
  } finally {
    surroundings.signal.removeEventListener("abort", stopping);
  }
}

/** A client that starts the command shows no warning of npm's. */
function isTooOld(nodeVersion: string): boolean {
  const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
  return major < 22 || (major === 22 && minor < 12);
}

type Shared = Pick<Served, "log" | "version" | "graceMilliseconds">;

async function open(settings: McpSettings, shared: Shared): Promise<Served> {
  const { bucket, user, project, actor, prefix, onExisting, readOnly, conditionalDelete } = settings;
  const client = await clientFor(settings);
  const onError = (error: unknown): void => shared.log(faultLine(error));
  const userOptions = { readOnly, ...(project !== undefined && { project }), ...(actor !== undefined && { actor }) };
  try {
    const memory = createS3Memory({
      bucket,
      conditionalDelete,
      onError,
      ...(prefix !== undefined && { prefix }),
      ...(onExisting !== undefined && { onExisting }),
      ...(client !== undefined && { client }),
    });
    return { ...shared, memory, user, userOptions, userMemory: memory.forUser(user, userOptions), onError };
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(error.message, { cause: error });
    throw error;
  }
}

/** One of our own only where the library's would not do: it finds region and credentials in the environment. */
async function clientFor({ region, endpoint }: McpSettings) {
  if (region === undefined && endpoint === undefined) return undefined;
  const { S3Client } = await import("@aws-sdk/client-s3");
  return new S3Client({
    region: region ?? "us-east-1", // a store elsewhere has none, but is asked in the name of one
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
    requestHandler: { connectionTimeout: 3_000 },
  });
}

/** One line for the operator. */
function faultLine(error: unknown): string {
  if (!isMemoryError(error)) return String(error);
  const { operation, key, status, reason, requestId, hint } = error.details;
  const facts = [operation, key, status, reason, requestId && `request id ${requestId}`, hint];
  return `${error.code}: ${facts.filter((fact) => fact !== undefined && fact !== "").join(" · ")}`;
}

/** Which of the packages that not everybody needs is not there, and what to do about it. */
function missingPackage(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error) || error.code !== "ERR_MODULE_NOT_FOUND") return undefined;
  const name = /package '([^']+)'/.exec(error.message)?.[1];
  if (name === undefined) return undefined;
  return `${name} is not installed. Install it: npm install ${name} (with npx: --package=${name} beside --package=s3-memory-tool)`;
}
