import { randomUUID } from "node:crypto";
import type {
  GetResult,
  ListOptions,
  ListPage,
  ObjectStore,
  PutOptions,
  PutResult,
  WriteCondition,
} from "../../core/object-store.ts";

/**
 * What a store may lack and still serve, with less safety or less comfort.
 *
 * - `atomicDelete`: a delete checks its condition and deletes in one step
 * - `tellsMissing`: `unchanged` on a missing key is `missing`, not `changed`
 * - `pageEndsAnywhere`: a page of a listing may end on any key, an emoji's too
 * - `byteOrder`: listings are in the order of the keys' bytes, so `a-b` comes before `a/b`
 * - `fileBesideDirectory`: a key may be written where there are keys below it
 * - `longNames`: what lies between two slashes of a key may be longer than 255 bytes
 */
export type StoreCapability =
  | "atomicDelete"
  | "tellsMissing"
  | "pageEndsAnywhere"
  | "byteOrder"
  | "fileBesideDirectory"
  | "longNames";

/** One thing that every store does. Rejects, with an `AssertionError`, where the store does not do it. */
export interface StoreContractCase {
  /** A sentence whose subject is the store: `lets exactly one of many concurrent creators win`. */
  readonly name: string;
  /** Only a store with this capability is expected to pass. */
  readonly needs?: StoreCapability;
  /** Works below a key prefix of its own, and removes afterwards what it has put there. */
  readonly run: (store: ObjectStore) => Promise<void>;
}

/** A store with a key prefix nobody else uses, and shorthands for what most cases do. */
export class Sandbox {
  readonly store: ObjectStore;
  readonly prefix = `store-contract/${randomUUID()}/`;

  constructor(store: ObjectStore) {
    this.store = store;
  }

  key(name: string): string {
    return this.prefix + name;
  }

  /** Puts a text. */
  put(name: string, text: string, condition: WriteCondition, options: Partial<PutOptions> = {}): Promise<PutResult> {
    return this.store.put(this.key(name), encode(text), {
      metadata: {},
      contentType: "text/plain; charset=utf-8",
      ...options,
      condition,
    });
  }

  /** Puts a text where nothing is, and answers its version. */
  async create(name: string, text: string, options: Partial<PutOptions> = {}): Promise<string> {
    const result = await this.put(name, text, { kind: "absent" }, options);
    if (result.outcome !== "written") throw new Error(`a new key was answered with ${result.outcome}`);
    return result.version;
  }

  get(name: string, maximumBytes = 1_000_000): Promise<GetResult> {
    return this.store.get(this.key(name), { maximumBytes });
  }

  /** The text of an object, or `undefined` where there is none. */
  async text(name: string): Promise<string | undefined> {
    const result = await this.get(name);
    return result.outcome === "found" ? new TextDecoder().decode(result.body) : undefined;
  }

  /** Every key below the prefix, without it, in the order of the pages. */
  async names(pageSize?: number): Promise<readonly string[]> {
    const names: string[] = [];
    for await (const page of this.pages(pageSize)) names.push(...page);
    return names;
  }

  async *pages(pageSize?: number): AsyncGenerator<readonly string[], void> {
    for await (const { objects } of this.listPages(pageSize === undefined ? {} : { pageSize })) {
      yield objects.map(({ key }) => key.slice(this.prefix.length));
    }
  }

  /** Every page below the prefix. A store that goes in circles fails instead of never ending. */
  async *listPages(options: Pick<ListOptions, "delimiter" | "pageSize">): AsyncGenerator<ListPage, void> {
    const tokens = new Set<string>();
    let token: string | undefined;
    do {
      const page = await this.store.list({
        ...options,
        prefix: this.prefix,
        ...(token === undefined ? {} : { token }),
      });
      yield page;
      token = page.next;
      if (token !== undefined && tokens.has(token)) throw new Error("the listing came to the same page again");
      if (token !== undefined) tokens.add(token);
    } while (token !== undefined);
  }

  async removeAll(): Promise<void> {
    for await (const { objects } of this.listPages({})) {
      if (objects.length > 0) await this.store.deleteMany(objects, {});
    }
  }
}

/** A case that works in a sandbox. */
export function contractCase(
  name: string,
  run: (sandbox: Sandbox) => Promise<void>,
  needs?: StoreCapability,
): StoreContractCase {
  return {
    name,
    ...(needs === undefined ? {} : { needs }),
    run: async (store) => {
      const sandbox = new Sandbox(store);
      try {
        await run(sandbox);
      } finally {
        // What the case found out counts, not whether the tidying works.
        await sandbox.removeAll().catch(() => undefined);
      }
    },
  };
}

export function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Runs many at once. */
export function concurrently<Result>(count: number, work: (index: number) => Promise<Result>): Promise<Result[]> {
  return Promise.all(Array.from({ length: count }, (_, index) => work(index)));
}

/** How often each outcome was answered. */
export function tally(results: readonly { readonly outcome: string }[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { outcome } of results) counts[outcome] = (counts[outcome] ?? 0) + 1;
  return counts;
}
