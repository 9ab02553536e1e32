import { createKeySpace, type KeySpace } from "../../src/core/key-space.ts";
import { openStore } from "../../src/core/open-store.ts";
import { createUserMemory, type ExecuteOptions, type UserMemory } from "../../src/core/memory.ts";
import type { ObjectStore } from "../../src/core/object-store.ts";
import type { Runtime } from "../../src/core/runtime.ts";
import { MemoryError, type MemoryErrorCode, type RequestEffect } from "../../src/errors.ts";
import { resolveMemoryOptions, type MemoryOptions } from "../../src/options.ts";
import { systemRuntime } from "../../src/runtime.ts";
import { inMemoryStore, type InMemoryStore } from "../../src/stores/in-memory-store.ts";

type Method = keyof ObjectStore;

/** What happens around the n-th call of a method: the store as other writers use it, and the call's key or prefix. */
export interface Step {
  readonly method: Method;
  readonly key: string;
  /** 1 for the first call of this method. */
  readonly count: number;
}

export interface StoreHooks {
  before?: (step: Step) => void | Promise<void>;
  /** Runs after the request took effect; what it throws is the request's answer. */
  after?: (step: Step) => void | Promise<void>;
}

/** A store whose calls are logged, and around each of which a test may act as another writer or as a bad network. */
function hookedStore(store: ObjectStore, hooks: StoreHooks): { readonly store: ObjectStore; readonly log: string[] } {
  const log: string[] = [];
  const counts = new Map<Method, number>();
  const around =
    <A extends readonly unknown[], R>(method: Method, call: (...values: A) => Promise<R>) =>
    async (...values: A): Promise<R> => {
      const [first] = values;
      const key =
        typeof first === "string" ? first : Array.isArray(first) ? "batch" : (first as { prefix: string }).prefix;
      const count = (counts.get(method) ?? 0) + 1;
      counts.set(method, count);
      log.push(`${method} ${key.replace(/^.*memories\//, "")}`.trim());
      await hooks.before?.({ method, key, count });
      const answer = await call(...values);
      await hooks.after?.({ method, key, count });
      return answer;
    };
  return {
    log,
    store: {
      get: around("get", (...values: Parameters<ObjectStore["get"]>) => store.get(...values)),
      head: around("head", (...values: Parameters<ObjectStore["head"]>) => store.head(...values)),
      put: around("put", (...values: Parameters<ObjectStore["put"]>) => store.put(...values)),
      copy: around("copy", (...values: Parameters<ObjectStore["copy"]>) => store.copy(...values)),
      delete: around("delete", (...values: Parameters<ObjectStore["delete"]>) => store.delete(...values)),
      deleteMany: around("deleteMany", (...values: Parameters<ObjectStore["deleteMany"]>) =>
        store.deleteMany(...values),
      ),
      list: around("list", (...values: Parameters<ObjectStore["list"]>) => store.list(...values)),
    },
  };
}

export interface TestMemory {
  readonly user: UserMemory;
  /** Another conversation of the same worker. */
  readonly sibling: UserMemory;
  /** Another worker on the same store, without hooks. */
  readonly other: UserMemory;
  readonly store: InMemoryStore;
  readonly keys: KeySpace;
  readonly log: string[];
  readonly hooks: StoreHooks;
  readonly faults: MemoryError[];
  /** The text of an object below the scope's prefix, or `undefined`. */
  readonly text: (name: string) => string | undefined;
  /** Writes as another tool would: no write ids. */
  readonly plant: (name: string, text: string | Uint8Array) => void;
  /** Every key below the scope's prefix. */
  readonly names: () => readonly string[];
  /** The answer's content, whether error or not. */
  readonly say: (input: unknown, options?: ExecuteOptions) => Promise<string>;
  /** The answer's code; `undefined` for success. */
  readonly code: (input: unknown, options?: ExecuteOptions) => Promise<MemoryErrorCode | undefined>;
}

/** Pauses take no time; everything else is as in production. */
const impatient: Runtime = { ...systemRuntime, sleep: async () => undefined };

/** A memory on the in-memory store, with its requests logged. */
export function testMemory(
  options: MemoryOptions & { readonly readOnly?: boolean; readonly runtime?: Partial<Runtime> } = {},
): TestMemory {
  const { readOnly = false, runtime = {}, ...memoryOptions } = options;
  const store = inMemoryStore();
  const hooks: StoreHooks = {};
  const hooked = hookedStore(store, hooks);
  const faults: MemoryError[] = [];
  const onError = (error: MemoryError): void => void faults.push(error);
  const shared = resolveMemoryOptions({ onError, ...memoryOptions, store });
  const keys = createKeySpace({ prefix: shared.prefix, user: "tester" });
  const scope = { ...shared, keys, actor: undefined, readOnly, runtime: { ...impatient, ...runtime } };
  const open = openStore({ ...scope, store: hooked.store }, scope.runtime.now);
  const user = createUserMemory({ ...scope, ...open });
  return {
    user,
    sibling: createUserMemory({ ...scope, ...open }),
    other: createUserMemory({ ...scope, ...openStore(scope, scope.runtime.now) }),
    store,
    keys,
    log: hooked.log,
    hooks,
    faults,
    text: (name) => {
      const found = store.peek(keys.memories + name);
      return found && new TextDecoder("utf-8", { ignoreBOM: true }).decode(found.body);
    },
    plant: (name, text) => void store.plant(keys.memories + name, text),
    names: () => store.keys().map((key) => key.slice(keys.memories.length)),
    say: async (input, executeOptions) => {
      const { content } = await user.execute(input, executeOptions);
      return typeof content === "string" ? content : JSON.stringify(content);
    },
    code: async (input, executeOptions) => {
      const result = await user.execute(input, executeOptions);
      return result.isError ? result.code : undefined;
    },
  };
}

/** A failure as a store throws it. */
export function storeFailure(effect: RequestEffect, status?: number): MemoryError {
  return new MemoryError("storage", "Error: the store failed", {
    effect,
    reason: "Injected",
    ...(status === undefined ? {} : { status }),
  });
}
