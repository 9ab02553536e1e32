import { APIError } from "@anthropic-ai/sdk";
import { S3ServiceException } from "@aws-sdk/client-s3";
import { createS3Memory, isMemoryError } from "s3-memory-tool";
import { cleanUp } from "./clean-up.ts";
import type { Script } from "./scripted-messages-api.ts";
import { openBucket, openSurroundings, type Clients, type Surroundings } from "./surroundings.ts";

/**
 * Plays an example on what the environment gives it, deletes what it wrote (unless S3_MEMORY_KEEP=1) and
 * closes. What fails is reported in the order in which it failed, and makes the exit code 1.
 */
export function play(script: Script, act: Act): Promise<void> {
  return playOn(() => openSurroundings(script), act);
}

/** The same for an example that needs no Claude. */
export function playOnBucket(act: Act): Promise<void> {
  return playOn(openBucket, act);
}

type Act = (surroundings: Surroundings) => Promise<void>;

async function playOn(open: () => Promise<Surroundings>, act: Act): Promise<void> {
  let surroundings: Surroundings | undefined;
  try {
    surroundings = await open();
    await assertReachable(surroundings);
    await act(surroundings).catch((error: unknown) => reportFault(error));
    await cleanUpUnlessKept(surroundings);
  } catch (error) {
    reportFault(error);
  }
  await surroundings?.close();
}

async function cleanUpUnlessKept(surroundings: Surroundings): Promise<void> {
  if (process.env["S3_MEMORY_KEEP"] === "1") return;
  await cleanUp(surroundings).catch((error: unknown) => {
    reportFault(error, `${surroundings.prefix} was not cleaned up. `);
  });
}

/** One line for what is wrong with the set-up; the whole error for a fault of the example itself. */
export function reportFault(error: unknown, before = ""): void {
  const line = lineOf(error);
  console.error(...(line === undefined ? [before, error] : [before + line]));
  process.exitCode = 1;
}

/** A first request through the library: where the bucket cannot be had, its error has a hint. */
async function assertReachable({ s3: client, bucket, prefix }: Clients): Promise<void> {
  const { files } = createS3Memory({ bucket, prefix, client }).forUser("nobody");
  await files.list()[Symbol.asyncIterator]().next();
}

function lineOf(error: unknown): string | undefined {
  if (isMemoryError(error)) {
    const { operation, status, reason, hint } = error.details;
    const failed = [operation, status, reason].filter((part) => part !== undefined && part !== "Error").join(" ");
    return [failed === "" ? error.message : `${failed} failed.`, hint].join(" ").trimEnd();
  }
  if (error instanceof APIError) return `The Messages API: ${inOneLine(error.message)}`;
  if (error instanceof S3ServiceException) return `S3: ${error.name}: ${inOneLine(error.message)}`;
  // What the operating system refuses, such as a folder that is not there.
  if (error instanceof Error && "syscall" in error) return error.message;
  return undefined;
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/gu, " ").trim();
}
