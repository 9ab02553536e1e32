import type { BetaMemoryTool20250818Command } from "@anthropic-ai/sdk/resources/beta/messages";

/** What Claude sends. */
export type Command = BetaMemoryTool20250818Command;

/** The memory of one user, as a tool. */
export interface Tool {
  /** Rejects where Claude would read an error. */
  execute(command: Command): Promise<unknown>;
}

/** Where the sides of one run keep their files: `users/{user}/memories/…`, all of them the same keys. */
export interface Address {
  readonly endpoint: string;
  readonly bucket: string;
}

/** One way to do the tool's work on S3. */
export interface Side {
  readonly name: string;
  /** A memory of its own for each user, on clients that all users share. */
  readonly forUser: (user: string) => Tool;
}

export type MakeSide = (address: Address) => Side;

export const region = "us-east-1";
export const credentials = { accessKeyId: "test", secretAccessKey: "test" } as const;
