import { report } from "../../core/report.ts";

/** Hears of what is wrong with a handler. */
export type OnError = (error: unknown) => void;

/** Tells the operator's hook, or standard error where there is none. What it answers never rejects. */
export function reporter(where: string, onError: OnError | undefined): (error: unknown) => Promise<void> {
  const tell = onError ?? ((error) => logToConsole(where, error));
  return (error) => report(tell, error);
}

function logToConsole(where: string, error: unknown): void {
  // eslint-disable-next-line no-console -- the documented default, for operators only
  console.error(`[s3-memory-tool] ${where}:`, error);
}
