import { isIPv6 } from "node:net";
import * as z from "zod/mini";

/** Something on the command line, or in the environment, that cannot be meant. */
export class UsageError extends Error {}

type Environment = Readonly<Record<string, string | undefined>>;

export interface HttpAddress {
  readonly host: string;
  readonly port: number;
}

/** What `s3-memory-tool mcp` is to serve, and how. */
export interface McpSettings {
  readonly bucket: string;
  readonly user: string;
  readonly project?: string | undefined;
  readonly actor?: string | undefined;
  readonly prefix?: string | undefined;
  readonly region?: string | undefined;
  readonly endpoint?: string | undefined;
  readonly readOnly: boolean;
  readonly onExisting?: "error" | "overwrite" | undefined;
  readonly conditionalDelete: boolean;
  /** Where it is left out, the server speaks over stdio. */
  readonly http?: HttpAddress | undefined;
  readonly token?: string | undefined;
}

const text = z.optional(z.string());
const optionsSchema = z.object({
  bucket: text,
  user: text,
  project: text,
  actor: text,
  prefix: text,
  region: text,
  endpoint: text,
  readOnly: z.optional(z.boolean()),
  onExisting: text,
  conditionalDelete: z.boolean(),
  http: text,
});

/** Puts the options before the environment, in which an empty value is none. Throws a `UsageError`. */
export function mcpSettings(options: object, env: Environment): McpSettings {
  const given = optionsSchema.parse(options);
  for (const [name, value] of Object.entries(given)) {
    // An empty variable of a shell: `--user $NOBODY --read-only` would else be a user of that name, who may write.
    if (typeof value === "string" && value.startsWith("--")) {
      throw new UsageError(`--${name} has no value: ${value} is an option.`);
    }
  }
  const either = (option: string | undefined, name: string): string | undefined => option ?? (env[name] || undefined);
  const needed = (option: string | undefined, flag: string, name: string): string => {
    const value = either(option, name);
    if (value === undefined) throw new UsageError(`${flag} is missing, and ${name} is not set.`);
    return value;
  };
  const http = either(given.http, "S3_MEMORY_HTTP");
  const settings: McpSettings = {
    bucket: needed(given.bucket, "--bucket", "S3_MEMORY_BUCKET"),
    user: needed(given.user, "--user", "S3_MEMORY_USER"),
    project: either(given.project, "S3_MEMORY_PROJECT"),
    actor: either(given.actor, "S3_MEMORY_ACTOR"),
    prefix: either(given.prefix, "S3_MEMORY_PREFIX"),
    region: either(given.region, "AWS_REGION"),
    endpoint: endpoint(either(given.endpoint, "S3_MEMORY_ENDPOINT")),
    readOnly: given.readOnly ?? toggle("S3_MEMORY_READ_ONLY", env) ?? false,
    onExisting: onExisting(either(given.onExisting, "S3_MEMORY_ON_EXISTING")),
    conditionalDelete: given.conditionalDelete && (toggle("S3_MEMORY_CONDITIONAL_DELETE", env) ?? true),
    http: http === undefined ? undefined : address(http),
    token: token(env["S3_MEMORY_TOKEN"] || undefined),
  };
  if (settings.http !== undefined && settings.token === undefined && !isLoopback(settings.http.host)) {
    throw new UsageError(
      `on ${settings.http.host} anybody could ask: set S3_MEMORY_TOKEN to a secret that clients send as a bearer token.`,
    );
  }
  return settings;
}

/** Whether only this machine reaches it. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(?:\.\d{1,3}){3}$/.test(host);
}

/** Not by its truth: whoever wrote `S3_MEMORY_READ_ONLY=yes` must not get a memory that can be written. */
function toggle(name: string, env: Environment): boolean | undefined {
  const value = env[name] ?? "";
  if (value === "") return undefined;
  if (value === "0" || value === "false") return false;
  if (value === "1" || value === "true") return true;
  throw new UsageError(`${name} is neither 1 nor 0.`);
}

function onExisting(value: string | undefined): "error" | "overwrite" | undefined {
  if (value === undefined || value === "error" || value === "overwrite") return value;
  throw new UsageError("S3_MEMORY_ON_EXISTING is neither error nor overwrite.");
}

/** Not by the SDK, which would find out at the first request. */
function endpoint(value: string | undefined): string | undefined {
  if (value === undefined || (/^https?:/i.test(value) && URL.canParse(value))) return value;
  throw new UsageError(`the endpoint is "${value}"; it should be a URL such as http://127.0.0.1:9000.`);
}

/** A token with a blank or a line end, as a file may have brought it, would be one that no request can carry. */
function token(value: string | undefined): string | undefined {
  if (value === undefined || /^[\x21-\x7e]+$/.test(value)) return value;
  throw new UsageError(
    "S3_MEMORY_TOKEN cannot be sent as a bearer token: it should be printable ASCII without blanks.",
  );
}

/** `8080`, `0.0.0.0:8080`, `[::1]:8080`. */
function address(given: string): HttpAddress {
  const [, bracketed, plain, digits] = /^(?:(?:\[([^\]]+)\]|([^:[\]/\s]+)):)?(\d{1,5})$/.exec(given) ?? [];
  const port = Number(digits ?? Number.NaN);
  if (!(port <= 65_535) || (bracketed !== undefined && !isIPv6(bracketed))) {
    throw new UsageError(`--http is ${given}; it should be a port, or a host and a port such as 127.0.0.1:8080.`);
  }
  return { host: bracketed ?? plain ?? "127.0.0.1", port };
}
