import type { Account } from "./campaign.ts";
import { describeDirectEdits, isAcknowledgedEdit } from "./direct-edits.ts";
import type { Deed } from "./journal.ts";

const shownOfAKind = 20;

const judged = {
  true: "judges edits, creates, renames and deletes of files that all workers write to",
  false:
    "judges edits and creates of files that all workers write to, and renames of files of one worker; " +
    "no deletes: the server answers 501 to their conditions",
} as const;

/** Nothing is wrong. */
export function isGood({ lost, doubled, faults }: Account): boolean {
  return lost.length + doubled.length + faults.length === 0;
}

/** What happened on one server, in a few lines, and every single thing that was wrong. */
export function describeAccount(title: string, account: Account): string {
  const { plan, deeds, kills, milliseconds, lost, doubled, faults } = account;
  const again = deeds.filter(({ deliveries }) => deliveries > 1);
  const edits = deeds.filter(isAcknowledgedEdit);
  const puts = sum(edits.map(({ outcome }) => outcome?.puts ?? 0));
  const most = Math.max(...edits.map(({ outcome }) => outcome?.puts ?? 0));
  return [
    "",
    `${title}: ${deeds.length} operations in ${(milliseconds / 1_000).toFixed(0)} s`,
    judged[`${plan.conditionalDelete}`],
    ...answersByCommand(deeds),
    `${kills} kills, ${again.length} operations delivered again, ${again.filter(hadLanded).length} of them had landed`,
    `${(puts / edits.length).toFixed(2)} PUTs per acknowledged edit, at most ${most}; ${racesOf(deeds)} races (412 or 409)`,
    ...describeDirectEdits(plan, deeds),
    ...listed("LOST", lost),
    ...listed("DOUBLED", doubled),
    ...listed("WRONG", faults),
  ].join("\n  ");
}

/** The sums over all servers. */
export function lastLine(accounts: readonly Account[]): string {
  const total = (count: (account: Account) => number): number => sum(accounts.map(count));
  return [
    `${total(({ deeds }) => deeds.length)} operations`,
    `${total(({ deeds }) => racesOf(deeds))} races`,
    `${total(({ kills }) => kills)} kills`,
    `${total(({ lost }) => lost.length)} lost`,
    `${total(({ doubled }) => doubled.length)} doubled`,
  ].join(", ");
}

/** The first delivery was carried out, and the second one found that and wrote nothing. */
function hadLanded({ operation, outcome }: Deed): boolean {
  return operation.adds !== undefined && outcome !== undefined && outcome.code === undefined && outcome.puts === 0;
}

function racesOf(deeds: readonly Deed[]): number {
  return sum(deeds.map(({ outcome }) => outcome?.races ?? 0));
}

function listed(title: string, texts: readonly string[]): readonly string[] {
  const more = texts.length > shownOfAKind ? [`${title}: and ${texts.length - shownOfAKind} more`] : [];
  return [...texts.slice(0, shownOfAKind).map((text) => `${title}: ${text}`), ...more];
}

function answersByCommand(deeds: readonly Deed[]): readonly string[] {
  const byCommand = Map.groupBy(deeds, ({ operation }) => operation.input.command);
  return [...byCommand].map(
    ([command, group]) => `${command}: ${tally(group.map(({ outcome }) => outcome?.code ?? "success"))}`,
  );
}

function tally(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .map(([name, count]) => `${count} ${name}`)
    .join(", ");
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
