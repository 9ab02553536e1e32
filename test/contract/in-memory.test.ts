import { inMemoryStore } from "../../src/stores/in-memory-store.ts";
import { lacks } from "./capabilities.ts";
import { describeStoreContract } from "./describe-store-contract.ts";

describeStoreContract("The in-memory store", () => inMemoryStore(), lacks.inMemory);
