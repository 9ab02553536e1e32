import { startServer, type Server } from "./server.ts";
import { workloadsOn, type Workload } from "./workloads.ts";

/** Measures in a process of its own, where nothing else runs: tells its parent what it found of each workload. */

/** What one workload took: one entry a round, of both sides in the same round. */
export interface Measured extends Pick<Workload, "command" | "files" | "goal"> {
  /** What one command sends, by both sides. */
  readonly requests: readonly string[];
  /** Milliseconds of CPU a command. */
  readonly library: readonly number[];
  readonly bare: readonly number[];
}

type Side = "library" | "bare";

interface Plan {
  readonly rounds: number;
  /** Not counted. */
  readonly warmUp: number;
}

const full: Plan = { rounds: 50, warmUp: 15 };
const quick: Plan = { rounds: 3, warmUp: 1 };

/** Milliseconds of CPU that this process takes for one command, the mean of a batch. */
async function cpuOf(workload: Workload, side: Side): Promise<number> {
  const start = process.cpuUsage();
  for (let n = 0; n < workload.batch; n += 1) await workload[side](n);
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000 / workload.batch;
}

async function measure(workload: Workload, requests: readonly string[], plan: Plan): Promise<Measured> {
  const { command, files, goal } = workload;
  const samples = { library: [] as number[], bare: [] as number[] };
  for (let round = -plan.warmUp; round < plan.rounds; round += 1) {
    await workload.reset();
    const order: readonly Side[] = round % 2 === 0 ? ["library", "bare"] : ["bare", "library"];
    for (const side of order) {
      const milliseconds = await cpuOf(workload, side);
      if (round >= 0) samples[side].push(milliseconds);
    }
  }
  return { command, files, ...(goal === undefined ? {} : { goal }), requests, ...samples };
}

/** What one command sends. Throws where the two sides don't send the same: they could not be compared. */
async function requestsOf(workload: Workload, server: Server): Promise<readonly string[]> {
  await workload.reset();
  await server.operations();
  await workload.library(0);
  const library = (await server.operations()).toSorted();
  await workload.bare(0);
  const bare = (await server.operations()).toSorted();
  if (library.join() === bare.join()) return library;
  throw new Error(`${workload.command}: the library sent ${library.join(", ")}, the bare side ${bare.join(", ")}`);
}

async function main(): Promise<void> {
  const plan = process.argv[2] === "quick" ? quick : full;
  const server = await startServer();
  try {
    for (const workload of workloadsOn(server)) {
      const requests = await requestsOf(workload, server);
      process.send?.(await measure(workload, requests, plan));
    }
  } finally {
    server.close();
  }
}

await main();
process.disconnect();
