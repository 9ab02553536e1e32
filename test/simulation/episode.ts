import type { CacheChoice } from "./cache-choice.ts";
import { judge, type Judgement } from "./check/check.ts";
import type { EpisodeLog } from "./log.ts";
import { makePlan } from "./make-plan.ts";
import type { Fault } from "./faults.ts";
import type { Plan } from "./plan.ts";
import { deriveSeed } from "./random.ts";
import { runEpisode } from "./run-episode.ts";
import type { Order } from "./scheduler.ts";

/** A plan that was run under one schedule, and what the checker says of it. */
export interface JudgedEpisode extends Judgement {
  readonly plan: Plan;
  readonly scheduleSeed: number;
  readonly log: EpisodeLog;
  readonly faults: readonly Fault[];
  readonly order: () => Order;
}

/** The episode of that number in the run of that seed. */
export async function judgeEpisode(seed: number, index: number, cache: CacheChoice = "both"): Promise<JudgedEpisode> {
  const plan = makePlan(deriveSeed(seed, index));
  const { directEdits } = plan.settings;
  const settings = { ...plan.settings, directEdits: cache === "both" ? directEdits : cache === "on" };
  return judgePlan({ ...plan, settings }, deriveSeed(seed, index, 1));
}

/** Where an order is given, it is kept as far as it can be. */
export async function judgePlan(plan: Plan, scheduleSeed: number, order?: Order): Promise<JudgedEpisode> {
  const { log, violations, ...rest } = await runEpisode(plan, scheduleSeed, order);
  const judgement = judge(log);
  return { ...judgement, plan, scheduleSeed, log, violations: [...violations, ...judgement.violations], ...rest };
}
