import type {
  BatchDeleteResult,
  DeleteCondition,
  DeleteResult,
  ListedObject,
  ListOptions,
  ListPage,
  Metadata,
  ObjectHead,
  ObjectStore,
  PutOptions,
  PutResult,
  RequestOptions,
} from "../core/object-store.ts";
import { storageFailed } from "../core/messages.ts";
import { MemoryError } from "../errors.ts";
import { copyThroughWorker } from "./copy-through-worker.ts";
import { compareUtf8 } from "../core/utf8-order.ts";

/** An object as {@link InMemoryStore} keeps it. */
export interface StoredObject extends ObjectHead {
  readonly body: Uint8Array;
}

/** The store of {@link inMemoryStore}: the port, and a look at what it holds. */
export interface InMemoryStore extends ObjectStore {
  /** All keys, in UTF-8 byte order. */
  keys(): readonly string[];
  /** The object under a key, or `undefined`. */
  peek(key: string): StoredObject | undefined;
  /** Writes at once and without a condition, as another tool might. */
  plant(
    key: string,
    body: Uint8Array | string,
    options?: { readonly metadata?: Metadata; readonly contentType?: string },
  ): StoredObject;
}

/**
 * The reference implementation of the port, for tests and simulations. Every call takes effect in
 * one step, after a turn of the microtask queue, so concurrent calls interleave as they do on S3.
 * Versions come from the content alone, as S3's do: A → B → A cannot be seen.
 */
export function inMemoryStore(
  options: {
    /** Milliseconds since 1970; objects carry whole seconds of it. @default Date.now */
    readonly now?: () => number;
  } = {},
): InMemoryStore {
  const { now = Date.now } = options;
  const objects = new Map<string, StoredObject>();
  let sortedKeys: readonly string[] | undefined;

  const keys = (): readonly string[] => (sortedKeys ??= [...objects.keys()].sort(compareUtf8));

  const plant: InMemoryStore["plant"] = (key, body, { metadata = {}, contentType = "binary/octet-stream" } = {}) => {
    const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body.slice();
    refuseWhatS3Refuses(key, metadata);
    const stored: StoredObject = {
      body: bytes,
      size: bytes.byteLength,
      version: contentHash(bytes),
      modified: new Date(Math.floor(now() / 1000) * 1000),
      metadata: Object.fromEntries(Object.entries(metadata).map(([name, value]) => [name.toLowerCase(), value])),
      contentType,
    };
    if (!objects.has(key)) sortedKeys = undefined;
    objects.set(key, stored);
    return stored;
  };

  const remove = (key: string, condition: DeleteCondition): DeleteResult => {
    const stored = objects.get(key);
    if (stored === undefined) return { outcome: "missing" };
    if (condition.kind === "unchanged" && condition.version !== stored.version) return { outcome: "changed" };
    objects.delete(key);
    sortedKeys = undefined;
    return { outcome: "deleted" };
  };

  const write = (key: string, body: Uint8Array, { condition, metadata, contentType }: PutOptions): PutResult => {
    const stored = objects.get(key);
    if (condition.kind === "absent" && stored !== undefined) return { outcome: "exists" };
    if (condition.kind === "unchanged") {
      if (stored === undefined) return { outcome: "missing" };
      if (stored.version !== condition.version) return { outcome: "changed" };
    }
    return { outcome: "written", version: plant(key, body, { metadata, contentType }).version };
  };

  const store: InMemoryStore = {
    keys,
    peek: (key) => objects.get(key),
    plant,

    get: (key, request) =>
      inOneStep(request, () => {
        const stored = objects.get(key);
        if (stored === undefined) return { outcome: "missing" };
        const { body, ...head } = stored;
        if (head.size > request.maximumBytes) return { outcome: "too_large", ...head };
        return { outcome: "found", ...head, body: body.slice() };
      }),

    head: (key, request) =>
      inOneStep(request, () => {
        const stored = objects.get(key);
        if (stored === undefined) return { outcome: "missing" };
        const { body: _, ...head } = stored;
        return { outcome: "found", ...head };
      }),

    put: (key, body, request) => inOneStep(request, () => write(key, body, request)),

    copy: (source, target, request) => copyThroughWorker(store, source, target, request),

    delete: (key, request) => inOneStep(request, () => remove(key, request.condition)),

    deleteMany: (listed, request) =>
      inOneStep(request, (): BatchDeleteResult[] => {
        if (listed.length > 1000) throw refusal("MalformedXML", "A batch has at most 1,000 keys.");
        return listed.map(({ key, version }) => remove(key, { kind: "unchanged", version }));
      }),

    list: (request) => inOneStep(request, () => page(objects, keys(), request)),
  };
  return store;
}

