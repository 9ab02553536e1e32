interface WireError extends Error {
  readonly code?: string;
  readonly $metadata?: { readonly httpStatusCode: number };
}

/** An error status, as the SDK throws it. */
export function statusError(status: number, name: string): Error {
  return Object.assign(new Error(name), { name, $metadata: { httpStatusCode: status } });
}

/** A connection that broke. The SDK calls that a time-out too; only the code tells. */
export function resetError(): Error {
  return Object.assign(new Error("socket hang up"), { name: "TimeoutError", code: "ECONNRESET" });
}

export function namedError(name: "TimeoutError" | "AbortError"): Error {
  return Object.assign(new Error(name), { name });
}

/** What the SDK's own retry sends again. */
export function isTransient(error: unknown): boolean {
  const { name, $metadata } = error as WireError;
  return name === "TimeoutError" || ($metadata?.httpStatusCode ?? 0) >= 500;
}
