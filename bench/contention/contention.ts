import type { Finding, Part, PartOptions, Table } from "../part.ts";
import { figure } from "../statistics.ts";
import { successesOfChance } from "./attempts.ts";
import { directEdits, type DirectEdits } from "./known-files.ts";
import { ours, pauseRules, type PauseRule } from "./pauses.ts";
import { runRealTeam, startServer, type RealFigures } from "./real-team.ts";
import { seeded } from "./seeded.ts";
import { chanceTable, directTable, ratios, realTable, teamTable } from "./tables.ts";
import { runVirtualTeam, timeWithOneLostRace, type TeamFigures, type VirtualTeam } from "./virtual-team.ts";

/** Milliseconds of each request of the real teams. */
const delay = 20;
const goal = 0.7;

/** As S3 answers small objects. */
const s3 = { get: 30, put: 60 };
const fake = { get: 20, put: 20 };
const near = { get: 5, put: 5 };

async function realTeams({ quick, log }: PartOptions): Promise<readonly RealFigures[]> {
  const server = await startServer(delay);
  try {
    const teams: RealFigures[] = [];
    for (const workers of quick ? [1, 16] : [1, 4, 16, 64]) {
      log(`${workers} workers`);
      teams.push(await runRealTeam(server, workers, quick ? 700 : workers > 4 ? 20_000 : 8_000));
    }
    return teams;
  } finally {
    server.close();
  }
}

async function virtualTeams(team: Omit<VirtualTeam, "seed">, seeds: number): Promise<readonly TeamFigures[]> {
  const teams: TeamFigures[] = [];
  for (let seed = 1; seed <= seeds; seed++) teams.push(await runVirtualTeam({ ...team, seed }));
  return teams;
}

/** Every rule for pauses among so many workers. */
async function ruleTable(
  { quick, log }: PartOptions,
  title: string,
  team: Pick<VirtualTeam, "workers" | "edits" | "latency">,
  notes: readonly string[] = [],
): Promise<Table> {
  log(`pauses: ${title}`);
  const rows: { readonly name: string; readonly teams: readonly TeamFigures[] }[] = [];
  for (const rule of quick ? pauseRules.slice(0, 2) : pauseRules) {
    const edits = quick ? 3 : team.edits;
    rows.push({
      name: rule.name,
      teams: await virtualTeams({ ...team, edits, rule }, quick ? 1 : 3),
    });
  }
  return teamTable(title, team.latency, rows, notes);
}

async function oneLostRace(rules: readonly PauseRule[], edits: number): Promise<Table> {
  const latencies = [5, 20, 45, 150];
  const rows: string[][] = [];
  for (const rule of rules) {
    const times: string[] = [];
    for (const latency of latencies)
      times.push(`${figure(Math.round(await timeWithOneLostRace(rule, latency, edits)))} ms`);
    rows.push([rule.name, ...times]);
  }
  return {
    title: "What a single lost race costs: the time of such an edit",
    columns: ["pause", ...latencies.map((latency) => `${latency} ms a request`)],
    rows,
    notes: ["Two GETs and two PUTs, four times the latency, are in it. The median of 201 edits on the virtual clock."],
  };
}

async function directRules({ quick, log }: PartOptions): Promise<Table> {
  log("edits of a known file");
  const rules: readonly (DirectEdits | undefined)[] = quick ? [undefined] : [undefined, ...directEdits];
  const rows = [];
  for (const direct of rules) {
    const team = { workers: 16, latency: fake, rule: ours, direct };
    const busy = await virtualTeams({ ...team, edits: quick ? 3 : 50 }, quick ? 1 : 2);
    const thinking = await virtualTeams({ ...team, edits: quick ? 2 : 15, thinking: 5_000 }, quick ? 1 : 2);
    rows.push({ name: direct?.name ?? "**at most 8 in a row (ours)**", busy, thinking });
  }
  return directTable(rows, fake);
}

function findingsOf(teams: readonly RealFigures[]): readonly Finding[] {
  const crowd = teams.find(({ workers }) => workers === 16);
  if (!crowd) return [];
  const { ceiling, loop } = ratios(crowd.perSecond, { get: delay, put: delay });
  return [
    {
      sentence: `16 workers who edit one file all the time make ${loop.toFixed(2)} edits in the time of one GET and one PUT (${ceiling.toFixed(2)} in each round trip, of which no loop makes more than 1), with ${(crowd.puts / crowd.done).toFixed(1)} PUTs an edit; ${figure(crowd.refused)} of ${figure(crowd.done + crowd.refused)} were refused.`,
      goal: {
        wanted: `at least ${goal} of the floor of a compare-and-swap loop, one edit in a GET and a PUT`,
        met: loop >= goal,
      },
    },
  ];
}

/** One file that many workers edit all the time, and the pauses and rules that were measured against each other. */
export const contention: Part = async (options) => {
  const teams = await realTeams(options);
  const chance = (options.quick ? [1] : [0.5, 1, 1.5, 2.33, 5]).map((attempts) => {
    return { attempts, successes: successesOfChance(attempts, seeded(1)) };
  });
  const virtualClock =
    "The library's real commands on the virtual clock: no machine is in these figures. Half of a request's time goes by before the store decides, half after it; it varies by a fifth, one way in 50 takes three times as long. So the quickest attempts win, and a little more than one edit in each median round trip is possible. *Evenness*: when the first worker was ready with its edits, as a part of the time of the last one.";
  const near16 = await ruleTable(
    options,
    "Pauses: 16 workers, 5 ms a request",
    { workers: 16, edits: 50, latency: near },
    [virtualClock],
  );
  const s3of16 = await ruleTable(options, "Pauses: 16 workers on S3, GET 30 ms, PUT 60 ms", {
    workers: 16,
    edits: 50,
    latency: s3,
  });
  const s3of64 = await ruleTable(options, "Pauses: 64 workers on S3, GET 30 ms, PUT 60 ms", {
    workers: 64,
    edits: 15,
    latency: s3,
  });
  const direct = await directRules(options);
  return {
    findings: findingsOf(teams),
    tables: [
      realTable(teams, delay),
      chanceTable(chance),
      options.quick ? await oneLostRace([ours], 11) : await oneLostRace(pauseRules, 201),
      near16,
      s3of16,
      s3of64,
      direct,
    ],
    data: { teams, chance }, // the virtual teams come out the same again
  };
};
