import { createHash, randomBytes } from "node:crypto";
import { compareUtf8 } from "../../core/utf8-order.ts";

/** What is stored beside the bytes. */
export interface ObjectAttributes {
  /** Lower-case names without `x-amz-meta-`. */
  readonly metadata: Readonly<Record<string, string>>;
  readonly contentType: string;
  /** Headers such as `cache-control`, answered as they were put. */
  readonly systemHeaders: Readonly<Record<string, string>>;
}

export interface ObjectVersion extends ObjectAttributes {
  readonly kind: "object";
  readonly key: string;
  readonly versionId: string;
  readonly modified: number;
  readonly body: Buffer;
  /** Without quotes. */
  readonly etag: string;
}

export interface DeleteMarker {
  readonly kind: "marker";
  readonly key: string;
  readonly versionId: string;
  readonly modified: number;
}

export type Version = ObjectVersion | DeleteMarker;

export type Versioning = "Enabled" | "Suspended" | undefined;

/** How far behind a listing is: it shows the state of so many writes, or milliseconds, ago. */
export type ListingLag = { readonly writes: number } | { readonly milliseconds: number };

interface Change {
  readonly key: string;
  readonly time: number;
  /** What a listing showed before. */
  readonly before: ObjectVersion | undefined;
}

/** One bucket: every key's versions, newest first, and the order of its keys. Pure state, no HTTP. */
export class BucketState {
  readonly name: string;
  readonly created: number;
  versioning: Versioning = undefined;
  readonly #versions = new Map<string, Version[]>();
  /** In UTF-8 byte order, some whose versions are gone still among them. */
  #keys: string[] = [];
  readonly #changes: Change[] = [];
  #lastVersion = 0;

  constructor(name: string, created: number) {
    this.name = name;
    this.created = created;
  }

  get isEmpty(): boolean {
    return this.#versions.size === 0;
  }

  /** The object a plain GET finds: nothing where a delete marker is on top. */
  current(key: string): ObjectVersion | undefined {
    const newest = this.#versions.get(key)?.[0];
    return newest?.kind === "object" ? newest : undefined;
  }

  newest(key: string): Version | undefined {
    return this.#versions.get(key)?.[0];
  }

  version(key: string, versionId: string): Version | undefined {
    return this.#versions.get(key)?.find((version) => version.versionId === versionId);
  }

  put(key: string, body: Buffer, attributes: ObjectAttributes, now: number, etag: "md5" | "random"): ObjectVersion {
    const { metadata, contentType, systemHeaders } = attributes;
    const version: ObjectVersion = {
      metadata,
      contentType,
      systemHeaders,
      kind: "object",
      key,
      versionId: this.#nextVersionId(),
      modified: now,
      body,
      etag: etag === "md5" ? createHash("md5").update(body).digest("hex") : randomBytes(16).toString("hex"),
    };
    this.#push(version);
    return version;
  }

  /** Removes the object, or puts a delete marker on top where the bucket is versioned. */
  delete(key: string, now: number): DeleteMarker | undefined {
    if (this.versioning === undefined) {
      this.deleteVersion(key, "null", now);
      return undefined;
    }
    const marker: DeleteMarker = { kind: "marker", key, versionId: this.#nextVersionId(), modified: now };
    this.#push(marker);
    return marker;
  }

  /** Removes one version for good. */
  deleteVersion(key: string, versionId: string, now: number): Version | undefined {
    const versions = this.#versions.get(key);
    const index = versions?.findIndex((version) => version.versionId === versionId) ?? -1;
    if (versions === undefined || index === -1) return undefined;
    this.#changes.push({ key, time: now, before: this.current(key) });
    const [removed] = versions.splice(index, 1);
    if (versions.length === 0) {
      this.#versions.delete(key);
      this.#dropKeys();
    }
    return removed;
  }

  /** The current objects from `start` on, in UTF-8 byte order. */
  *objectsFrom(start: string): Generator<ObjectVersion> {
    for (let index = this.#position(start); index < this.#keys.length; index += 1) {
      const object = this.current(this.#keys[index] ?? "");
      if (object !== undefined) yield object;
    }
  }

  /** The objects as a listing with that lag shows them, in UTF-8 byte order. */
  *laggingObjects(lag: ListingLag, now: number): Generator<ObjectVersion> {
    const objects = new Map([...this.objectsFrom("")].map((object) => [object.key, object]));
    const kept =
      "writes" in lag
        ? this.#changes.length - lag.writes
        : this.#changes.findIndex((change) => change.time > now - lag.milliseconds);
    const undone = kept === -1 ? [] : this.#changes.slice(Math.max(kept, 0));
    for (const { key, before } of undone.toReversed()) {
      if (before === undefined) objects.delete(key);
      else objects.set(key, before);
    }
    yield* [...objects.values()].sort((left, right) => compareUtf8(left.key, right.key));
  }

  /** Every version and delete marker: keys in UTF-8 byte order, newest first. */
  *allVersions(): Generator<Version & { readonly isLatest: boolean }> {
    for (const key of this.#keys) {
      const versions = this.#versions.get(key) ?? [];
      for (const [index, version] of versions.entries()) yield { ...version, isLatest: index === 0 };
    }
  }

  #nextVersionId(): string {
    if (this.versioning !== "Enabled") return "null";
    this.#lastVersion += 1;
    return `version-${String(this.#lastVersion).padStart(6, "0")}`;
  }

  #push(version: Version): void {
    const { key, modified } = version;
    this.#changes.push({ key, time: modified, before: this.current(key) });
    const known = this.#versions.get(key);
    if (known === undefined) this.#insertKey(key);
    // There is at most one version "null": outside versioning a write replaces it.
    const kept = (known ?? []).filter(({ versionId }) => versionId !== version.versionId);
    this.#versions.set(key, [version, ...kept]);
  }

  #insertKey(key: string): void {
    const position = this.#position(key);
    if (this.#keys[position] !== key) this.#keys.splice(position, 0, key);
  }

  /** A key is dropped together with as many others, since each takes long to cut out of a large bucket. */
  #dropKeys(): void {
    if (this.#keys.length > 2 * this.#versions.size) this.#keys = this.#keys.filter((key) => this.#versions.has(key));
  }

  /** Where `key` is or would be among the sorted keys. */
  #position(key: string): number {
    let low = 0;
    let high = this.#keys.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareUtf8(this.#keys[middle] ?? "", key) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
