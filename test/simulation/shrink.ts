import { judgePlan, type JudgedEpisode } from "./episode.ts";
import { nameOf } from "./faults.ts";
import type { Plan, Turn } from "./plan.ts";
import { deriveSeed } from "./random.ts";

/** Schedules that are tried for a smaller plan where the order of the larger one does not do. */
const otherSchedules = 5;

/**
 * Leaves out whatever the same rule is broken without: operations, deaths, faults, initial files, at first many at
 * once. Ends where nothing more can be left out, or when the time is over.
 */
export async function shrink(found: JudgedEpisode, rule: string, milliseconds: number): Promise<JudgedEpisode> {
  const shrinking = new Shrinking(found, rule, performance.now() + milliseconds);
  while (await shrinking.pass(0));
  while ((await shrinking.pass(otherSchedules)) && (await shrinking.pass(0)));
  return shrinking.smallest;
}

class Shrinking {
  smallest: JudgedEpisode;
  readonly #rule: string;
  readonly #deadline: number;

  constructor(found: JudgedEpisode, rule: string, deadline: number) {
    this.smallest = found;
    this.#rule = rule;
    this.#deadline = deadline;
  }

  /** Tries every part once, alone and among others; whether anything could be left out. */
  async pass(schedules: number): Promise<boolean> {
    let parts = partsOf(this.#plan());
    const before = parts.length;
    for (let size = Math.ceil(before / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
      for (let start = 0; start < parts.length;) {
        const smaller = without(this.#plan(), new Set(parts.slice(start, start + size)));
        if (await this.#stillBreaks(smaller, schedules)) parts = parts.toSpliced(start, size);
        else start += size;
        if (performance.now() > this.#deadline) return false;
      }
    }
    return parts.length < before;
  }

  #plan(): Plan {
    const { plan, faults } = this.smallest;
    return { ...plan, faults: { ...plan.faults, listed: faults } };
  }

  /** In the order of the larger one, as far as that goes, or in another. */
  async #stillBreaks(plan: Plan, schedules: number): Promise<boolean> {
    const { scheduleSeed } = this.smallest;
    const order = this.smallest.order();
    for (let attempt = 0; attempt <= schedules; attempt++) {
      const seed = attempt === 0 ? scheduleSeed : deriveSeed(scheduleSeed, attempt);
      const judged = await judgePlan(plan, seed, attempt === 0 ? order : undefined);
      if (!judged.violations.some(({ rule }) => rule === this.#rule)) continue;
      this.smallest = judged;
      return true;
    }
    return false;
  }
}

/** The names of everything that can be left out; what is close together in the plan is so here. */
function partsOf({ workers, faults, initial }: Plan): readonly string[] {
  return [
    ...workers.flatMap(({ turns }) => turns.flatMap(partsOfTurn)),
    ...(faults.listed ?? []).map((fault) => `fault ${nameOf(fault)}`),
    ...initial.map(({ name }) => `file ${name}`),
  ];
}

function partsOfTurn({ operations, death }: Turn): readonly string[] {
  const names = operations.map(({ key }) => `operation ${key}`);
  return death ? [`death ${operations[0]?.key}`, ...names] : names;
}

function without(plan: Plan, left: ReadonlySet<string>): Plan {
  const { workers, faults, initial } = plan;
  const turnWithout = ({ operations, death }: Turn): Turn => {
    const dies = death && !left.has(`death ${operations[0]?.key}`);
    return {
      operations: operations.filter(({ key }) => !left.has(`operation ${key}`)),
      ...(dies ? { death } : {}),
    };
  };
  return {
    ...plan,
    workers: workers.map(({ process, turns }) => ({
      process,
      turns: turns.map(turnWithout).filter(({ operations }) => operations.length > 0),
    })),
    faults: { ...faults, listed: (faults.listed ?? []).filter((fault) => !left.has(`fault ${nameOf(fault)}`)) },
    initial: initial.filter(({ name }) => !left.has(`file ${name}`)),
  };
}
