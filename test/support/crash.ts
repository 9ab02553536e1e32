import { setImmediate } from "node:timers/promises";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus";
import { createKeySpace } from "../../src/core/key-space.ts";
import { openStore } from "../../src/core/open-store.ts";
import { createUserMemory, type UserMemory } from "../../src/core/memory.ts";
import type { ObjectStore } from "../../src/core/object-store.ts";
import { resolveMemoryOptions, type MemoryOptions } from "../../src/options.ts";
import { systemRuntime } from "../../src/runtime.ts";
import { copyThroughWorker } from "../../src/stores/copy-through-worker.ts";
import { inMemoryStore } from "../../src/stores/in-memory-store.ts";

/** One decision of the store that is asked for. A copy is two, and a batch one a key: neither is atomic on S3. */
export interface Request {
  readonly method: "get" | "head" | "put" | "delete" | "deleteMany" | "list";
  /** What it is about, below the scope's prefix. */
  readonly name: string;
}

/** Decides about each request of a worker: when it is carried out, and whether its answer ever comes. */
export type Gate = <Answer>(request: Request, carryOut: () => Promise<Answer>) => Promise<Answer>;

/** Runs a worker whose requests go through a gate. */
export type Run = (gate: Gate) => Promise<unknown>;

export type Files = Readonly<Record<string, string>>;

export interface Bucket {
  /** A worker of its own, which knows nothing of the others. */
  readonly worker: (gate?: Gate) => UserMemory;
  /** What a worker of its own answers, whether error or not. */
  readonly say: (input: unknown, gate?: Gate) => Promise<string>;
  /** Name → text of every object of the scope. */
  readonly files: () => Files;
}

/** One scope with these files in it. Pauses take no time. */
export function bucketWith(files: Files, options: MemoryOptions = {}): Bucket {
  const store = inMemoryStore();
  const runtime = { ...systemRuntime, sleep: async () => undefined };
  const shared = resolveMemoryOptions({ onError: () => undefined, ...options, store });
  const keys = createKeySpace({ prefix: shared.prefix, user: "tester" });
  const scope = { ...shared, keys, actor: undefined, readOnly: false, runtime };
  const nameOf = (key: string): string => key.slice(keys.memories.length);
  const textAt = (key: string): string => new TextDecoder().decode(store.peek(key)?.body);
  for (const [name, text] of Object.entries(files)) {
    const metadata = { "write-ids": runtime.randomId(), command: "create" };
    store.plant(keys.memories + name, text, { metadata, contentType: "text/plain; charset=utf-8" });
  }
  const worker = (gate?: Gate): UserMemory => {
    const open = openStore({ ...scope, store: gate ? gatedStore(store, gate, nameOf) : store }, runtime.now);
    return createUserMemory({ ...scope, ...open });
  };
  return {
    worker,
    say: async (input, gate) => {
      const { content } = await worker(gate).execute(input);
      return typeof content === "string" ? content : JSON.stringify(content);
    },
    files: () => Object.fromEntries(store.keys().map((key) => [nameOf(key), textAt(key)])),
  };
}

function gatedStore(store: ObjectStore, gate: Gate, nameOf: (key: string) => string): ObjectStore {
  const gated: ObjectStore = {
    get: (key, options) => gate({ method: "get", name: nameOf(key) }, () => store.get(key, options)),
    head: (key, options) => gate({ method: "head", name: nameOf(key) }, () => store.head(key, options)),
    put: (key, body, options) => gate({ method: "put", name: nameOf(key) }, () => store.put(key, body, options)),
    copy: (source, target, options) => copyThroughWorker(gated, source, target, options),
    delete: (key, options) => gate({ method: "delete", name: nameOf(key) }, () => store.delete(key, options)),
    deleteMany: async (objects, options) => {
      const results = objects.map((object) =>
        gate({ method: "deleteMany", name: nameOf(object.key) }, () => store.deleteMany([object], options)),
      );
      return (await Promise.all(results)).flat();
    },
    list: (options) => gate({ method: "list", name: nameOf(options.prefix) }, () => store.list(options)),
  };
  return gated;
}

/** The requests of a run that nobody disturbs. Each is a boundary at which a worker can die. */
export async function requestsOf(run: Run): Promise<readonly Request[]> {
  const requests: Request[] = [];
  await run((request, carryOut) => {
    requests.push(request);
    return carryOut();
  });
  return requests;
}

/** What becomes of the request that a worker dies at: never carried out, carried out, or carried out by `arrive`. */
export const fates = ["unsent", "unanswered", "late"] as const;
export type Fate = (typeof fates)[number];

export interface Death {
  /** The request that was under way reaches the store, with what is left of its batch. Only the first time. */
  readonly arrive: () => Promise<void>;
}

/**
 * Runs a worker that dies at its n-th request: what it sent before is carried out, nothing is sent or answered any
 * more. Resolves when that has come to rest.
 */
export async function killAt(count: number, fate: Fate, run: Run): Promise<Death> {
  const never = new Promise<never>(() => undefined);
  const died = Promise.withResolvers<void>();
  let sent = 0;
  let fatal: Request | undefined;
  let late: (() => Promise<unknown>)[] = [];
  const gate: Gate = async (request, carryOut) => {
    sent += 1;
    if (sent < count) {
      const answer = await carryOut();
      return fatal ? never : answer;
    }
    const isFirst = sent === count;
    if (isFirst) fatal = request;
    if (fate === "late" && (isFirst || (fatal?.method === "deleteMany" && request.method === "deleteMany"))) {
      late.push(carryOut);
    }
    if (fate === "unanswered" && isFirst) await carryOut();
    died.resolve();
    return never;
  };
  await Promise.race([run(gate), died.promise]);
  for (let seen = -1; seen < sent; await setImmediate()) seen = sent;
  return {
    arrive: async () => {
      const requests = late;
      late = [];
      for (const carryOut of requests) await carryOut();
    },
  };
}

/** Does something before the n-th request is carried out, while its worker waits. */
export function before(count: number, act: () => Promise<unknown>): Gate {
  let sent = 0;
  let acting: Promise<unknown> | undefined;
  return async (_, carryOut) => {
    sent += 1;
    if (sent === count) acting = act();
    await acting;
    return carryOut();
  };
}

/** Answers the n-th request with a failure, whether or not it was carried out; its worker lives on. */
export function failing(count: number, failure: Error, isCarriedOut: boolean): Gate {
  let sent = 0;
  return async (_, carryOut) => {
    sent += 1;
    if (sent !== count) return carryOut();
    if (isCarriedOut) await carryOut();
    throw failure;
  };
}

/** Whole numbers from 0 to below a limit, the same ones for the same seed. */
export function seeded(seed: number): (limit: number) => number {
  const generator = xoroshiro128plus(seed);
  return (limit) => uniformInt(generator, 0, limit - 1);
}

/** Carries out one request at a time, any one of those that wait: every order is one that S3 may see. */
export function shuffled(pick: (limit: number) => number): Gate {
  const waiting: (() => void)[] = [];
  let isRunning = false;
  const carryOutAll = async (): Promise<void> => {
    isRunning = true;
    while (waiting.length > 0) {
      await setImmediate(); // who was answered has sent by now what he sends next
      waiting.splice(pick(waiting.length), 1)[0]?.();
    }
    isRunning = false;
  };
  return async (_, carryOut) => {
    const turn = Promise.withResolvers<void>();
    waiting.push(turn.resolve);
    if (!isRunning) void carryOutAll();
    await turn.promise;
    return carryOut();
  };
}
