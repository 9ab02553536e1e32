import type { Metadata } from "../../src/core/object-store.ts";
import type { Decision, Settings, State } from "./log.ts";

/** An object, and the state that the log knows it as. */
export interface StoredObject {
  readonly state: State;
  readonly body: Uint8Array;
  readonly metadata: Metadata;
  readonly contentType: string;
  readonly modified: Date;
}

export type NewObject = Pick<StoredObject, "body" | "metadata" | "contentType">;

/** What a write does to a key: `after` where it is carried out. */
export interface WriteOutcome {
  readonly decision: Decision;
  readonly before: State | undefined;
  readonly after: State | undefined;
}

/** `undefined`: the request came without one. */
export type SentCondition = { readonly ifMatch?: string; readonly ifNoneMatch?: string };

const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** One bucket, as S3 decides about single keys: atomically, by what is there at that instant. */
export class SimulatedBucket {
  readonly #etags: Settings["etags"];
  readonly #now: () => number;
  readonly #objects = new Map<string, StoredObject>();
  /** By content, so that equal texts have equal ones and no two others ever do. */
  readonly #contentTags = new Map<string, string>();
  #serial = 0;
  #keys: readonly string[] | undefined;

  constructor(etags: Settings["etags"], now: () => number) {
    this.#etags = etags;
    this.#now = now;
  }

  get(key: string): StoredObject | undefined {
    return this.#objects.get(key);
  }

  /** All keys in S3's order: the simulation's are ASCII. */
  keys(): readonly string[] {
    return (this.#keys ??= [...this.#objects.keys()].sort());
  }

  states(): State[] {
    return this.keys().flatMap((key) => this.#objects.get(key)?.state ?? []);
  }

  put(key: string, object: NewObject, condition: SentCondition): WriteOutcome {
    const before = this.#objects.get(key)?.state;
    const decision = decide(before, condition);
    if (decision !== "committed") return { decision, before, after: before };
    return { decision, before, after: this.plant(key, object) };
  }

  delete(key: string, condition: SentCondition): WriteOutcome {
    const before = this.#objects.get(key)?.state;
    const decision = before === undefined ? "missing" : decide(before, condition);
    if (decision !== "committed") return { decision, before, after: before };
    this.#objects.delete(key);
    this.#keys = undefined;
    return { decision, before, after: undefined };
  }

  /** Without a condition, as what was there before the episode. */
  plant(key: string, { body, metadata, contentType }: NewObject): State {
    const text = decoder.decode(body);
    this.#serial += 1;
    const state: State = {
      serial: this.#serial,
      key,
      text,
      version: this.#versionOf(text),
      writeIds: metadata["write-ids"]?.split(",") ?? [],
      movedFrom: metadata["moved-from"],
    };
    if (!this.#objects.has(key)) this.#keys = undefined;
    const modified = new Date(Math.floor(this.#now() / 1000) * 1000);
    this.#objects.set(key, { state, body: body.slice(), metadata, contentType, modified });
    return state;
  }

  #versionOf(text: string): string {
    if (this.#etags === "unique") return `"u${this.#serial}"`;
    let tag = this.#contentTags.get(text);
    if (tag === undefined) {
      tag = `"c${this.#contentTags.size + 1}"`;
      this.#contentTags.set(text, tag);
    }
    return tag;
  }
}

function decide(before: State | undefined, { ifMatch, ifNoneMatch }: SentCondition): Decision {
  if (ifNoneMatch !== undefined && before !== undefined) return "precondition failed";
  if (ifMatch === undefined) return "committed";
  if (before === undefined) return "missing";
  return ifMatch === "*" || ifMatch === before.version ? "committed" : "precondition failed";
}