/** Turns before and after the step stand for the way to the store and back. */
async function inOneStep<Result>({ signal }: RequestOptions, step: () => Result): Promise<Result> {
  await Promise.resolve();
  if (signal?.aborted === true) {
    throw new MemoryError("aborted", "The request was aborted.", { effect: "none" }, { cause: signal.reason });
  }
  const result = step();
  await Promise.resolve();
  return result;
}

function page(objects: ReadonlyMap<string, StoredObject>, keys: readonly string[], options: ListOptions): ListPage {
  const { prefix, delimiter, startAfter, token, pageSize = 1000 } = options;
  const listed: ListedObject[] = [];
  const prefixes: string[] = [];
  let last: string | undefined;
  for (const key of keys) {
    if (!key.startsWith(prefix) || (startAfter !== undefined && compareUtf8(key, startAfter) <= 0)) continue;
    const end = delimiter === undefined ? -1 : key.indexOf(delimiter, prefix.length);
    const entry = end === -1 ? key : key.slice(0, end + 1);
    // The token is the last entry of the page before.
    if (entry === last || (token !== undefined && compareUtf8(entry, token) <= 0)) continue;
    if (last !== undefined && listed.length + prefixes.length >= pageSize) {
      return { objects: listed, prefixes, next: last };
    }
    last = entry;
    const stored = objects.get(key);
    if (end !== -1) prefixes.push(entry);
    else if (stored !== undefined) {
      listed.push({ key, size: stored.size, version: stored.version, modified: stored.modified });
    }
  }
  return { objects: listed, prefixes };
}

function refuseWhatS3Refuses(key: string, metadata: Metadata): void {
  const keyBytes = new TextEncoder().encode(key).byteLength;
  if (keyBytes === 0 || keyBytes > 1024) throw refusal("KeyTooLongError", "A key has 1 to 1,024 bytes of UTF-8.");
  const text = Object.entries(metadata).flat().join("");
  if (text.length > 2048) throw refusal("MetadataTooLarge", "Metadata has at most 2,048 bytes.");
  if (!/^[\x20-\x7e]*$/.test(text)) throw refusal("InvalidArgument", "Metadata is printable ASCII.");
}

function refusal(reason: string, hint: string): MemoryError {
  return new MemoryError("storage", storageFailed(), { status: 400, reason, effect: "none", hint });
}

/** A 128-bit multiplicative hash: no digest to rely on, but equal only for equal content. */
function contentHash(bytes: Uint8Array): string {
  let [a, b, c, d] = [0x811c9dc5, 0x9e3779b1, 0x85ebca6b, bytes.byteLength];
  for (const byte of bytes) {
    a = Math.imul(a ^ byte, 0x01000193);
    b = Math.imul(b ^ byte ^ (a >>> 15), 0x9e3779b1);
    c = Math.imul(c ^ byte ^ (b >>> 13), 0x27d4eb2f);
    d = Math.imul(d ^ byte ^ (c >>> 16), 0x165667b1);
  }
  return `"${[a, b, c, d].map((lane) => (lane >>> 0).toString(16).padStart(8, "0")).join("")}"`;
}
