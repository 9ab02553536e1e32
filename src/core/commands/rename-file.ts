import { MemoryError } from "../../errors.ts";
import { getFile, type Call } from "../call.ts";
import * as messages from "../messages.ts";
import {
  findOwnCopy,
  placeCopy,
  refreshCopy,
  removeOwnCopy,
  type Copier,
  type PlacedCopy,
  type Sending,
} from "../move-copy.ts";
import { findTwins } from "../move-twins.ts";
import type { GetResult, ObjectHead } from "../object-store.ts";
import { lost, replay } from "../replay.ts";
import { carriesWrite, hasWriteIds, isSameFile, isUntouched } from "../write-record.ts";
import { assertCanMove, lookAround, unfinished, type Move, type MoveSurvey } from "./move.ts";

type FoundFile = Extract<GetResult, { outcome: "found" }>;

/** GET ‖ LIST, PUT on condition that the destination is absent, DELETE on condition that the source is unchanged. */
export async function renameFile(call: Call, move: Move, first: MoveSurvey): Promise<string> {
  const { keys } = call;
  const rename = new FileRename(call, move, keys.keyOf(move.source), keys.keyOf(move.target));
  try {
    return await replay<string>(call, {
      sent: [move.sentSource, move.sentTarget],
      conflict: () => rename.conflict(),
      attempt: async (attempt, settle) => rename.attempt(attempt === 1 ? first : await rename.lookAgain(first), settle),
      readBack: (settle) => rename.readBack(settle),
    });
  } catch (error) {
    throw unfinished(move, error, rename.hasCopied);
  }
}

/** How far one rename of a file has come, over all its attempts. */
class FileRename {
  readonly #call: Call;
  readonly #move: Move;
  readonly #source: string;
  readonly #target: string;
  readonly #success: string;
  /** What was sent to the destination and got no answer. Cleared by any: whose the copy is that is there must be certain. */
  #sending: Sending | undefined;
  #placed: PlacedCopy | undefined;
  /** A delete of the source was sent whose answer never came. */
  #deleteIsOpen = false;
  /** The same of a delete of the copy: whether it is missing by somebody else's doing is not known. */
  #removalIsOpen = false;

  constructor(call: Call, move: Move, source: string, target: string) {
    this.#call = call;
    this.#move = move;
    this.#source = source;
    this.#target = target;
    this.#success = messages.renamed(move.sentSource, move.sentTarget);
  }

  get hasCopied(): boolean {
    return this.#placed !== undefined;
  }

  conflict(): string {
    const { sentSource, sentTarget } = this.#move;
    return this.#placed ? messages.bothKept(sentSource, sentTarget) : messages.changedMeanwhile(sentSource);
  }

