import {
  localStackVersion,
  miniStackVersion,
  seaweedVersion,
  startLocalStack,
  startMiniStack,
  startSeaweed,
} from "../../localstack/host-mode.ts";
import {
  localStackHealth,
  namedServer,
  reasonOf,
  seaweedHealth,
  type RunningServer,
} from "../../localstack/running-server.ts";
import { startLocalStackContainer } from "./container.ts";
import { serverAdvice } from "./server-advice.ts";
import { serverNames, serverTitles, type ServerName, type ServerReport, type ServerReports } from "./servers.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** One road to a server. Throws with the reason where it leads nowhere. */
interface Way {
  readonly name: string;
  readonly start: () => Promise<RunningServer>;
}

const versions: Readonly<Record<ServerName, string>> = {
  localstack: localStackVersion,
  ministack: miniStackVersion,
  seaweedfs: seaweedVersion,
};

/**
 * Starts the servers that are wanted at the same time and says in one line each which way it took. Throws where
 * `CI` is set and one of them is missing: a run without its servers must never look like a good one.
 */
export async function startServers(
  environment: Environment,
  wanted: readonly ServerName[] = serverNames,
): Promise<{ readonly reports: ServerReports; readonly stop: () => Promise<void> }> {
  const running: RunningServer[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(running.map((server) => server.stop()));
  };
  const report = async (name: ServerName, ways: readonly Way[]): Promise<ServerReport> => {
    if (!wanted.includes(name)) return { state: "missing", reason: "it was not asked for" };
    const title = `${serverTitles[name]} ${versions[name]}`;
    try {
      const server = await firstThatWorks(title, ways);
      running.push(server);
      console.log(`${title} by ${server.via} at ${server.endpoint}`);
      const { endpoint, via, log } = server;
      return { state: "running", endpoint, via, ...(log !== undefined && { log }) };
    } catch (error) {
      console.error(`!! NO ${title}: ${reasonOf(error)}`);
      return { state: "missing", reason: reasonOf(error) };
    }
  };
  const localStackRoads = localStackWays(environment);
  const [localstack, ministack, seaweedfs] = await Promise.all([
    report("localstack", localStackRoads),
    report("ministack", miniStackWays(environment)),
    report("seaweedfs", seaweedWays(environment)),
  ]);
  const reports = { localstack, ministack, seaweedfs };
  if (environment["CI"] && wanted.some((name) => reports[name].state === "missing")) {
    await stop();
    throw withoutStack(
      ["a test server is missing (see above), and CI is set: the integration tests must run", ...serverAdvice].join(
        "\n",
      ),
    );
  }
  return { reports, stop };
}

function localStackWays(environment: Environment): readonly Way[] {
  const endpoint = environment["LOCALSTACK_ENDPOINT"];
  const ways: readonly Way[] = [
    {
      name: "endpoint",
      start: async () => {
        if (!endpoint) throw new Error("LOCALSTACK_ENDPOINT is not set");
        return namedServer("LOCALSTACK_ENDPOINT", endpoint, localStackHealth(localStackVersion));
      },
    },
    { name: "docker", start: startLocalStackContainer },
    { name: "host", start: () => startLocalStack(console.log) },
  ];
  const only = environment["LOCALSTACK_VIA"];
  if (only) {
    const chosen = ways.filter(({ name }) => name === only);
    if (chosen.length === 0) throw new TypeError(`LOCALSTACK_VIA is "${only}"; expected endpoint, docker or host`);
    return chosen;
  }
  // Who names a server wants that one, and no other in its stead.
  return endpoint ? ways.slice(0, 1) : ways.slice(1);
}

function miniStackWays(environment: Environment): readonly Way[] {
  const variable = "MINISTACK_ENDPOINT";
  const endpoint = environment[variable];
  return endpoint
    ? [{ name: "endpoint", start: () => namedServer(variable, endpoint, localStackHealth(miniStackVersion)) }]
    : [{ name: "host", start: () => startMiniStack(console.log) }];
}

function seaweedWays(environment: Environment): readonly Way[] {
  const variable = "SEAWEEDFS_ENDPOINT";
  const endpoint = environment[variable];
  return endpoint
    ? [{ name: "endpoint", start: () => namedServer(variable, endpoint, seaweedHealth(seaweedVersion)) }]
    : [{ name: "host", start: () => startSeaweed(console.log) }];
}

async function firstThatWorks(title: string, ways: readonly Way[]): Promise<RunningServer> {
  const failures: string[] = [];
  for (const { name, start } of ways) {
    try {
      return await start();
    } catch (error) {
      failures.push(`${name}: ${reasonOf(error)}`);
      if (failures.length < ways.length) console.log(`${title} not by ${failures.at(-1)}; trying the next way`);
    }
  }
  throw new Error(failures.join("; "));
}

/** Where it was thrown says nothing to who reads it, and vitest would show more of that than of the message. */
function withoutStack(message: string): Error {
  const error = new Error(message);
  error.stack = `Error: ${message}`;
  return error;
}
