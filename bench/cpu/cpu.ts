import { fork } from "node:child_process";
import { once } from "node:events";
import type { Finding, Part, Table } from "../part.ts";
import { figure, median, quantile, spread } from "../statistics.ts";
import type { Measured } from "./client-process.ts";

/** CPU of each command, next to bare SDK calls that send the same requests. */
export const cpu: Part = async ({ quick, log }) => {
  const measured: Measured[] = [];
  const client = fork(new URL("client-process.ts", import.meta.url), quick ? ["quick"] : [], { execArgv: [] });
  client.on("message", (workload: Measured) => {
    log(`${workload.command}, ${workload.files}: ${figure(ratioOf(workload))} times the bare calls' CPU`);
    measured.push(workload);
  });
  const [code] = (await once(client, "exit")) as [number | null];
  if (code !== 0) throw new Error(`The measuring process ended with ${code ?? "a signal"}.`);
  return { findings: findingsOf(measured), tables: [tableOf(measured)], data: measured };
};

function ratioOf({ library, bare }: Measured): number {
  return median([...library]) / median([...bare]);
}

/** The middle half of the ratios of one round each. */
function ratioCell(workload: Measured): string {
  const ratios = workload.library.map((milliseconds, round) => milliseconds / (workload.bare[round] ?? Number.NaN));
  const middle = [0.25, 0.75].map((part) => quantile(ratios, part).toFixed(2)).join("–");
  return `${ratioOf(workload).toFixed(2)} (${middle})`;
}

function requestsCell({ requests }: Measured): string {
  return requests.map((operation) => operation.replace(/ObjectsV2$|Object$/, "").toUpperCase()).join(" + ");
}

function tableOf(measured: readonly Measured[]): Table {
  return {
    title: "Milliseconds of CPU a command",
    columns: ["command", "files", "requests", "bare SDK calls", "s3-memory-tool", "ratio", "goal"],
    rows: measured.map((workload) => [
      workload.command,
      workload.files,
      requestsCell(workload),
      spread(workload.bare),
      spread(workload.library),
      ratioCell(workload),
      workload.goal === undefined ? "–" : `≤ ${workload.goal.toFixed(2)}`,
    ]),
    notes: [
      "User and system time of the client's process, threads included, with the fake S3 at no delay in another process; one command after another, both sides in turn in batches, each batch on the same files.",
      "The bare side sends the same requests with the same metadata and conditions through a client with the same settings, reads bodies to strings and does nothing with them. Its texts are ready to be sent: it does no editing, numbering, counting or checking.",
      "The middle half of the samples is in brackets: of the batches' means, and of the ratios of two batches side by side.",
      '"After a view" means that this process knows the file; without it the edit reads the file first (`cache: { directEdits: false }`).',
    ],
  };
}

function findingsOf(measured: readonly Measured[]): readonly Finding[] {
  const withGoal = measured.filter(({ goal }) => goal !== undefined);
  const [views, edits] = [
    withGoal.filter(({ command }) => command.startsWith("view")),
    withGoal.filter(({ command }) => !command.startsWith("view")),
  ];
  return [finding("A view", views), finding("An edit of a 10 kB file", edits)];
}

function finding(what: string, workloads: readonly Measured[]): Finding {
  const ratios = workloads.map(ratioOf);
  const bare = workloads.map((workload) => median([...workload.bare]));
  const goal = Math.min(...workloads.map((workload) => workload.goal ?? Infinity));
  const missed = workloads
    .filter((workload) => ratioOf(workload) > goal)
    .map(({ command, files }) => `${command}, ${files}`);
  const which = missed.length === 0 ? "" : ` Above the goal: ${missed.join("; ")}.`;
  return {
    sentence: `${what} takes ${range(ratios)} times the CPU of bare SDK calls that send the same requests, which alone take ${range(bare)} ms.${which}`,
    goal: { wanted: `at most ${goal.toFixed(2)} times`, met: missed.length === 0 },
  };
}

function range(values: readonly number[]): string {
  return `${figure(Math.min(...values))} to ${figure(Math.max(...values))}`;
}
