// Apart from the types that an application sees: their declarations would name `zod`, which it does not have.
import { custom, optional } from "zod/mini";
import { aFunction } from "../../core/check-options.ts";
import type { OnError } from "./operator.ts";
import type { MemoryOfUsers } from "./scope.ts";

export const memoryOfUsers = custom<MemoryOfUsers>(
  (value) => typeof value === "object" && value !== null && typeof Reflect.get(value, "forUser") === "function",
  { error: "a memory, as createS3Memory makes it" },
);

export const onErrorOption = optional(aFunction<OnError>());
