import { z } from "zod/mini";

/** A server for tests, however it was had. */
export interface RunningServer {
  readonly endpoint: string;
  /** How it was had, for people: `host mode (Python 3.13.0 virtual environment)`. */
  readonly via: string;
  /** A file with what the server prints, gone after `stop`; absent where somebody else started it. */
  readonly log?: string;
  /** Ends it with all its children; does nothing to a server that somebody else started. */
  stop(): Promise<void>;
}

/** Says one line to whoever watches. */
export type Say = (line: string) => void;

/** Resolves when S3 answers at an endpoint, by the version that is wanted; throws what was wrong if it does not. */
export type HealthCheck = (endpoint: string) => Promise<void>;

const healthSchema = z.object({ version: z.string(), services: z.object({ s3: z.string() }) });

/** The version is compared because LocalStack, its newer releases and MiniStack all answer under this path. */
export function localStackHealth(version: string): HealthCheck {
  return async (endpoint) => {
    const answer = await fetch(`${endpoint}/_localstack/health`, { signal: AbortSignal.timeout(5000) });
    if (!answer.ok) throw new Error(`${endpoint}/_localstack/health answered ${answer.status}`);
    const { data: health } = healthSchema.safeParse(await answer.json());
    if (!health) throw new Error(`${endpoint}/_localstack/health does not look like LocalStack's`);
    if (health.version !== version) throw new Error(`version ${health.version}, not ${version}, at ${endpoint}`);
    const state = health.services.s3;
    if (state !== "running" && state !== "available") throw new Error(`S3 is ${state} at ${endpoint}`);
  };
}

/** SeaweedFS names its version in the header `Server` alone: `SeaweedFS 8000GB 4.48`. */
export function seaweedHealth(version: string): HealthCheck {
  return async (endpoint) => {
    const health = await fetch(`${endpoint}/healthz`, { signal: AbortSignal.timeout(5000) });
    if (!health.ok) throw new Error(`${endpoint}/healthz answered ${health.status}`);
    const refused = await fetch(endpoint, { signal: AbortSignal.timeout(5000) });
    const server = refused.headers.get("server") ?? "nothing";
    if (!/^SeaweedFS\b/.test(server)) throw new Error(`${endpoint} calls itself ${server}, not SeaweedFS`);
    if (!server.endsWith(` ${version}`)) throw new Error(`${server}, not version ${version}, at ${endpoint}`);
  };
}

/** A server that somebody else started and will stop. */
export async function namedServer(variable: string, endpoint: string, health: HealthCheck): Promise<RunningServer> {
  const base = endpoint.replace(/\/+$/, "");
  await health(base).catch((error: unknown) => {
    throw new Error(`${variable} is set, but that server cannot be used: ${reasonOf(error)}`, { cause: error });
  });
  return { endpoint: base, via: variable, stop: async () => {} };
}

/** What went wrong, in one line; `fetch` hides it in `cause`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error && error.message === "fetch failed" ? reasonOf(error.cause) : error.message;
}
