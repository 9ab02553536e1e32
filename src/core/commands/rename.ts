import { MemoryError } from "../../errors.ts";
import type { Call } from "../call.ts";
import { isBelow, isRoot, lastSegment, type MemoryPath } from "../memory-path.ts";
import * as messages from "../messages.ts";
import type { GetResult } from "../object-store.ts";
import { assertNoFileAbove, surveyMove, type ListedBelow, type Survey } from "../survey.ts";
import { readableBytes } from "../call.ts";
import { renameDirectory } from "./rename-directory.ts";
import { renameFile } from "./rename-file.ts";

/** The two ends of a rename, canonical and as Claude sent them. */
export interface Move {
  readonly source: MemoryPath;
  readonly target: MemoryPath;
  readonly sentSource: string;
  readonly sentTarget: string;
}

/** What was found at both ends before anything was sent. */
export interface MoveSurvey extends Survey, ListedBelow {
  /** The file at the source; `undefined` where there is none, or where nothing asked for it. */
  readonly file: GetResult | undefined;
}

/**
 * S3 has no atomic rename. Two steps are promised: the destination appears with the source's content,
 * then the source disappears if it is still that content. Readers may see both for a moment; whatever
 * step a worker dies at, the content is readable under one of the two names and a repeat finishes it.
 */
export async function rename(call: Call, move: Move): Promise<string> {
  if (isRoot(move.source) || isRoot(move.target)) {
    throw new MemoryError("invalid_path", messages.cannotRenameRoot());
  }
  const around = await lookAround(call, move);
  if (around.file !== undefined && around.file.outcome !== "missing") return renameFile(call, move, around);
  if (around.source.length === 0) throw new MemoryError("not_found", messages.pathDoesNotExist(move.sentSource));
  assertCanMove(move, around);
  return renameDirectory(call, move, around);
}

/**
 * GET of the source ‖ listing of both ends. A name that looks like a directory's saves the GET until the
 * listing has shown no such directory: a wrong guess costs a round trip, never an answer.
 */
export async function lookAround(call: Call, move: Move): Promise<MoveSurvey> {
  const key = call.keys.keyOf(move.source, move.sentSource);
  call.keys.keyOf(move.target, move.sentTarget); // refuses a target that no key has room for
  const get = (): Promise<GetResult> =>
    call.store.get(key, { maximumBytes: readableBytes(call.limits), ...call.request });
  if (lastSegment(move.source).lastIndexOf(".") > 0) {
    const [file, around] = await Promise.all([get(), surveyMove(call, move.source, move.target)]);
    return { ...around, file };
  }
  const around = await surveyMove(call, move.source, move.target);
  return { ...around, file: await get() };
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