  /** Once the copy stands, what is around it no longer matters. */
  async lookAgain(first: MoveSurvey): Promise<MoveSurvey> {
    return this.#placed
      ? { ...first, file: await getFile(this.#call, this.#source) }
      : lookAround(this.#call, this.#move);
  }

  async attempt(around: MoveSurvey, settle: () => void): Promise<string | typeof lost> {
    const { file } = around;
    if (this.#sending) {
      this.#placed = (await findOwnCopy(this.#call, this.#target, this.#sending, this.#placed)) ?? this.#placed;
      this.#sending = undefined;
      settle();
    }
    const placed = this.#placed;
    if (placed && file.outcome !== "missing" && this.#isOwn(file)) return this.#cameBack(placed, settle);
    if (placed && file.outcome !== "missing" && isUntouched(file, placed.source)) {
      this.#deleteIsOpen = false; // no delete of this call has had an effect
      settle();
    }
    if (file.outcome === "missing") return placed ? this.#sourceGone(placed, "missing", settle) : this.#refuseMissing();
    if (placed && !isSameFile(file, placed.source)) {
      // Another tool leaves no ids behind: whether this is an edit or a new file cannot be known.
      return this.#sourceGone(placed, hasWriteIds(file.metadata) ? "replaced" : "overwritten", settle);
    }
    // Once the copy stands, what came above it meanwhile must not leave it there.
    if (!placed) assertCanMove(this.#move, around);
    if (file.outcome === "too_large") {
      throw new MemoryError("too_large", messages.tooLargeTo("rename", this.#move.sentSource, file.size));
    }
    if (!placed && around.isDirectory) return this.#refuseOccupied();
    const copy = await this.#copyOf(file);
    return typeof copy === "object" ? this.#removeSource(copy, settle) : copy;
  }

  async readBack(settle: () => void): Promise<string | undefined> {
    settle(); // whatever stands by then, the text names both places
    if (!this.#placed || !this.#deleteIsOpen) return undefined;
    const found = await this.#call.store.get(this.#source, { maximumBytes: 0, ...this.#call.request });
    if (found.outcome !== "missing" && !this.#isOwn(found) && isSameFile(found, this.#placed.source)) return undefined;
    const twins = await findTwins(this.#call, [{ ...this.#placed, target: this.#target }]);
    return twins.length > 0 ? undefined : this.#success;
  }

  #isOwn({ metadata }: Pick<ObjectHead, "metadata">): boolean {
    return carriesWrite(metadata, this.#call.stamp.writeId);
  }

  /** A copy of exactly this version of the source; made, taken over or brought up to date. */
  async #copyOf(file: FoundFile): Promise<PlacedCopy | typeof lost> {
    const { sentSource, sentTarget } = this.#move;
    if (this.#placed && isUntouched(file, this.#placed.source)) return this.#placed;
    const onSending = (sending: Sending | undefined): void => void (this.#sending = sending);
    const fileMove = { source: this.#source, target: this.#target, copier: this.#copierOf(file), onSending };
    const result = this.#placed
      ? await refreshCopy(this.#call, fileMove, this.#placed)
      : await placeCopy(this.#call, fileMove);
    if (result === lost) return lost;
    if (typeof result === "object") return (this.#placed = result);
    if (!this.#placed) return this.#refuseOccupied();
    // The copy was moved on or deleted: the source stays, and whoever moved the copy knows where it is.
    if (result === "copy_missing") throw new MemoryError("conflict", messages.movedAndKept(sentTarget, sentSource));
    throw new MemoryError("conflict", messages.bothKept(sentSource, sentTarget));
  }

  /** The source has been read already, so a copy of it is one conditional PUT. */
  #copierOf(file: FoundFile): Copier {
    return async (condition, metadataOf) => {
      const metadata = metadataOf(file);
      if (metadata === undefined) return { outcome: "declined", source: file };
      const { contentType } = file;
      const put = { condition, metadata, contentType, ...this.#call.request };
      return { ...(await this.#call.store.put(this.#target, file.body, put)), source: file };
    };
  }

  async #removeSource(copy: PlacedCopy, settle: () => void): Promise<string | typeof lost> {
    const condition = { kind: "unchanged", version: copy.source.version } as const;
    if (!copy.made) {
      // Who takes over another worker's copy may come late: the source may be gone and, with equal bytes, back again.
      const now = await this.#call.store.head(this.#source, this.#call.request);
      if (now.outcome === "missing") return this.#sourceGone(copy, "missing", settle);
      if (!isUntouched(now, copy.source)) return lost;
    }
    const wasOpen = this.#deleteIsOpen;
    this.#deleteIsOpen = true;
    const { outcome } = await this.#call.store.delete(this.#source, { condition, ...this.#call.request });
    this.#deleteIsOpen = wasOpen;
    if (outcome === "deleted") return this.#success;
    return outcome === "missing" ? this.#sourceGone(copy, "missing", settle) : lost;
  }

  /**
   * The source is gone, or another file is in its place. Where a delete of this call got no answer, or where this
   * call only finishes another worker's rename, that is the end of the rename. Else somebody moved or deleted the
   * source first, and this call's copy must not bring it back.
   */
  async #sourceGone(
    copy: PlacedCopy,
    now: "missing" | "replaced" | "overwritten",
    settle: () => void,
  ): Promise<string | typeof lost> {
    const { sentSource, sentTarget } = this.#move;
    if (now === "overwritten" && copy.made)
      throw new MemoryError("conflict", messages.bothKept(sentSource, sentTarget));
    if (this.#deleteIsOpen || !copy.made) return this.#goneByWhom(copy, sentTarget, settle);
    const wasOpen = this.#removalIsOpen;
    this.#removalIsOpen = true;
    const fate = await removeOwnCopy(this.#call, this.#target);
    this.#removalIsOpen = wasOpen;
    if (fate === lost) return lost;
    if (fate === "kept") throw new MemoryError("conflict", messages.movedAndKept(sentSource, sentTarget));
    if (fate === "missing" && !wasOpen) throw new MemoryError("conflict", messages.bothGone(sentSource, sentTarget));
    if (now === "missing") return this.#refuseMissing();
    throw new MemoryError("conflict", messages.changedMeanwhile(sentSource));
  }

  /**
   * This call's copy is at the source: somebody renamed it back. Where a delete got no answer, that was after the rename
   * was done. Else that is all that is known of it.
   */
  async #cameBack(copy: PlacedCopy, settle: () => void): Promise<string> {
    const { sentSource, sentTarget } = this.#move;
    if (!this.#deleteIsOpen) throw new MemoryError("conflict", messages.movedBack(sentSource, sentTarget));
    return this.#goneByWhom(copy, sentSource, settle);
  }

  /** The source is gone, by this call, by who made the copy, or by another rename, which then has a copy of its own. */
  async #goneByWhom(copy: PlacedCopy, stands: string, settle: () => void): Promise<string> {
    const [twin] = await findTwins(this.#call, [{ ...copy, target: this.#target }]);
    if (twin === undefined) return this.#success;
    settle();
    throw new MemoryError("conflict", messages.movedTwice(this.#move.sentSource, stands, twin));
  }

  #refuseMissing(): never {
    throw new MemoryError("not_found", messages.pathDoesNotExist(this.#move.sentSource));
  }

  #refuseOccupied(): never {
    throw new MemoryError("already_exists", messages.destinationExists(this.#move.sentTarget));
  }
}
