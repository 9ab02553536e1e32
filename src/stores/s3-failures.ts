import { storageFailed } from "../core/messages.ts";
import { MemoryError, type MemoryErrorDetails, type RequestEffect } from "../errors.ts";
import { neverConnected, readFault, timedOut, type Fault } from "./s3-fault.ts";
import { s3Hint } from "./s3-hints.ts";
import type { S3Request, S3RequestState } from "./s3-request.ts";

/** A store knows no virtual path to name; the core says more where it does. */
const abortedText = "Error: The command was stopped before its outcome was known: view the memory before repeating it";

/** The one place where an error of the SDK or of the network becomes a `MemoryError`. */
export function s3Failure(error: unknown, request: S3Request, state: S3RequestState): MemoryError {
  const fault = readFault(error);
  const facts =
    state.stoppedBy === undefined
      ? { status: fault.status, reason: reasonOf(fault), requestId: fault.requestId }
      : { reason: state.stoppedBy === "caller" ? "AbortError" : "TimeoutError" };
  const effect = effectOf(fault, request, state);
  const details = describe(request, { ...facts, effect, hint: s3Hint(fault, request, state) });
  if (state.stoppedBy === "caller") return new MemoryError("aborted", abortedText, details, { cause: error });
  return new MemoryError("storage", storageFailed(), details, { cause: error });
}

/** Codes of single keys whose delete may have happened; `NotAnswered` is ours. */
const unsureReasons = new Set(["InternalError", "ServiceUnavailable", "SlowDown", "NotAnswered"]);

/** What a batch's answer says of one key that was neither deleted nor lost to a race. */
export function s3BatchFailure(key: string, reason: string, state: S3RequestState): MemoryError {
  const request: S3Request = { operation: "DeleteObjects", key, writes: true };
  const status = reason === "AccessDenied" ? 403 : undefined;
  const effect = unsureReasons.has(reason) ? "unknown" : "none";
  const hint = s3Hint({ name: reason, message: "", status }, request, state);
  return new MemoryError("storage", storageFailed(), describe(request, { reason, effect, hint }));
}

/** The store said that all went well, but not what every S3 says with it. */
export function s3BadAnswer(request: S3Request, missing: string): MemoryError {
  const effect = request.writes ? "unknown" : "none";
  const hint = `The store answered without ${missing}, so it cannot be used.`;
  return new MemoryError("storage", storageFailed(), describe(request, { reason: "BadAnswer", effect, hint }));
}

function effectOf(fault: Fault, { writes }: S3Request, { sent, stoppedBy }: S3RequestState): RequestEffect {
  if (!writes || !sent) return "none";
  if (stoppedBy !== undefined) return "unsettled";
  if (fault.status !== undefined) {
    // 501 refuses a condition. A 2xx that could not be read may well have been carried out.
    return fault.status >= 300 && (fault.status < 500 || fault.status === 501) ? "none" : "unknown";
  }
  if (neverConnected(fault)) return "none";
  return timedOut(fault) ? "unsettled" : "unknown";
}

function reasonOf({ status, networkCode, name }: Fault): string {
  return status === undefined ? (networkCode ?? name) : name;
}

type Optional<Shape> = { readonly [Name in keyof Shape]?: Shape[Name] | undefined };

function describe({ operation, key }: S3Request, facts: Optional<MemoryErrorDetails>): MemoryErrorDetails {
  const known = Object.entries({ operation, key, ...facts }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(known) as MemoryErrorDetails;
}
