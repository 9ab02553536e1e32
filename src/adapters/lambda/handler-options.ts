import type { Context } from "aws-lambda";
import * as z from "zod/mini";
import { aFunction, checkOptions, optionsObject, wholeNumber } from "../../core/check-options.ts";
import { reporter } from "../tool/operator.ts";
import { memoryOfUsers, onErrorOption } from "../tool/option-schemas.ts";
import type { MemoryOfUsers, MemoryScope } from "../tool/scope.ts";
import { deadlineShape, type DeadlineOptions } from "./deadline.ts";

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
    /**
     * Calls of one event; they are started at once. A file knows the ids of its last 16 writes: of more edits of one file the
     * first would be made again when the event is delivered again.
     *
     * @default 16
     */
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

const count = z.optional(wholeNumber("a whole number, at least 1", 1));

/** Throws a `TypeError` that names the option, the value and what is expected. */
export function resolveHandlerOptions<Event>(options: MemoryHandlerOptions<Event>): ResolvedHandlerOptions<Event> {
  const schema = optionsObject({
    memory: memoryOfUsers,
    scope: aFunction<MemoryHandlerOptions<Event>["scope"]>(),
    limits: z.optional(optionsObject({ calls: count, bodyBytes: count, responseBytes: count })),
    onError: onErrorOption,
    ...deadlineShape,
  });
  const { memory, scope, limits, marginMilliseconds, onError } = checkOptions("memoryHandler", schema, options);
  return {
    memory,
    scope,
    limits: {
      calls: limits?.calls ?? 16,
      bodyBytes: limits?.bodyBytes ?? 1024 * 1024,
      responseBytes: limits?.responseBytes ?? 6_000_000,
    },
    marginMilliseconds: marginMilliseconds ?? 1000,
    report: reporter("memoryHandler", onError),
  };
}
