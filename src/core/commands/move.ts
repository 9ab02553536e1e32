import { isMemoryError, MemoryError } from "../../errors.ts";
import { getFile, type Call } from "../call.ts";
import { isBelow, type MemoryPath } from "../memory-path.ts";
import * as messages from "../messages.ts";
import type { GetResult } from "../object-store.ts";
import { assertNoFileAbove, surveyMove, type ListedEnds, type Survey } from "../survey.ts";

/** The two ends of a rename, canonical and as Claude sent them. */
export interface Move {
  readonly source: MemoryPath;
  readonly target: MemoryPath;
  readonly sentSource: string;
  readonly sentTarget: string;
}

/** What was found at both ends before anything was sent. */
export interface MoveSurvey extends Survey {
  /** The file at the source. */
  readonly file: GetResult;
  /** What is below both ends, as far as it was listed. */
  readonly ends: Partial<ListedEnds>;
}

/** GET of the source ‖ what is around: whether it is a file or a directory, one wait tells. */
export async function lookAround(call: Call, move: Move): Promise<MoveSurvey> {
  const key = call.keys.keyOf(move.source, move.sentSource);
  call.keys.keyOf(move.target, move.sentTarget); // refuses a target that no key has room for
  const [file, around] = await Promise.all([getFile(call, key), surveyMove(call, move.source, move.target)]);
  return { ...around, file };
}

/** What Claude reads where the store failed once a copy may be standing: which names to look at. */
export function unfinished(move: Move, error: unknown, hasCopied: boolean): unknown {
  if (!isMemoryError(error) || error.code !== "storage") return error;
  const mayHaveCopied = hasCopied || error.details.effect !== "none";
  if (!mayHaveCopied) return error;
  const text = messages.renameUnfinished(move.sentSource, move.sentTarget);
  return new MemoryError("storage", text, error.details, { cause: error });
}

/** Refuses what no state of the destination allows; whether it is taken is found out by whoever copies. */
export function assertCanMove(move: Move, around: Survey): void {
  if (move.source === move.target) {
    throw new MemoryError("already_exists", messages.destinationExists(move.sentTarget));
  }
  if (isBelow(move.target, move.source)) {
    throw new MemoryError("invalid_path", messages.cannotRenameIntoItself(move.sentSource));
  }
  assertNoFileAbove(around);
}
