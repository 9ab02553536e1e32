import type { Context } from "aws-lambda";
import * as z from "zod/mini";
import { checkOptions, optionsObject, wholeNumber } from "../../core/check-options.ts";

/** How long before a function's time-out its work is to end. */
export interface DeadlineOptions {
  /**
   * Milliseconds that are left for the answer once the work was told to end: to put it together, to send it, and to do both
   * on a slow CPU.
   *
   * @default 1000
   */
  readonly marginMilliseconds?: number;
}

/** What a function of Lambda's can be given at most. */
const longestMilliseconds = 900_000;

/** The schema of {@link DeadlineOptions}, for those who put more beside it. @internal */
export const deadlineShape = {
  marginMilliseconds: z.optional(
    wholeNumber(`a whole number of milliseconds from 0 to ${longestMilliseconds}`, 0, longestMilliseconds),
  ),
};

const schema = optionsObject(deadlineShape);

/**
 * Does some work with a signal that is aborted shortly before Lambda would end the function, so that there is time to
 * answer. Resolves and rejects as the work does; its timer never outlives it. Throws a `TypeError` for options that make
 * no sense.
 *
 * @see https://docs.aws.amazon.com/lambda/latest/dg/nodejs-context.html
 */
export async function beforeDeadline<Result>(
  context: Pick<Context, "getRemainingTimeInMillis">,
  work: (signal: AbortSignal) => Promise<Result>,
  options: DeadlineOptions = {},
): Promise<Result> {
  const { marginMilliseconds = 1000 } = checkOptions("beforeDeadline", schema, options);
  const controller = new AbortController();
  const abort = (): void => controller.abort(new DOMException("The function's time is nearly up.", "TimeoutError"));
  const milliseconds = Math.min(context.getRemainingTimeInMillis(), longestMilliseconds) - marginMilliseconds;
  const timer = milliseconds > 0 ? setTimeout(abort, milliseconds) : undefined;
  if (timer === undefined) abort();
  try {
    return await work(controller.signal);
  } finally {
    clearTimeout(timer);
  }
}
