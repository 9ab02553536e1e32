import { createHash, randomBytes } from "node:crypto";
import type { Runtime } from "./core/runtime.ts";

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
  randomId: () => randomBytes(16).toString("base64url"),
  hash: (text) => createHash("sha256").update(text, "utf8").digest().subarray(0, 16).toString("base64url"),
});
