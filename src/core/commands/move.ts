import { MemoryError } from "../../errors.ts";
import { readableBytes, type Call } from "../call.ts";
import { isBelow, looksLikeDirectory, type MemoryPath } from "../memory-path.ts";
import * as messages from "../messages.ts";
import type { GetResult } from "../object-store.ts";
import { assertNoFileAbove, countsFiles, listBelow, surveyMove, type ListedEnds, type Survey } from "../survey.ts";

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
  /** Every key below both ends, where the scope was listed. */
  readonly ends: ListedEnds | undefined;
}

/**
 * GET of the source ‖ listing. Where the scope is listed and the name looks like a directory's, the
 * listing goes first and saves the GET: a wrong guess costs a round trip, never an answer.
 */
export async function lookAround(call: Call, move: Move): Promise<MoveSurvey> {
  const key = call.keys.keyOf(move.source, move.sentSource);
  call.keys.keyOf(move.target, move.sentTarget); // refuses a target that no key has room for
  const get = (): Promise<GetResult> =>
    call.store.get(key, { maximumBytes: readableBytes(call.limits), ...call.request });
  if (looksLikeDirectory(move.source) && countsFiles(call)) {
    const around = await surveyMove(call, move.source, move.target);
    const isKnownMissing = around.listing?.sourceFile === false;
    return { ...around, file: isKnownMissing ? { outcome: "missing" } : await get(), ends: around.listing };
  }
  const [file, around] = await Promise.all([get(), surveyMove(call, move.source, move.target)]);
  return { ...around, file, ends: around.listing };
}

/** Every key below both ends. */
export async function listEnds(call: Call, move: Move): Promise<ListedEnds> {
  const [source, target] = await Promise.all([listBelow(call, move.source), listBelow(call, move.target)]);
  return { source, target };
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
