import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { FakeS3 } from "../../src/testing/index.ts";

/** The program as it is in the sources: what is built of it differs in nothing but its files. */
export const bin = fileURLToPath(new URL("../../src/cli/bin.ts", import.meta.url));

/** No variable of this machine reaches it but those that a program needs. */
export function environment(variables: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = "", HOME = "" } = process.env;
  const credentials = { AWS_ACCESS_KEY_ID: "test", AWS_SECRET_ACCESS_KEY: "test" };
  return { PATH, HOME, ...credentials, ...variables };
}

/** For a memory of Dana's on a fake S3. */
export function danaOn({ endpoint }: FakeS3): readonly string[] {
  return ["mcp", "--bucket", "agent-memory", "--user", "dana", "--endpoint", endpoint];
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Running {
  readonly child: ChildProcessWithoutNullStreams;
  readonly ended: Promise<Ended>;
}

export function start(
  values: readonly string[],
  variables: Readonly<Record<string, string>> = {},
  nodeOptions: readonly string[] = [],
): Running {
  const child = spawn(process.execPath, [...nodeOptions, bin, ...values], { env: environment(variables) });
  child.stdin.on("error", () => undefined); // it may have ended before it was told everything
  const ended = Promise.all([once(child, "close"), text(child.stdout), text(child.stderr)]).then(
    ([[code], stdout, stderr]) => ({ code: code as number | null, stdout, stderr }),
  );
  ended.catch(() => undefined); // not everybody waits for it
  return { child, ended };
}

/** What it writes, as soon as that fits. Rejects where it ends before. */
export function line(running: Running, stream: "stdout" | "stderr", pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    let written = "";
    running.child[stream].on("data", (chunk: Buffer) => {
      written += chunk.toString();
      const found = pattern.exec(written);
      if (found !== null) resolve(found[1] ?? found[0]);
    });
    running.ended.then(({ stderr }) => reject(new Error(`It ended: ${stderr}`)), reject);
  });
}

/** Messages as they go over stdio, the connection opened before them. */
export function messages(...requests: readonly (readonly [method: string, params: object])[]): string {
  const clientInfo = { name: "raw", version: "1" };
  const opening = ["initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo }] as const;
  return [opening, ...requests]
    .map(([method, params], id) => `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`)
    .join("");
}
