import { readFileSync } from "node:fs";
import { S3Client } from "@aws-sdk/client-s3";
import { createS3Memory, type Memory } from "../../dist/index.js";
import { user } from "./tenants.ts";

/** A worker as an application has it: it carries out commands, and says what they took. */

export interface Task {
  readonly bucket: string;
  /** `limits.files`: as it is where nobody sets it, or off. */
  readonly limit: "default" | "off";
  /** A memory of its own, which remembers nothing of what was read before. */
  readonly fresh?: boolean;
  /** A command of Claude, or the application's walk over all files. */
  readonly input: object | "list";
  /** Whose memory, if not the tenant's. */
  readonly otherUser?: string;
}

export interface Done {
  readonly milliseconds: number;
  readonly isError: boolean;
  readonly text: string;
  /** The most that the process has ever taken. */
  readonly peakMegabytes: number;
  /** The most that was alive at once, above what was alive before; only where garbage can be collected at will. */
  readonly heldMegabytes: number;
}

const [endpoint = ""] = process.argv.slice(2);
const client = new S3Client({
  endpoint,
  region: "us-east-1",
  credentials: { accessKeyId: "test", secretAccessKey: "test" },
  forcePathStyle: true,
});
const memories = new Map<string, Memory>();
const { gc } = globalThis;
let mostAlive = 0;
/** A collection takes long: no more than a fifth of the time goes into them. */
let nextLook = 0;

client.middlewareStack.add(
  (next) => async (args) => {
    const answer = await next(args);
    if (gc && performance.now() >= nextLook) mostAlive = Math.max(mostAlive, alive());
    return answer;
  },
  { step: "initialize", name: "lookAtMemory" },
);

/** Bytes that are in use, with the buffers outside of the heap. */
function alive(): number {
  const started = performance.now();
  gc?.();
  const ended = performance.now();
  nextLook = ended + 4 * (ended - started);
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

function memoryFor({ bucket, limit, fresh = false }: Task): Memory {
  const name = `${bucket} ${limit}`;
  const known = fresh ? undefined : memories.get(name);
  if (known !== undefined) return known;
  const limits = limit === "off" ? { files: Infinity } : {};
  const memory = createS3Memory({ bucket, client, limits, timeouts: { request: 60_000 } });
  memories.set(name, memory);
  return memory;
}

async function carryOut(task: Task): Promise<Done> {
  const memory = memoryFor(task).forUser(task.otherUser ?? user);
  const aliveBefore = alive();
  mostAlive = aliveBefore;
  nextLook = 0;
  const started = performance.now();
  const { isError, text } = task.input === "list" ? await walk(memory) : await execute(memory, task.input);
  const milliseconds = performance.now() - started;
  return {
    milliseconds,
    isError,
    text,
    peakMegabytes: peakBytes() / 1e6,
    heldMegabytes: (mostAlive - aliveBefore) / 1e6,
  };
}

type UserMemory = ReturnType<Memory["forUser"]>;

async function execute(memory: UserMemory, input: object): Promise<Pick<Done, "isError" | "text">> {
  const { isError, content } = await memory.execute(input);
  return { isError, text: typeof content === "string" ? content : "" };
}

async function walk(memory: UserMemory): Promise<Pick<Done, "isError" | "text">> {
  let files = 0;
  for await (const file of memory.files.list()) files += file.size > 0 ? 1 : 0;
  return { isError: false, text: `${files}` };
}

/** Linux counts a parent's memory to what `resourceUsage` says of its child, but not to this. */
function peakBytes(): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+)/mu.exec(readFileSync("/proc/self/status", "utf8")) ?? [];
    return Number(kilobytes) * 1_024;
  } catch {
    return process.resourceUsage().maxRSS * 1_024;
  }
}

async function report(task: Task): Promise<void> {
  process.send?.(await carryOut(task));
}

process.on("message", (task: Task) => void report(task));
process.on("disconnect", () => process.exit());
process.send?.("ready");
