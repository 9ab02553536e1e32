import type { EpisodeLog, Violation } from "../log.ts";
import { basisRules } from "./basis-rules.ts";
import { cacheRules, unreadEdits } from "./cache-rules.ts";
import { takeInventory, type UnnamedDouble } from "./conservation-rules.ts";
import { directoryAnswers } from "./directory-answers.ts";
import { disciplineRules } from "./discipline-rules.ts";
import { indexLog, type Rule } from "./history.ts";
import { excusesOf, onceRules, type Excuse } from "./once-rules.ts";
import { refusalRules } from "./refusal-rules.ts";
import { renameAnswers } from "./rename-answers.ts";
import { roomRules } from "./room-rules.ts";
import { scopeRules } from "./scope-rules.ts";
import { singleAnswers } from "./single-answers.ts";
import { writeRules } from "./write-rules.ts";

export type { Excuse, UnnamedDouble };

/** What is to be said of an episode. */
export interface Judgement {
  /** The most telling first: what the store's commits show before what the answers say of it. */
  readonly violations: readonly Violation[];
  /** Writes that came twice in one of the documented ways. */
  readonly excused: readonly Excuse[];
  /** Files that stand at two names, with a request unanswered, and no answer names both. */
  readonly unnamedDoubles: readonly UnnamedDouble[];
  /** What was decided of each edit that went out unread, on what its process remembered. */
  readonly unreadEdits: readonly string[];
}

const rulesOfCommits: readonly Rule[] = [scopeRules, writeRules, onceRules, roomRules];
const rulesOfAnswers: readonly Rule[] = [
  refusalRules,
  singleAnswers,
  directoryAnswers,
  renameAnswers,
  basisRules,
  disciplineRules,
  cacheRules,
];

/** Judges one episode by its log alone. */
export function judge(log: EpisodeLog): Judgement {
  const history = indexLog(log);
  const inventory = takeInventory(history);
  const found = (rules: readonly Rule[]): Violation[] => rules.flatMap((rule) => [...rule(history)]);
  return {
    violations: [...found(rulesOfCommits), ...inventory.violations, ...found(rulesOfAnswers)],
    excused: [...excusesOf(history)],
    unnamedDoubles: inventory.unnamedDoubles,
    unreadEdits: unreadEdits(history),
  };
}

/** Every promise that this episode did not keep. */
export function check(log: EpisodeLog): readonly Violation[] {
  return judge(log).violations;
}
