import type { MemoryError } from "../errors.ts";
import type { Call } from "./call.ts";
import { eachSettled } from "./each-settled.ts";
import { listPages } from "./listing.ts";
import type { SentPaths } from "./messages.ts";
import { lost, replay } from "./replay.ts";

/** An object that a listing or a read saw, to be deleted in exactly that version. */
export interface SeenObject {
  readonly key: string;
  readonly version: string;
}

/**
 * - `deleted`: by this call
 * - `vanished`: the first answer already said that it is missing, so somebody else removed it
 * - `gone`: missing after an answer got lost, so it may have been this call or somebody else
 * - `changed`: there in another version, and kept
 * - `returned`: gone, and back under another write; kept
 */
export type Fate = "deleted" | "vanished" | "gone" | "changed" | "returned";

interface Where<T> {
  readonly sent: SentPaths;
  readonly prefix: string;
  /** Claude's text where some keys stayed undecided. */
  readonly conflict: () => string;
  /**
   * Looks at an object before it is sent again. Equal bytes have equal ETags: a file that was moved away and back
   * meanwhile would be deleted by the repeat.
   */
  readonly look?: (object: T) => Promise<Sight>;
}

/** `replaced`: another file is at the key by now, so the one that was to be deleted is gone. */
export type Sight = "untouched" | "missing" | "replaced" | "changed" | "returned";

/** As many as one request takes, and as a full page of a listing has. */
export const objectsPerBatch = 1_000;

/**
 * Deletes exactly these versions, {@link objectsPerBatch} at most, and says what became of each. Keys that the store
 * failed on or could not decide are sent again, in the same version, and only if `look` still finds them untouched
 * where it is given. After a time-out they are looked at once; what is still there makes the outcome unknown.
 */
export async function deleteVersions<T extends SeenObject>(
  call: Call,
  batch: readonly T[],
  where: Where<T>,
): Promise<Map<T, Fate>> {
  const fates = new Map<T, Fate>();
  let open = batch;
  let answered = true; // every send so far
  await replay<true>(call, {
    sent: where.sent,
    conflict: where.conflict,
    async attempt(attempt) {
      if (attempt > 1 && where.look) open = await stillOpen(open, where.look, fates, answered);
      // What got no answer is never sent again unread.
      else if (!answered) open = await stillListed(call, open, where.prefix, fates);
      if (open.length === 0) return true;
      const answeredBefore = answered;
      answered = false;
      const results = await call.store.deleteMany(open, call.request);
      answered = answeredBefore;
      const again: T[] = [];
      let refusal: MemoryError | undefined;
      for (const [index, object] of open.entries()) {
        const result = results[index];
        if (result === undefined || result.outcome === "undecided") again.push(object);
        else if (result.outcome === "failed") {
          if (result.error.details.effect === "none") refusal ??= result.error;
          else answered = false;
          again.push(object);
        } else if (result.outcome === "missing") fates.set(object, answeredBefore ? "vanished" : "gone");
        else fates.set(object, result.outcome);
      }
      open = again;
      if (refusal) throw refusal;
      return open.length === 0 ? true : lost;
    },
    async readBack(settle) {
      open = where.look
        ? await stillOpen(open, where.look, fates, false)
        : await stillListed(call, open, where.prefix, fates);
      if (open.length === 0) return true;
      settle(); // what is open is there in the version that was to go
      return undefined;
    },
  });
  return fates;
}

/** The objects that a look still finds untouched; what became of the others goes into `fates`. */
export async function stillOpen<T extends SeenObject>(
  open: readonly T[],
  look: NonNullable<Where<T>["look"]>,
  fates: Map<T, Fate>,
  answered: boolean,
): Promise<readonly T[]> {
  const found = await eachSettled(open, async (object) => ({ object, state: await look(object) }));
  for (const { object, state } of found) {
    if (state === "missing" || state === "replaced") fates.set(object, answered ? "vanished" : "gone");
    if (state === "changed" || state === "returned") fates.set(object, state);
  }
  return found.filter(({ state }) => state === "untouched").map(({ object }) => object);
}

/**
 * The same by a listing: for objects that nothing but their version tells from others at the key. It ends once all of
 * them were seen; in what order the store lists them does not matter.
 */
async function stillListed<T extends SeenObject>(
  call: Call,
  open: readonly T[],
  prefix: string,
  fates: Map<T, Fate>,
): Promise<readonly T[]> {
  const missing = new Set(open.map(({ key }) => key));
  const left = new Map<string, string>();
  for await (const page of listPages(call.store, { prefix, ...call.request })) {
    for (const { key, version } of page.objects) if (missing.delete(key)) left.set(key, version);
    if (missing.size === 0) break;
  }
  const isThere = (object: T): boolean => left.get(object.key) === object.version;
  for (const object of open) if (!isThere(object)) fates.set(object, left.has(object.key) ? "changed" : "gone");
  return open.filter(isThere);
}
