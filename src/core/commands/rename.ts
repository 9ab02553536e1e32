import { MemoryError } from "../../errors.ts";
import type { Call } from "../call.ts";
import { isRoot } from "../memory-path.ts";
import * as messages from "../messages.ts";
import { listEnds } from "../survey.ts";
import { assertCanMove, lookAround, type Move } from "./move.ts";
import { renameDirectory } from "./rename-directory.ts";
import { renameFile } from "./rename-file.ts";

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
  if (around.file.outcome !== "missing") return renameFile(call, move, around);
  const ends = await listEnds(call, move.source, move.target, around);
  if (ends.source.length === 0) throw new MemoryError("not_found", messages.pathDoesNotExist(move.sentSource));
  assertCanMove(move, around);
  return renameDirectory(call, move, around, ends);
}
