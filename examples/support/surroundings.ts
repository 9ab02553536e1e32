import { randomUUID } from "node:crypto";
import Anthropic from "@anthropic-ai/sdk";
import { S3Client } from "@aws-sdk/client-s3";
import { startFakeS3, type FakeS3 } from "s3-memory-tool/testing";
import { startScriptedMessagesApi, type Script } from "./scripted-messages-api.ts";

/** What an example runs on, as environment variables: a worker process is started with them. */
export type Environment = Readonly<Record<string, string | undefined>>;

export interface Clients {
  readonly anthropic: Anthropic;
  readonly model: string;
  readonly s3: S3Client;
  readonly bucket: string;
  /** Everything an example writes is below it. */
  readonly prefix: string;
}

export interface Surroundings extends Clients {
  readonly environment: Environment;
  /** The server inside this process; absent where the bucket is a real one. */
  readonly fakeS3?: FakeS3;
  close(): Promise<void>;
}

/** The clients of a process, from nothing but its environment. */
export function clientsOf(environment: Environment): Clients {
  const {
    S3_MEMORY_BUCKET: bucket = "",
    S3_MEMORY_ENDPOINT: endpoint,
    S3_MEMORY_PREFIX: prefix = "",
    ANTHROPIC_API_KEY: apiKey,
    ANTHROPIC_BASE_URL: baseURL,
    ANTHROPIC_MODEL: model = "claude-sonnet-5-5",
  } = environment;
  return {
    // Credentials, and the region where there is no endpoint, are the AWS SDK's to find.
    s3: new S3Client(
      endpoint ? { endpoint, forcePathStyle: true, region: environment["AWS_REGION"] ?? "us-east-1" } : {},
    ),
    anthropic: new Anthropic({ apiKey, baseURL }),
    model,
    bucket,
    prefix,
  };
}

/**
 * The real Claude and the real bucket where `ANTHROPIC_API_KEY` and `S3_MEMORY_BUCKET` are set (with them,
 * optionally, `S3_MEMORY_ENDPOINT`, `AWS_REGION`, `ANTHROPIC_BASE_URL`, `ANTHROPIC_MODEL`); else two servers
 * inside this process: one that answers as S3 does, one that plays the part of Claude from the script.
 */
export async function openSurroundings(script: Script): Promise<Surroundings> {
  const { ANTHROPIC_API_KEY: apiKey, S3_MEMORY_BUCKET: bucket } = process.env;
  if (apiKey && bucket) return onAccount();
  if (apiKey || bucket) {
    const [set, missing] = bucket
      ? ["S3_MEMORY_BUCKET", "ANTHROPIC_API_KEY"]
      : ["ANTHROPIC_API_KEY", "S3_MEMORY_BUCKET"];
    console.error(`${set} is set, ${missing} is not: this runs on embedded servers, not on your account.`);
  }
  const claude = await startScriptedMessagesApi(script);
  const embedded = await embedBucket({ ANTHROPIC_API_KEY: "scripted", ANTHROPIC_BASE_URL: claude.url });
  return {
    ...embedded,
    close: async () => {
      await Promise.all([claude.close(), embedded.close()]);
    },
  };
}

/** The same without Claude: the bucket of `S3_MEMORY_BUCKET`, else a server inside this process. */
export async function openBucket(): Promise<Surroundings> {
  return process.env["S3_MEMORY_BUCKET"] ? onAccount() : embedBucket({});
}

/** What the environment names, below a prefix of its own. */
function onAccount(): Surroundings {
  const environment = { ...process.env, S3_MEMORY_PREFIX: `s3-memory-demo/${randomUUID()}` };
  return { ...clientsOf(environment), environment, close: async () => undefined };
}

/** A server inside this process that answers as S3 does, and the environment that leads to it. */
async function embedBucket(claude: Environment): Promise<Surroundings> {
  const fakeS3 = await startFakeS3({ buckets: ["agent-memory"] });
  const embedded = {
    ...claude,
    S3_MEMORY_BUCKET: "agent-memory",
    S3_MEMORY_ENDPOINT: fakeS3.endpoint,
    S3_MEMORY_PREFIX: "s3-memory-demo",
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "embedded",
    AWS_SECRET_ACCESS_KEY: "embedded",
    AWS_PROFILE: undefined,
    AWS_SESSION_TOKEN: undefined,
  };
  // The AWS SDK takes the credentials from here, and must not find others.
  for (const [name, value] of Object.entries(embedded)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
  const environment = { ...process.env };
  return { ...clientsOf(environment), environment, fakeS3, close: () => fakeS3.close() };
}
