import { createHash, randomFillSync } from "node:crypto";
import type { Runtime } from "./core/runtime.ts";

const idBytes = 16;
/** Random bytes for many ids at once: a call of the system for each would cost more than all else that a command does. */
const pool = Buffer.alloc(256 * idBytes);
let used = pool.length;

function randomId(): string {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += idBytes;
  return pool.toString("base64url", used - idBytes, used);
}

/** The real clock, randomness and hash. */
export const systemRuntime: Runtime = Object.freeze<Runtime>({
  now: () => Date.now(),
  sleep: (milliseconds, signal) => {
    if (signal?.aborted) return Promise.resolve();
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, milliseconds);
    const onAbort = (): void => resolve();
    signal?.addEventListener("abort", onAbort, { once: true });
    return promise.finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    });
  },
  random: () => Math.random(),
  randomId,
  hash: (text) => createHash("sha256").update(text, "utf8").digest().subarray(0, 16).toString("base64url"),
});
