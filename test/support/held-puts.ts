import type { FakeS3 } from "../../src/testing/index.ts";

/** Holds every PUT that reaches a server until it is let go. */
export function heldPuts(s3: FakeS3): { readonly reached: Promise<void>; readonly release: () => void } {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  s3.faults.add(
    { operation: "PutObject" },
    {
      beforeCommit: async () => {
        reached.resolve();
        await released.promise;
      },
    },
  );
  return { reached: reached.promise, release: () => released.resolve() };
}
