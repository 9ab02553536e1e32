/** The operator's own reporting must not change what a caller reads, whether it throws or rejects. */
export async function report<Fault>(onError: (error: Fault) => void, error: Fault): Promise<void> {
  try {
    const answer: unknown = onError(error); // an async function may be given too
    await answer;
  } catch {
    // Nobody is left to tell.
  }
}
