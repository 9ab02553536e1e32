import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand, type S3Client } from "@aws-sdk/client-s3";
import { script } from "../../examples/lambda-agent/script.ts";
import { startScriptedMessagesApi } from "../../examples/support/scripted-messages-api.ts";
import { testClient } from "../support/test-client.ts";
import { startEnvironment, type ExecutionEnvironment } from "./environment.ts";
import { openGate, type Gate } from "./gate.ts";
import type { LambdaTools } from "./tools.ts";

const bucket = "agent-memory-lambda";

/** What is not as on the normal road to a function. */
interface Circumstances {
  readonly timeoutSeconds?: number;
  readonly s3Endpoint?: string;
  readonly claudeEndpoint?: string;
}

/** The example's functions, as many environments of them as are asked for, on a real S3 server and a scripted Claude. */
export interface Stage {
  start(name: "agent-function" | "memory-function", circumstances?: Circumstances): Promise<ExecutionEnvironment>;
  /** Roads to the S3 server and to Claude that can be closed. */
  readonly s3Gate: Gate;
  readonly claudeGate: Gate;
  /** A file of a user's memory, past the functions. */
  textOf(user: string, path: string): Promise<string>;
  put(user: string, path: string, bytes: Uint8Array): Promise<void>;
  /** Ends everything that was started, in any state. */
  close(): Promise<void>;
}

export async function openStage(tools: LambdaTools, s3Endpoint: string): Promise<Stage> {
  const endings: (() => Promise<unknown>)[] = [];
  const close = async (): Promise<void> => {
    await Promise.allSettled(endings.map((end) => end()));
  };
  try {
    const folder = await mkdtemp(join(tmpdir(), "lambda-functions-"));
    endings.push(() => rm(folder, { recursive: true, force: true }));
    execFileSync(process.execPath, [
      fileURLToPath(import.meta.resolve("../../examples/lambda-agent/build.ts")),
      folder,
    ]);
    const client = testClient(s3Endpoint);
    endings.push(async () => client.destroy());
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    const claude = await startScriptedMessagesApi(script);
    endings.push(() => claude.close());
    const s3Gate = await openGate(s3Endpoint);
    endings.push(() => s3Gate.close());
    const claudeGate = await openGate(claude.url);
    endings.push(() => claudeGate.close());
    return {
      ...filesOf(client),
      s3Gate,
      claudeGate,
      close,
      async start(name, circumstances = {}) {
        const variables = variablesOf({ s3Endpoint, claudeEndpoint: claude.url, ...circumstances });
        const { timeoutSeconds = 29 } = circumstances;
        const environment = await startEnvironment(tools, { name, folder, timeoutSeconds, variables });
        endings.push(() => environment.stop());
        return environment;
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function variablesOf({ s3Endpoint, claudeEndpoint }: Required<Omit<Circumstances, "timeoutSeconds">>) {
  return {
    MEMORY_BUCKET: bucket,
    AWS_ENDPOINT_URL_S3: s3Endpoint,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "test",
    AWS_SECRET_ACCESS_KEY: "test",
    AWS_SESSION_TOKEN: "test",
    ANTHROPIC_BASE_URL: claudeEndpoint,
    ANTHROPIC_API_KEY: "scripted",
  };
}

const place = (user: string, path: string) => ({ Bucket: bucket, Key: `agents/users/${user}${path}` });

function filesOf(client: S3Client): Pick<Stage, "textOf" | "put"> {
  return {
    async textOf(user, path) {
      const { Body: body } = await client.send(new GetObjectCommand(place(user, path)));
      return (await body?.transformToString()) ?? "";
    },
    async put(user, path, bytes) {
      await client.send(new PutObjectCommand({ ...place(user, path), Body: bytes }));
    },
  };
}
