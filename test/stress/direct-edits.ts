import type { Deed } from "./journal.ts";
import type { Plan } from "./plan.ts";
import { randomFor } from "./random.ts";

/** Half of the workers edit what their process remembers of a file unread, the others read it each time. */
export function editsDirectly({ seed }: Pick<Plan, "seed">, worker: number): boolean {
  return (worker + randomFor(seed, "cache").below(2)) % 2 === 0;
}

/** An edit that was acknowledged. Of one that was delivered twice, the first delivery's requests are not known. */
export function isAcknowledgedEdit({ operation, outcome, deliveries }: Deed): boolean {
  const { command } = operation.input;
  const isEdit = command === "insert" || command === "str_replace";
  return isEdit && deliveries === 1 && outcome !== undefined && outcome.code === undefined;
}

/** Who is to read sent something unread, or nobody who may has ever done so. */
export function faultsOfDirectEdits(plan: Pick<Plan, "seed">, deeds: readonly Deed[]): readonly string[] {
  const { direct, careful } = groupsOf(plan, deeds);
  const isNeverUsed = direct.length > 0 && !direct.some(isAtOnce);
  return [
    ...(isNeverUsed ? ["no edit went out unread"] : []),
    ...careful.filter(isAtOnce).map(({ operation }) => `${operation.id} was sent unread`),
  ];
}

export function describeDirectEdits(plan: Pick<Plan, "seed">, deeds: readonly Deed[]): readonly string[] {
  const { direct, careful } = groupsOf(plan, deeds);
  return [
    `cache on: ${requestsOf(direct)}, ${direct.filter(isAtOnce).length} of ${direct.length} were one PUT`,
    `cache off: ${requestsOf(careful)}`,
  ];
}

function groupsOf(
  plan: Pick<Plan, "seed">,
  deeds: readonly Deed[],
): { readonly direct: readonly Deed[]; readonly careful: readonly Deed[] } {
  const edits = deeds.filter(isAcknowledgedEdit);
  const isDirect = ({ worker }: Deed): boolean => editsDirectly(plan, worker);
  return { direct: edits.filter(isDirect), careful: edits.filter((deed) => !isDirect(deed)) };
}

function requestsOf(deeds: readonly Deed[]): string {
  const requests = deeds.reduce((sum, { outcome }) => sum + (outcome ? outcome.puts + outcome.gets : 0), 0);
  return `${(requests / deeds.length).toFixed(2)} requests per acknowledged edit`;
}

function isAtOnce({ outcome }: Deed): boolean {
  return outcome?.puts === 1 && outcome.gets === 0;
}
