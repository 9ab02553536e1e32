import { figure, median, quantile } from "../statistics.ts";
import type { Cell, Row } from "./measure.ts";

/** A peer that is faster than ours at one command. */
interface Ahead {
  readonly scenario: string;
  readonly peer: string;
  /** Sequential round trips that it saves. */
  readonly roundTrips: number;
  readonly milliseconds: number;
}

/** Medians of the same work differ by as much. */
const noise = 0.1;

/** What a command of ours waits once more for than a peer's. Said only where it does. */
const reasons: ReadonlyMap<string, string> = new Map([
  [
    "create",
    "our LIST before the PUT refuses a file below a file or over a directory, and keeps the limit on files; theirs looks for neither",
  ],
  [
    "rename a directory of 16 files",
    "our second LIST finds what others added while the files were copied, and every copy stands before the first source goes",
  ],
]);

/** The peers that are faster: with fewer round trips, or by more than chance explains. */
export function peersAhead(rows: readonly Row[], ours: string, peers: readonly string[]): readonly Ahead[] {
  return rows.flatMap(({ scenario, cells }) => {
    const own = cells.find(({ side }) => side === ours);
    if (own === undefined) return [];
    const compared = cells.filter(({ side }) => peers.includes(side)).map((peer) => compare(scenario, own, peer));
    return compared.filter(({ isFaster }) => isFaster);
  });
}

function compare(scenario: string, own: Cell, peer: Cell): Ahead & { readonly isFaster: boolean } {
  const [mine, theirs] = [median(own.milliseconds), median(peer.milliseconds)];
  const roundTrips = (own.traffic?.roundTrips ?? 0) - (peer.traffic?.roundTrips ?? 0);
  const isApart = quantile(peer.milliseconds, 0.75) < quantile(own.milliseconds, 0.25);
  const isFaster = theirs < mine && (roundTrips > 0 || (isApart && theirs * (1 + noise) < mine));
  return { scenario, peer: peer.side, roundTrips, milliseconds: mine - theirs, isFaster };
}

/** Who is faster, and by how much. */
export function verdict(scenario: string, found: readonly Ahead[]): string {
  const peers = found.filter((entry) => entry.scenario === scenario);
  return peers.length === 0 ? "none" : peers.map((entry) => `${entry.peer} by ${lead(entry)}`).join("; ");
}

function lead({ roundTrips, milliseconds }: Ahead): string {
  const time = `${figure(Number(milliseconds.toFixed(1)))} ms`;
  if (roundTrips <= 0) return time;
  return `${roundTrips} round trip${roundTrips === 1 ? "" : "s"}, ${time}`;
}

/** The same in a sentence, with the reason. */
export function verdictSentence(found: readonly Ahead[]): string {
  if (found.length === 0) return "At 20 ms per request no command is slower than any other side's.";
  const scenarios = [...new Set(found.map(({ scenario }) => scenario))];
  return `At 20 ms per request another side is faster at ${scenarios.map((name) => clause(name, found)).join("; ")}. At everything else none is.`;
}

function clause(scenario: string, found: readonly Ahead[]): string {
  const reason = found.some((entry) => entry.scenario === scenario && entry.roundTrips > 0)
    ? reasons.get(scenario)
    : undefined;
  return `${scenario} (${verdict(scenario, found)}${reason === undefined ? "" : `: ${reason}`})`;
}
