import { describe, expect, it } from "vitest";
import type { ObjectStore } from "../../src/core/object-store.ts";
import { storeContract } from "../../src/testing/store-contract.ts";
import type { Lacks } from "./capabilities.ts";

/** Runs the published suite on one store; what the store lacks must fail. */
export function describeStoreContract(title: string, store: () => ObjectStore, lacks: Lacks): void {
  describe(title, () => {
    for (const { name, needs, run } of storeContract) {
      const reason = needs === undefined ? undefined : lacks[needs];
      if (reason === undefined) it(name, () => run(store()));
      else it(`cannot: ${name} (${reason})`, () => expect(run(store())).rejects.toThrow());
    }
  });
}
