import type { StoreContractCase } from "./store-contract/case.ts";
import { copyCases } from "./store-contract/copies.ts";
import { deleteCases } from "./store-contract/deletes.ts";
import { listingCases } from "./store-contract/listings.ts";
import { readCases } from "./store-contract/reads.ts";
import { writeCases } from "./store-contract/writes.ts";

export type { StoreCapability, StoreContractCase } from "./store-contract/case.ts";

/**
 * What every `ObjectStore` does, for any test runner: `for (const { name, run } of storeContract)
 * it(name, () => run(store))`. The cases need a store that exists and may be written to; they run in
 * any order, also at once, and on a bucket that holds other objects. On S3 one run of them all costs
 * about one US cent.
 */
export const storeContract: readonly StoreContractCase[] = [
  ...writeCases,
  ...readCases,
  ...deleteCases,
  ...copyCases,
  ...listingCases,
];
