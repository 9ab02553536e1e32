/** The clock, randomness and hash that the core is given, so that tests and simulations own them. */
export interface Runtime {
  /** Milliseconds since 1970. */
  readonly now: () => number;
  /** Resolves after so many milliseconds, or at once when the signal is aborted. Never rejects. */
  readonly sleep: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
  /** 0 ≤ x < 1. */
  readonly random: () => number;
  /** 128 random bits, 22 characters of base64url. */
  readonly randomId: () => string;
  /** The first 128 bits of SHA-256 over the UTF-8 text, 22 characters of base64url. */
  readonly hash: (text: string) => string;
}
