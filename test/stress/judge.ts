import type { MemoryErrorCode } from "../../src/index.ts";
import type { Deed } from "./journal.ts";
import { areaOf, fileOf, heading, scratchFolder, type Area } from "./places.ts";

/** What the end of a run is compared with what its workers were told. One text for each thing that is wrong. */
export interface Verdict {
  /** Lines that must be there and are not. */
  readonly lost: readonly string[];
  /** Lines that are there more than once. */
  readonly doubled: readonly string[];
  /** Everything else that must not be: answers that are not documented, lines that were refused, replaced or deleted. */
  readonly faults: readonly string[];
}

/** What a line may do, by the answers to all that touched it. */
interface Fate {
  readonly least: 0 | 1;
  readonly most: 0 | 1;
}

/** Compares the files, by path, with the deeds of all workers. */
export function judge(deeds: readonly Deed[], files: ReadonlyMap<string, string>): Verdict {
  const lost: string[] = [];
  const doubled: string[] = [];
  const faults = deeds.flatMap(undocumentedAnswer);
  const places = placesOfLines(files);
  const split = new Set(deeds.filter(mayLeaveBoth).map((deed) => fileOf(pathOf(deed))));
  for (const deed of deeds) {
    const line = deed.operation.adds;
    if (line === undefined) continue;
    const found = places.get(line) ?? [];
    places.delete(line);
    const told = `${line} (${describe(deed)})`;
    const { least, most } = fateOf(deed, deeds);
    const foreign = found.filter((path) => fileOf(path) !== fileOf(pathOf(deed)));
    if (foreign.length > 0) faults.push(`${told} is in ${foreign.join(", ")}`);
    const inBoth = split.has(fileOf(pathOf(deed))) && new Set(found).size === found.length;
    if (found.length < least) lost.push(`${told} is in no file`);
    else if (found.length > 1 && !inBoth) doubled.push(`${told} is ${found.length} times in ${found.join(", ")}`);
    else if (found.length > most && !inBoth) faults.push(`${told} is in ${found.join(", ")}, and must be in no file`);
  }
  for (const [line, paths] of places) {
    if (line !== heading) faults.push(`${line}, which no worker wrote, is in ${paths.join(", ")}`);
  }
  return { lost, doubled, faults };
}

/** Where each line is; a path as often as the line is there. */
function placesOfLines(files: ReadonlyMap<string, string>): Map<string, string[]> {
  const places = new Map<string, string[]>();
  for (const [path, text] of files) {
    for (const line of text.split("\n").filter((part) => part !== "")) {
      places.set(line, [...(places.get(line) ?? []), path]);
    }
  }
  return places;
}

function fateOf(added: Deed, deeds: readonly Deed[]): Fate {
  const { adds } = added.operation;
  const replacements = deeds.filter(({ operation }) => operation.removes === adds).filter(mayHaveHappened);
  const deletions = deeds.filter((deed) => covers(deed, added)).filter(mayHaveHappened);
  // A delete that had ended before the line was sent has nothing to do with it.
  const isGone = (by: Deed): boolean => hasHappened(by) && by.started > added.ended;
  return {
    least: hasHappened(added) && replacements.length === 0 && deletions.every((by) => by.ended < added.started) ? 1 : 0,
    most: mayHaveHappened(added) && !replacements.some(hasHappened) && !deletions.some(isGone) ? 1 : 0,
  };
}

function covers({ operation: { input } }: Deed, added: Deed): boolean {
  if (input.command !== "delete") return false;
  const path = pathOf(added);
  return input.path === scratchFolder ? path.startsWith(`${scratchFolder}/`) : fileOf(input.path) === fileOf(path);
}

function hasHappened({ outcome }: Deed): boolean {
  return outcome !== undefined && outcome.code === undefined;
}

/**
 * A refusal is certain: nothing was written. After a second delivery it is only the second one's: the first may have
 * been carried out. A conflict of a directory's delete says that a part was deleted.
 */
function mayHaveHappened(deed: Deed): boolean {
  const { outcome, deliveries, operation } = deed;
  if (outcome === undefined || deliveries > 1 || outcome.code === "outcome_unknown") return true;
  return outcome.code === undefined || (outcome.code === "conflict" && operation.input.command === "delete");
}

/** The renames after which a file may be at both its names: it says so, or its worker died and others came in between. */
function mayLeaveBoth(deed: Deed): boolean {
  const { outcome, deliveries, operation } = deed;
  if (operation.input.command !== "rename" || areaOf(pathOf(deed)) !== "moving") return false;
  if (outcome === undefined || outcome.code === "outcome_unknown") return true;
  return outcome.content.includes("kept") || (deliveries > 1 && outcome.code !== undefined);
}

/** What other workers make of a command; in any area it may be `conflict` or `outcome_unknown`. */
const refusals: Readonly<Record<Area, Partial<Record<string, readonly MemoryErrorCode[]>>>> = {
  shared: {},
  // The file is at its other name by now, or at both.
  moving: {
    insert: ["not_found"],
    str_replace: ["not_found", "no_match"],
    rename: ["not_found", "already_exists"],
  },
  claims: { create: ["already_exists"] },
  own: {},
  // Deleted, or created again with fewer lines.
  scratch: { create: ["already_exists"], insert: ["not_found", "invalid_input"], delete: ["not_found"] },
};

function undocumentedAnswer(deed: Deed): readonly string[] {
  const { outcome, operation, deliveries } = deed;
  if (outcome === undefined) return [`${describe(deed)} was never answered`];
  const { code } = outcome;
  if (code === undefined || code === "conflict" || code === "outcome_unknown") return [];
  const { command } = operation.input;
  const isRemoval = command === "delete" || command === "rename";
  // Carried out and delivered again, it truthfully finds nothing.
  if (isRemoval && deliveries > 1 && code === "not_found") return [];
  if (refusals[areaOf(pathOf(deed))][command]?.includes(code)) return [];
  return [`${describe(deed)}: ${outcome.content}`];
}

function pathOf({ operation: { input } }: Deed): string {
  return input.command === "rename" ? input.old_path : input.path;
}

function describe(deed: Deed): string {
  const { operation, outcome, deliveries } = deed;
  const answer = outcome === undefined ? "no answer" : (outcome.code ?? "success");
  const again = deliveries > 1 ? `, delivered ${deliveries} times` : "";
  return `${operation.id}: ${operation.input.command} ${pathOf(deed)}: ${answer}${again}`;
}
