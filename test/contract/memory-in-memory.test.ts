import { inMemoryStore } from "../../src/testing/index.ts";
import { describeMemoryContract } from "./describe-memory-contract.ts";

const store = inMemoryStore();

describeMemoryContract("A memory on the in-memory store", { store: () => store });
