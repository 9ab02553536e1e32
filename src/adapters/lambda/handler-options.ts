import type { Context } from "aws-lambda";
import * as z from "zod/mini";
import { checkOptions, optionsObject } from "../../core/check-options.ts";
import { deadlineShape, type DeadlineOptions } from "./deadline.ts";
import type { MemoryOfUsers, MemoryScope } from "./scope.ts";

export interface MemoryHandlerOptions<Event> extends DeadlineOptions {
  /** Made once, beside the handler: `createS3Memory(…)`, or `createMemory(…)`. */
  readonly memory: MemoryOfUsers;
  /**
   * Whose memory the event is about: from the claims that an authorizer has checked, or, of a direct invocation, from what
   * the caller of the function put beside the `tool_use` blocks. Of an HTTP event it is shown everything but the body.
   * `undefined` or no user: 401. What it throws is reported to `onError`, and answered with 500.
   */
  readonly scope: (
    event: Event,
    context: Context,
  ) => MemoryScope | null | undefined | Promise<MemoryScope | null | undefined>;
  readonly limits?: {
    /** Calls of one event; they are started at once. @default 32 */
    readonly calls?: number;
    /** Bytes of an HTTP event's body, decoded. @default 1048576 */
    readonly bodyBytes?: number;
    /**
     * Bytes of an answer. Lambda sends 6 MiB at most, and fails where it is more. Results that are too large are answered
     * with an error of their own, the largest first.
     *
     * @default 6000000
     */
    readonly responseBytes?: number;
  };
  /**
   * Hears of what is wrong with the function: the scope that could not be told, the user id that cannot be used. What is wrong
   * with the storage goes to the `onError` of the memory. What it throws is ignored.
   *
   * @default `console.error`
   */
  readonly onError?: (error: unknown) => void;
}

interface ResolvedHandlerOptions<Event> {
  readonly memory: MemoryOfUsers;
  readonly scope: MemoryHandlerOptions<Event>["scope"];
  readonly limits: { readonly calls: number; readonly bodyBytes: number; readonly responseBytes: number };
  readonly marginMilliseconds: number;
  /** Never rejects. */
  readonly report: (error: unknown) => Promise<void>;
}

const count = z.optional(
  z.custom<number>((value) => typeof value === "number" && Number.isSafeInteger(value) && value >= 1, {
    error: "a whole number, at least 1",
  }),
);

function aFunction<F>(): z.ZodMiniCustom<F, F> {
  return z.custom<F>((value) => typeof value === "function", { error: "a function" });
}

/** Throws a `TypeError` that names the option, the value and what is expected. */
export function resolveHandlerOptions<Event>(options: MemoryHandlerOptions<Event>): ResolvedHandlerOptions<Event> {
  const schema = optionsObject({
    memory: z.custom<MemoryOfUsers>(isMemory, { error: "a memory, as createS3Memory makes it" }),
    scope: aFunction<MemoryHandlerOptions<Event>["scope"]>(),
    limits: z.optional(optionsObject({ calls: count, bodyBytes: count, responseBytes: count })),
    onError: z.optional(aFunction<(error: unknown) => void>()),
    ...deadlineShape,
  });
  const { memory, scope, limits, marginMilliseconds, onError } = checkOptions("memoryHandler", schema, options);
  return {
    memory,
    scope,
    limits: {
      calls: limits?.calls ?? 32,
      bodyBytes: limits?.bodyBytes ?? 1024 * 1024,
      responseBytes: limits?.responseBytes ?? 6_000_000,
    },
    marginMilliseconds: marginMilliseconds ?? 1000,
    report: reporter(onError ?? logToConsole),
  };
}

function isMemory(value: unknown): boolean {
  return typeof value === "object" && value !== null && typeof Reflect.get(value, "forUser") === "function";
}

function reporter(onError: (error: unknown) => void): (error: unknown) => Promise<void> {
  return async (error) => {
    try {
      const answer: unknown = onError(error); // an async function may be given too
      await answer;
    } catch {
      // Nobody is left to tell.
    }
  };
}

function logToConsole(error: unknown): void {
  // eslint-disable-next-line no-console -- the documented default, for operators only
  console.error("[s3-memory-tool] memoryHandler:", error);
}
