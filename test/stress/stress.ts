/**
 * Real processes on real servers: workers edit the same files, are killed at random moments and replaced, and
 * every line that they were told is written must be there exactly once at the end. `--help` says how.
 */
import { serverAdvice } from "../support/server-advice.ts";
import { serverTitles, type ServerName, type ServerReports } from "../support/servers.ts";
import { startServers } from "../support/start-servers.ts";
import { runCampaign, type Account } from "./campaign.ts";
import { describeAccount, isGood, lastLine } from "./report.ts";
import { readSettings, usage, type Settings } from "./settings.ts";

/** What each server can be asked to decide. */
const conditionalDelete: Readonly<Record<ServerName, boolean>> = {
  // LocalStack 4.14.0 answers 501 to DELETE with If-Match.
  localstack: false,
  ministack: true,
  // SeaweedFS 4.48 answers 204 to a conditional DELETE of a folder.
  seaweedfs: false,
};

async function main(args: readonly string[]): Promise<number> {
  const settings = readSettings(args);
  if (settings === undefined) {
    console.log(usage);
    return args.includes("--help") ? 0 : 2;
  }
  console.log(`${settings.processes} processes × ${settings.edits} operations a server, --seed ${settings.seed}`);
  const { reports, stop } = await startServers(process.env, settings.servers);
  const interruption = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => interruption.abort());
  try {
    return await runAll(settings, reports, interruption);
  } catch (error) {
    console.error(error instanceof Error ? `!! ${error.message}` : error);
    return 1;
  } finally {
    await stop();
  }
}

/** On all servers at once. When one run breaks off, so does the other. */
async function runAll(settings: Settings, reports: ServerReports, interruption: AbortController): Promise<0 | 1> {
  const { servers, ...plan } = settings;
  const missing: string[] = [];
  const runs = servers.map(async (name): Promise<readonly Account[]> => {
    const report = reports[name];
    if (report.state === "missing") {
      missing.push(serverTitles[name]);
      return [];
    }
    const { endpoint } = report;
    const wanted = { ...plan, endpoint, conditionalDelete: conditionalDelete[name] };
    const account = await runCampaign(wanted, interruption.signal);
    console.log(describeAccount(serverTitles[name], account));
    return [account];
  });
  for (const run of runs) run.catch(() => interruption.abort());
  const settled = await Promise.allSettled(runs);
  const broken = settled.find(({ status }) => status === "rejected");
  if (broken?.status === "rejected") throw broken.reason;
  const accounts = settled.flatMap((run) => (run.status === "fulfilled" ? run.value : []));
  if (missing.length > 0) {
    console.error(["", `NOT RUN ON ${missing.join(" AND ").toUpperCase()}`, ...serverAdvice].join("\n!! "));
  }
  console.log(`\n${lastLine(accounts)}`);
  return missing.length === 0 && accounts.every(isGood) ? 0 : 1;
}

process.exitCode = await main(process.argv.slice(2));
