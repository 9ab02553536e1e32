import { MemoryError } from "../../src/errors.ts";

/** The error of a call that must fail with a `MemoryError`. */
export async function failureOf(call: Promise<unknown>): Promise<MemoryError> {
  const error: unknown = await call.then(
    (result) => new Error(`it did not fail: ${JSON.stringify(result)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof MemoryError)) throw error;
  return error;
}
