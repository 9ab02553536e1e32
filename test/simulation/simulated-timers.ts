import type { Scheduler, Timer } from "./scheduler.ts";

/**
 * What the bundle puts in the place of the global timers and of `Date.now`, so that the library's own time limit goes
 * by the virtual clock (see `bundle.ts`). One episode at a time.
 */
let current: Scheduler | undefined;

export function useTimersOf(scheduler: Scheduler | undefined): void {
  current = scheduler;
}

export function setTimeout(run: () => void, milliseconds: number): Timer | undefined {
  const scheduler = current;
  if (scheduler === undefined) throw new Error("A timer was started outside an episode.");
  const timer = { due: scheduler.now + milliseconds, run };
  scheduler.startTimer(timer);
  return timer;
}

export function clearTimeout(timer: Timer | undefined): void {
  if (timer !== undefined) current?.stopTimer(timer);
}

export function virtualNow(): number {
  if (current === undefined) throw new Error("The clock was read outside an episode.");
  return current.now;
}
