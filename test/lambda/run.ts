/**
 * `npm run lambda`: the functions of examples/lambda-agent under AWS's own runtime client and emulator, on LocalStack. Every
 * line that it prints is something that happened; the last one has the times. Ends with 1 where anything was otherwise.
 */
import { reasonOf } from "../../localstack/running-server.ts";
import { startServers } from "../support/start-servers.ts";
import { scenarios } from "./scenarios.ts";
import { openStage } from "./stage.ts";
import { lambdaTools } from "./tools.ts";

type Ending = () => Promise<void>;

async function run(endings: Ending[], interrupted: AbortSignal): Promise<boolean> {
  const tools = await lambdaTools(console.log);
  const { reports, stop } = await startServers(process.env, ["localstack"]);
  endings.push(stop);
  if (reports.localstack.state === "missing") throw new Error(`no LocalStack: ${reports.localstack.reason}`);
  const stage = await openStage(tools, reports.localstack.endpoint);
  endings.push(() => stage.close());

  const outcomes: string[] = [];
  const all = Object.entries(scenarios());
  for (const [name, scenario] of all) {
    try {
      const outcome = await scenario(stage);
      console.log(`✓ ${outcome}`);
      outcomes.push(outcome);
    } catch (error) {
      interrupted.throwIfAborted(); // what was stopped failed for no reason of its own
      console.error(`✗ ${name}:`, error);
    }
  }
  console.log(`\n${outcomes.join(", ")} · ${outcomes.length} of ${all.length} as expected`);
  return outcomes.length === all.length;
}

/** Ends what was started first when somebody ends the run from outside. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => controller.abort(new Error(`interrupted (${signal})`)));
  }
  return controller.signal;
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error));
  });
}

const fromOutside = interruption();
const endings: Ending[] = [];
try {
  const isGood = await Promise.race([run(endings, fromOutside), whenAborted(fromOutside)]);
  process.exitCode = isGood ? 0 : 1;
} catch (error) {
  console.error(`!! NOT RUN UNDER LAMBDA'S RUNTIME: ${reasonOf(error)}`);
  process.exitCode = 1;
} finally {
  for (const end of endings.toReversed()) await end();
}
process.exit(); // whatever an interrupted run still waits for
