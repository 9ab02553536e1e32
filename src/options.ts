import * as z from "zod/mini";
import { aFunction, checkOptions, optionsObject } from "./core/check-options.ts";
import { encodeId, usersPrefix } from "./core/key-space.ts";
import type { Limits } from "./core/limits.ts";
import type { ObjectStore } from "./core/object-store.ts";
import type { RetryBudget } from "./core/replay.ts";
import type { MemoryError } from "./errors.ts";

/** What every memory can be told, whatever store it is on. */
export interface MemoryOptions {
  /**
   * Put before every key: one or more segments separated by `/`, at most 200 bytes encoded, no `*`, `?`, `$`.
   *
   * @default none: keys start with `users/`
   */
  readonly prefix?: string;
  /**
   * What `create` does with a file that exists: refuse it, or replace it on condition that it is still the version
   * that this `UserMemory` showed last; where it showed none (each turn of a stateless worker), the version found in this call.
   *
   * @default "error"
   */
  readonly onExisting?: "error" | "overwrite";
  /**
   * Hears of every fault that is not Claude's: no permission, wrong bucket or region, expired
   * credentials, time-outs, outages, unknown outcomes. What it throws, or rejects with, is ignored.
   *
   * @default one line to `console.error`
   */
  readonly onError?: (error: MemoryError) => void;
  /** What a scope may hold and an answer may show. `Infinity` switches a limit off. */
  readonly limits?: {
    /** Bytes of one file. @default 262144 */
    readonly fileBytes?: number;
    /** Lines of one file. @default 999999 */
    readonly fileLines?: number;
    /** UTF-16 units of one view. @default 16000 */
    readonly viewCharacters?: number;
    /** Files of one scope; checked when a file is created. @default 1000 */
    readonly files?: number;
    /** Bytes of all files of one scope. @default Infinity */
    readonly totalBytes?: number;
  };
  /** What a memory remembers of files, for all its users together. It saves requests and adds caution; nothing depends on it. */
  readonly cache?: {
    /** Bytes. `0` remembers nothing, not even what a conversation was shown. @default 8388608 */
    readonly bytes?: number;
    /**
     * `str_replace`, `insert` and an overwriting `create` send their conditional PUT at once where this process knows the
     * file. `false`: they always read it first.
     *
     * @default true
     */
    readonly directEdits?: boolean;
  };
  /** How long a command is attempted again when other writers win the race or the store fails. */
  readonly retry?: {
    /** Attempts in all. @default 20 */
    readonly attempts?: number;
    /** Milliseconds in all. @default 15000 */
    readonly totalMilliseconds?: number;
  };
}

/** Options of a memory on any store. */
export interface CreateMemoryOptions extends MemoryOptions {
  readonly store: ObjectStore;
}

/** Whose memory, and how it may be used. */
export interface UserOptions {
  /** A memory of its own for one project of that user. At most 200 bytes encoded. */
  readonly project?: string;
  /** Who acts on the user's behalf; written into the metadata of every file. At most 200 bytes encoded. */
  readonly actor?: string;
  /** Refuse every command that would write. @default false */
  readonly readOnly?: boolean;
}

export interface ResolvedMemoryOptions {
  readonly store: ObjectStore;
  readonly prefix: string | undefined;
  readonly usersPrefix: string;
  readonly onExisting: "error" | "overwrite";
  readonly onError: (error: MemoryError) => void;
  readonly limits: Limits;
  readonly retry: RetryBudget;
  readonly cache: { readonly bytes: number; readonly directEdits: boolean };
}

export interface ResolvedUserOptions {
  readonly project: string | undefined;
  /** Encoded: ASCII, as metadata takes it. */
  readonly actor: string | undefined;
  readonly readOnly: boolean;
}

const storeMethods = ["get", "head", "put", "copy", "delete", "deleteMany", "list"] as const;

const size = (least: number): z.ZodMiniOptional<z.ZodMiniCustom<number, number>> =>
  z.optional(
    z.custom<number>(
      (value) => value === Infinity || (typeof value === "number" && Number.isSafeInteger(value) && value >= least),
      { error: `a whole number, at least ${least}, or Infinity` },
    ),
  );
const toggle = z.optional(z.boolean({ error: "true or false" }));
const text = z.optional(z.string({ error: "a string" }));

/** The schema of {@link MemoryOptions}, for those who put more beside it. @internal */
export const memoryShape = {
  prefix: text,
  onExisting: z.optional(z.enum(["error", "overwrite"], { error: '"error" or "overwrite"' })),
  onError: z.optional(aFunction<(error: MemoryError) => void>()),
  limits: z.optional(
    optionsObject({
      fileBytes: size(1),
      fileLines: size(1),
      viewCharacters: size(3_000),
      files: size(1),
      totalBytes: size(1),
    }),
  ),
  retry: z.optional(optionsObject({ attempts: size(1), totalMilliseconds: size(0) })),
  cache: z.optional(optionsObject({ bytes: size(0), directEdits: toggle })),
};

const memorySchema = optionsObject({
  store: z.custom<ObjectStore>(isStore, {
    error: `an ObjectStore, with the methods ${storeMethods.join(", ")}`,
  }),
  ...memoryShape,
});

const userSchema = optionsObject({ project: text, actor: text, readOnly: toggle });

/** The only home of the defaults, but for those of the S3 store. Throws a `TypeError` that names the option, the value and what is expected. */
export function resolveMemoryOptions(options: CreateMemoryOptions): ResolvedMemoryOptions {
  const { store, prefix, onExisting, onError, limits, retry, cache } = checkOptions(
    "createMemory",
    memorySchema,
    options,
  );
  return Object.freeze({
    store,
    prefix,
    usersPrefix: usersPrefix(prefix), // an unusable prefix is refused now, not at the first user
    onExisting: onExisting ?? "error",
    onError: onError ?? logToConsole,
    limits: Object.freeze({
      fileBytes: limits?.fileBytes ?? 262_144,
      fileLines: limits?.fileLines ?? 999_999,
      viewCharacters: limits?.viewCharacters ?? 16_000,
      files: limits?.files ?? 1_000,
      totalBytes: limits?.totalBytes ?? Infinity,
    }),
    retry: Object.freeze({
      attempts: retry?.attempts ?? 20,
      totalMilliseconds: retry?.totalMilliseconds ?? 15_000,
    }),
    cache: Object.freeze({
      bytes: cache?.bytes ?? 8 * 1024 * 1024,
      directEdits: cache?.directEdits ?? true,
    }),
  });
}

/** Throws a `TypeError` that names the option, the value and what is expected. */
export function resolveUserOptions(options: UserOptions): ResolvedUserOptions {
  const { project, actor, readOnly } = checkOptions("forUser", userSchema, options);
  return Object.freeze({
    project,
    actor: actor === undefined ? undefined : encodeId("actor", actor),
    readOnly: readOnly ?? false,
  });
}

function isStore(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  return storeMethods.every((name) => typeof Reflect.get(value, name) === "function");
}

function logToConsole(error: MemoryError): void {
  const { operation, key, status, reason, requestId, hint } = error.details;
  const facts = [
    operation && `${operation} of ${key ?? "?"}`,
    status && `status ${status}`,
    reason,
    requestId && `request id ${requestId}`,
    hint,
  ].filter((fact) => fact !== undefined && fact !== "");
  // eslint-disable-next-line no-console -- the documented default, for operators only
  console.error(`[s3-memory-tool] ${error.code}: ${facts.join(" · ")}`, error.cause ?? "");
}
