/** What ends a request before its answer: the caller's signal, or its time limit. */
export type StoppedBy = "caller" | "time limit";

/** One signal out of a caller's signal and a time limit, which says afterwards which of them it was. */
export interface TimeLimit {
  readonly signal: AbortSignal;
  readonly stoppedBy: () => StoppedBy | undefined;
  /** Settles with the work, or rejects as soon as the signal is aborted, whatever the work still does. */
  readonly race: <Result>(work: Promise<Result>) => Promise<Result>;
  /** Aborts the signal for another reason: to give up a body that nobody wants. */
  readonly cancel: () => void;
  /** Must be called: stops the clock and lets go of the caller's signal. */
  readonly end: () => void;
}

/** Starts the clock. Does nothing to the caller's signal but listen to it. */
export function startTimeLimit(milliseconds: number, callerSignal: AbortSignal | undefined): TimeLimit {
  const controller = new AbortController();
  let stoppedBy: StoppedBy | undefined;
  const stopped = Promise.withResolvers<never>();
  // Nobody may be racing when the signal comes.
  stopped.promise.catch(() => undefined);

  const stop = (by: StoppedBy): void => {
    stoppedBy ??= by;
    if (controller.signal.aborted) return;
    stopped.reject(new Error(`The request was stopped by the ${stoppedBy}.`));
    controller.abort();
  };
  const onCallerAbort = (): void => stop("caller");
  const timer = setTimeout(() => stop("time limit"), milliseconds);
  callerSignal?.addEventListener("abort", onCallerAbort, { once: true });
  if (callerSignal?.aborted === true) stop("caller");

  return {
    signal: controller.signal,
    stoppedBy: () => stoppedBy,
    race: (work) => Promise.race([work, stopped.promise]),
    cancel: () => controller.abort(),
    end: () => {
      clearTimeout(timer);
      callerSignal?.removeEventListener("abort", onCallerAbort);
    },
  };
}
