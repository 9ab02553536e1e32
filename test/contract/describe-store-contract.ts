import { describe, expect, it } from "vitest";
import type { ObjectStore } from "../../src/core/object-store.ts";
import { storeContract } from "../../src/testing/store-contract.ts";
import type { Lacks } from "./capabilities.ts";

/** A store that loses a race only now and then, as on a busy machine, loses one of so many. */
const rounds = 40;

/**
 * Runs the published suite on one store. What the store lacks must fail, but a race need not be lost each time it is
 * run: one failure in 40 rounds, each on fresh keys, shows the lack; a store that passes them all has it no more.
 */
export function describeStoreContract(title: string, store: () => ObjectStore, lacks: Lacks): void {
  describe(title, () => {
    for (const { name, needs, run } of storeContract) {
      const reason = needs === undefined ? undefined : lacks[needs];
      if (reason === undefined) it(name, () => run(store()));
      else it(`cannot: ${name} (${reason})`, () => expect(runAgain(() => run(store()))).rejects.toThrow());
    }
  });
}

async function runAgain(run: () => Promise<void>): Promise<void> {
  for (let round = 1; round <= rounds; round += 1) await run();
}
