import { MemoryError } from "../../errors.ts";
import type { Call } from "../call.ts";
import * as messages from "../messages.ts";
import { placeCopy, refreshCopy, removeOwnCopy, type Copier, type PlacedCopy } from "../move-copy.ts";
import type { GetResult } from "../object-store.ts";
import { lost, replay } from "../replay.ts";
import { assertCanMove, lookAround, type Move, type MoveSurvey } from "./move.ts";

type FoundFile = Extract<GetResult, { outcome: "found" }>;

/** GET ‖ LIST, PUT on condition that the destination is absent, DELETE on condition that the source is unchanged. */
export async function renameFile(call: Call, move: Move, first: MoveSurvey): Promise<string> {
  const { store, keys, request } = call;
  const source = keys.keyOf(move.source);
  const target = keys.keyOf(move.target);
  const success = messages.renamed(move.sentSource, move.sentTarget);
  let placed: PlacedCopy | undefined;
  const deletes = { sent: 0, answered: 0 };
  const sourceMissing = new MemoryError("not_found", messages.pathDoesNotExist(move.sentSource));

  /**
   * The source is gone. Where a delete of this call stayed unanswered, or where it only finishes another
   * worker's rename, that is the end of the rename. Else somebody moved or deleted the source first, and
   * this call's copy must not bring it back.
   */
  const sourceGone = async (copy: PlacedCopy): Promise<string | typeof lost> => {
    if (!copy.made || deletes.answered < deletes.sent) return success;
    if ((await removeOwnCopy(call, target)) === lost) return lost;
    throw sourceMissing;
  };

  const removeSource = async (copy: PlacedCopy): Promise<string | typeof lost> => {
    deletes.sent += 1;
    const result = await store.delete(source, {
      condition: { kind: "unchanged", version: copy.sourceVersion },
      ...request,
    });
    deletes.answered += 1;
    switch (result.outcome) {
      case "deleted":
        return success;
      case "changed":
      case "undecided":
        return lost;
      case "missing":
        return sourceGone(copy);
    }
  };

  return replay<string>(call, {
    sent: move.sentSource,
    conflict: () =>
      placed ? messages.bothKept(move.sentSource, move.sentTarget) : messages.changedMeanwhile(move.sentSource),
    async attempt(attempt) {
      const around = attempt === 1 ? first : await lookAround(call, move);
      const file = around.file;
      if (file.outcome === "missing") {
        if (placed) return sourceGone(placed);
        throw sourceMissing;
      }
      assertCanMove(move, around);
      if (file.outcome === "too_large") {
        throw new MemoryError("too_large", messages.tooLargeTo("rename", move.sentSource, file.size));
      }
      const copier = copyOf(call, file, target);
      if (placed === undefined) {
        if (around.isDirectory) throw new MemoryError("already_exists", messages.destinationExists(move.sentTarget));
        const result = await placeCopy(call, source, target, copier);
        if (result === lost) return lost;
        if (typeof result === "string")
          throw new MemoryError("already_exists", messages.destinationExists(move.sentTarget));
        placed = result;
      } else if (placed.sourceVersion !== file.version) {
        const result = await refreshCopy(call, source, placed, copier);
        if (result === lost) return lost;
        if (typeof result === "string")
          throw new MemoryError("conflict", messages.bothKept(move.sentSource, move.sentTarget));
        placed = result;
      }
      return removeSource(placed);
    },
    async readBack() {
      if (!placed || deletes.sent === 0) return undefined;
      const found = await store.get(source, { maximumBytes: 0, ...request });
      return found.outcome === "missing" ? success : undefined;
    },
  });
}

/** The source has been read already, so a copy of it is one conditional PUT. */
function copyOf(call: Call, source: FoundFile, target: string): Copier {
  return async (condition, metadata) => {
    const result = await call.store.put(target, source.body, {
      condition,
      metadata: metadata(source),
      contentType: source.contentType,
      ...call.request,
    });
    return { ...result, source };
  };
}
