import type { JudgedEpisode } from "./episode.ts";

/** How often something came up, by group and name. */
export type Tally = Map<string, number>;

function count(tally: Tally, group: string, name: string, times = 1): void {
  const key = `${group}\t${name}`;
  tally.set(key, (tally.get(key) ?? 0) + times);
}

export function addEpisode(tally: Tally, { plan, log, excused, unnamedDoubles, unreadEdits }: JudgedEpisode): void {
  count(tally, "cache", log.settings.directEdits ? "operations with it" : "without", log.operations.length);
  for (const decision of unreadEdits) count(tally, "edits unread", decision);
  count(tally, "episodes", log.settings.isCalm ? `${plan.theme}, calm` : plan.theme);
  // What the documentation says may happen, and did.
  for (const { reason } of excused) count(tally, "excused", `done twice, as documented: ${reason}`);
  for (const _ of unnamedDoubles) count(tally, "excused", "a file at two names, and no answer names both");
  for (const event of log.events) {
    const command = log.operations[event.operation]?.input.command ?? "?";
    if (event.kind === "answer") count(tally, command, event.code ?? "ok");
    if (event.kind === "death") count(tally, command, "died");
    if (event.kind === "fault") count(tally, "faults", event.fault);
    if (event.kind === "write") count(tally, `${event.method} decided`, event.decision);
  }
}

export function addTally(tally: Tally, other: Iterable<readonly [string, number]>): void {
  for (const [key, times] of other) tally.set(key, (tally.get(key) ?? 0) + times);
}

/** One line a group. */
export function describeTally(tally: Tally): string {
  const groups = new Map<string, [string, number][]>();
  for (const [key, times] of tally) {
    const [group = "", name = ""] = key.split("\t");
    groups.set(group, [...(groups.get(group) ?? []), [name, times]]);
  }
  return [...groups]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([group, entries]) => {
      const sorted = entries.sort(([one, some], [other, more]) => more - some || (one < other ? -1 : 1));
      return `  ${group.padEnd(15)} ${sorted.map(([name, times]) => `${name} ${times}`).join(" · ")}`;
    })
    .join("\n");
}
