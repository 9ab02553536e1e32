import { checkReadOptions } from "./core/call-options.ts";
import { checkOptions, optionsObject } from "./core/check-options.ts";
import { createKeySpace } from "./core/key-space.ts";
import { createUserMemory, type UserMemory } from "./core/memory.ts";
import { openStore } from "./core/open-store.ts";
import { warm } from "./core/warm.ts";
import {
  memoryShape,
  resolveMemoryOptions,
  resolveUserOptions,
  type CreateMemoryOptions,
  type MemoryOptions,
  type UserOptions,
} from "./options.ts";
import { systemRuntime } from "./runtime.ts";
import { s3Shape, type S3StoreOptions } from "./stores/s3-options.ts";
import { s3Store } from "./stores/s3-store.ts";

/** Memories of many users on one store. */
export interface Memory {
  /**
   * The memory of one user. Sends nothing; make one for each conversation, or for each request where
   * workers are stateless. A user id is required: there is no shared default. Throws a `TypeError` for an
   * empty, blank, ill-formed or over-long id.
   */
  forUser(user: string, options?: UserOptions): UserMemory;
  /**
   * Does beforehand what the first command would wait for: loads the AWS SDK and every command, finds the credentials and
   * opens a connection, by a ListObjectsV2 of one key. For Lambda's init phase: `await memory.warm()` beside the handler.
   * Never rejects; a failure goes to `onError`, and the first command meets it again. A 403 is an answer like any other:
   * credentials of one user may not list what is above all users. Throws a `TypeError` for nonsense.
   *
   * @see https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtime-environment.html
   */
  warm(options?: { readonly signal?: AbortSignal }): Promise<void>;
}

/** Options of a memory on S3: those of the store and those of every memory. */
export interface CreateS3MemoryOptions extends S3StoreOptions, MemoryOptions {}

/**
 * Memories on an S3 bucket. Make one per process: it sends nothing, and makes its client at the first request.
 * Throws a `TypeError` for options that make no sense.
 */
export function createS3Memory(options: CreateS3MemoryOptions): Memory {
  checkOptions("createS3Memory", s3MemorySchema, options);
  const { bucket, client, timeouts, conditionalDelete, serverSideCopy, ...memoryOptions } = options;
  const store = s3Store({
    bucket,
    ...(client === undefined ? {} : { client }),
    ...(timeouts === undefined ? {} : { timeouts }),
    ...(conditionalDelete === undefined ? {} : { conditionalDelete }),
    ...(serverSideCopy === undefined ? {} : { serverSideCopy }),
  });
  return createMemory({ ...memoryOptions, store });
}

const s3MemorySchema = optionsObject({ ...s3Shape, ...memoryShape });

/** Memories on any {@link ObjectStore}. Throws a `TypeError` for options that make no sense. */
export function createMemory(options: CreateMemoryOptions): Memory {
  const { prefix, ...resolved } = resolveMemoryOptions(options);
  const shared = { ...resolved, ...openStore(resolved, systemRuntime.now) };
  return Object.freeze<Memory>({
    forUser(user, userOptions = {}) {
      const { project, actor, readOnly } = resolveUserOptions(userOptions);
      const keys = createKeySpace({ prefix, user, project });
      return createUserMemory({ ...shared, keys, actor, readOnly, runtime: systemRuntime });
    },
    async warm(warmOptions = {}) {
      checkReadOptions("warm", warmOptions);
      await warm({ ...shared, prefix: resolved.usersPrefix }, warmOptions);
    },
  });
}

export { s3Store } from "./stores/s3-store.ts";
export type { S3StoreOptions } from "./stores/s3-options.ts";
export { isMemoryError, MemoryError } from "./errors.ts";
export type { MemoryErrorCode, MemoryErrorDetails, RequestEffect } from "./errors.ts";
export type { CreateMemoryOptions, MemoryOptions, UserOptions } from "./options.ts";
export type { ExecuteOptions, UserMemory, UserMemorySettings } from "./core/memory.ts";
export type { FileCondition, FileInfo, FileOptions, MemoryFiles } from "./core/files.ts";
export type { ImageBlock, MemoryResult, TextBlock } from "./core/result.ts";
export type {
  BatchDeleteResult,
  CopyOptions,
  CopyResult,
  DeleteCondition,
  DeleteResult,
  GetResult,
  HeadResult,
  ListedObject,
  ListOptions,
  ListPage,
  LostWrite,
  Metadata,
  ObjectHead,
  ObjectStore,
  PutOptions,
  PutResult,
  RequestOptions,
  WriteCondition,
} from "./core/object-store.ts";
