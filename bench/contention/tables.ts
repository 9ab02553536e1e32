import type { Table } from "../part.ts";
import { figure, median, quantile } from "../statistics.ts";
import type { RealFigures } from "./real-team.ts";
import type { TeamFigures } from "./virtual-team.ts";

/** Milliseconds from what an attempt reads to its write: the way back of the one and the way out of the other. */
export interface Window {
  readonly get: number;
  readonly put: number;
}

const seconds = (milliseconds: number): string => `${figure(milliseconds / 1_000)} s`;
/** Two digits at least, however small it is. */
const percent = (part: number): string => (part === 0 ? "0" : `${Number((part * 100).toPrecision(2))} %`);

/** Successes as a part of one in each window, and of one in two. */
export function ratios(perSecond: number, { get, put }: Window): { readonly ceiling: number; readonly loop: number } {
  const perWindow = (perSecond * (get + put)) / 2_000;
  return { ceiling: perWindow, loop: 2 * perWindow };
}

export function realTable(teams: readonly RealFigures[], delay: number): Table {
  return {
    title: `One file, edited all the time, ${delay} ms a request`,
    columns: [
      "workers",
      "edits a second",
      "of one in 2 round trips",
      "of one in each",
      "PUTs an edit",
      "refused",
      "median",
      "99 %",
      "longest",
      "edits of a worker",
    ],
    rows: teams.map(({ workers, perSecond, puts, done, refused, times, fewest, most }) => {
      const { ceiling, loop } = ratios(perSecond, { get: delay, put: delay });
      return [
        String(workers),
        figure(perSecond),
        loop.toFixed(2),
        ceiling.toFixed(2),
        (puts / done).toFixed(2),
        percent(refused / (done + refused)),
        seconds(median([...times])),
        seconds(quantile([...times], 0.99)),
        seconds(Math.max(...times)),
        fewest === most ? String(most) : `${fewest} to ${most}`,
      ];
    }),
    notes: [
      "Fake S3 in a process of its own; the workers in up to 4 further ones, each with a client, a memory and a cache of its own, without a pause between edits. Afterwards every edit that was acknowledged is in the file once, or the run fails.",
      "**Bounds.** What is read after a success can be written one round trip after it, so no compare-and-swap loop on one object makes more than one edit in each round trip. A loop that reads and then writes makes one in two, alone: this is the floor of the goal. A worker who is alone knows what he wrote and sends PUT after PUT, one in each.",
      "The delay alone is counted as round trip; what the processes, the connection and the timers take comes on top of it.",
    ],
  };
}

/** Attempts by chance: what they cost against what they bring. */
export function chanceTable(rows: readonly { readonly attempts: number; readonly successes: number }[]): Table {
  return {
    title: "What chance allows",
    columns: ["attempts in a round trip", "edits in a round trip", "1 − 1/a", "attempts an edit", "20 lost in a row"],
    rows: rows.map(({ attempts, successes }) => [
      figure(attempts),
      successes.toFixed(2),
      (attempts / (1 + attempts)).toFixed(2),
      (attempts / successes).toFixed(2),
      percent(successes ** 20),
    ]),
    notes: [
      "After a success at time T whatever was read before T fails, that is everything that arrives within one round trip r. Then the next one succeeds. So at G attempts in r that know nothing of each other one succeeds in r + r/G: S = G/(1 + G) edits in r, at a = 1 + G attempts an edit, S = 1 − 1/a. Two attempts an edit are half of the ceiling; 0.7 of it takes 3.3.",
      "An attempt meets a busy round trip with probability S: whoever may try 20 times is refused with S^20. So more edits a second are bought with more attempts, and with refusals.",
    ],
  };
}

export interface Row {
  readonly name: string;
  readonly teams: readonly TeamFigures[];
}

export function teamTable(title: string, window: Window, rows: readonly Row[], notes: readonly string[] = []): Table {
  return {
    title,
    columns: [
      "",
      "refused",
      "attempts an edit",
      "of one in 2 round trips",
      "of one in each",
      "median",
      "99 %",
      "longest",
      "evenness",
    ],
    rows: rows.map(({ name, teams }) => {
      const { ceiling, loop } = ratios(
        mean(teams, ({ perSecond }) => perSecond),
        window,
      );
      const times = teams.flatMap((team) => team.times);
      return [
        name,
        percent(sum(teams, ({ refused }) => refused) / sum(teams, ({ edits }) => edits)),
        (sum(teams, ({ puts }) => puts) / times.length).toFixed(2),
        loop.toFixed(2),
        ceiling.toFixed(2),
        seconds(median(times)),
        seconds(quantile(times, 0.99)),
        seconds(Math.max(...times)),
        mean(teams, ({ evenness }) => evenness).toFixed(2),
      ];
    }),
    notes,
  };
}

export function directTable(
  rows: readonly {
    readonly name: string;
    readonly busy: readonly TeamFigures[];
    readonly thinking: readonly TeamFigures[];
  }[],
  window: Window,
): Table {
  return {
    title: "Edits of a known file: when the PUT goes out unread",
    columns: [
      "unread",
      "all the time: refused",
      "PUTs and GETs an edit",
      "of one in each",
      "99 %",
      "evenness",
      "5 s between edits: PUTs and GETs an edit",
      "median",
    ],
    rows: rows.map(({ name, busy, thinking }) => {
      const { ceiling } = ratios(
        mean(busy, ({ perSecond }) => perSecond),
        window,
      );
      return [
        name,
        percent(sum(busy, ({ refused }) => refused) / sum(busy, ({ edits }) => edits)),
        requests(busy),
        ceiling.toFixed(2),
        seconds(
          quantile(
            busy.flatMap(({ times }) => times),
            0.99,
          ),
        ),
        mean(busy, ({ evenness }) => evenness).toFixed(2),
        requests(thinking),
        seconds(median(thinking.flatMap(({ times }) => times))),
      ];
    }),
    notes: [
      "16 workers on the virtual clock, 20 ms a request, with the library's pauses.",
      "Whoever goes on from his own write wins again and again, since the others have to read first: that is what fills the round trips. The pause before the next edit of who has lost lets the others have their turns.",
      "Where others write too, what is known is most often out of date: with 5 s between edits it costs a PUT and a round trip more.",
    ],
  };
}

function requests(teams: readonly TeamFigures[]): string {
  const done = sum(teams, ({ times }) => times.length);
  return `${(sum(teams, ({ puts }) => puts) / done).toFixed(2)} and ${(sum(teams, ({ gets }) => gets) / done).toFixed(2)}`;
}

function sum<Value>(values: readonly Value[], of: (value: Value) => number): number {
  return values.reduce((total, value) => total + of(value), 0);
}

function mean<Value>(values: readonly Value[], of: (value: Value) => number): number {
  return sum(values, of) / values.length;
}
