import type { Place, Traffic } from "./place.ts";
import type { Scenario } from "./scenarios.ts";
import type { Side } from "./side.ts";

/** A side and the place where it keeps its files. */
export interface Contestant {
  readonly side: Side;
  readonly place: Place;
  /** Names of scenarios that it cannot do there. */
  readonly cannot?: ReadonlySet<string>;
}

/** One side's samples of one scenario. */
export interface Cell {
  readonly side: string;
  readonly milliseconds: readonly number[];
  /** Of the sample with the fewest round trips: what goes out together may arrive apart, never the other way. */
  readonly traffic?: Traffic;
}

export interface Row {
  readonly scenario: string;
  readonly cells: readonly Cell[];
}

export interface Rounds {
  readonly warmUps: number;
  readonly samples: (scenario: Scenario) => number;
}

/** Every scenario in turn. The first rounds are not counted: code is loaded, connections are opened, the compiler looks on. */
export async function measureAll(
  contestants: readonly Contestant[],
  scenarios: readonly Scenario[],
  { warmUps, samples }: Rounds,
  log: (line: string) => void,
): Promise<readonly Row[]> {
  for (const { side, place } of contestants) {
    await place.fill("first", ["a.md"]);
    await side.forUser("first").execute({ command: "view", path: "/memories" });
  }
  const rows: Row[] = [];
  for (const scenario of scenarios) {
    log(scenario.name);
    const taking = contestants.filter(({ cannot }) => cannot?.has(scenario.name) !== true);
    rows.push(await measure(taking, scenario, warmUps, samples(scenario)));
  }
  return rows;
}

/** All sides in turn, sample by sample, each time another one first, forwards and backwards: nobody always follows the same one. */
async function measure(
  contestants: readonly Contestant[],
  scenario: Scenario,
  warmUps: number,
  samples: number,
): Promise<Row> {
  const times = new Map(contestants.map(({ side }) => [side.name, [] as number[]]));
  const traffic = new Map<string, Traffic>();
  for (let round = -warmUps; round < samples; round++) {
    const first = (round + warmUps) % contestants.length;
    const order = [...contestants.slice(first), ...contestants.slice(0, first)];
    for (const contestant of round % 2 === 0 ? order : order.reverse()) {
      const { name } = contestant.side;
      const milliseconds = await sample(contestant, scenario, String(round));
      const seen = contestant.place.traffic?.();
      if (round >= 0) times.get(name)?.push(milliseconds);
      const before = traffic.get(name)?.roundTrips ?? Infinity;
      if (seen !== undefined && seen.roundTrips < before) traffic.set(name, seen);
    }
  }
  return { scenario: scenario.name, cells: contestants.map(({ side: { name } }) => cell(name, times, traffic)) };
}

function cell(side: string, times: ReadonlyMap<string, number[]>, traffic: ReadonlyMap<string, Traffic>): Cell {
  const seen = traffic.get(side);
  return { side, milliseconds: times.get(side) ?? [], ...(seen !== undefined && { traffic: seen }) };
}

const filled = new WeakMap<Place, Set<string>>();

/** Milliseconds of the scenario's commands, on files that no other sample touches. */
async function sample({ side, place }: Contestant, scenario: Scenario, round: string): Promise<number> {
  const { name, files, before = [], commands, readsOnly = false } = scenario;
  const id = name.replaceAll(/[^a-z0-9]+/g, "-");
  const user = readsOnly ? id : `${id}-${side.name.replaceAll(/[^a-z0-9]+/g, "-")}-${round}`;
  const users = filled.get(place) ?? new Set();
  filled.set(place, users);
  if (!users.has(user)) await place.fill(user, files);
  users.add(user);
  const tool = side.forUser(user);
  for (const command of before) await tool.execute(command);
  place.traffic?.();
  const started = performance.now();
  for (const command of commands) await tool.execute(command);
  return performance.now() - started;
}
