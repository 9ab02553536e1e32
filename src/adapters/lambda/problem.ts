/** The statuses of an event that is not carried out, with the phrases that HTTP has for them. */
const titles = {
  400: "Bad Request",
  401: "Unauthorized",
  405: "Method Not Allowed",
  413: "Content Too Large",
  415: "Unsupported Media Type",
  500: "Internal Server Error",
} as const;

export type ProblemStatus = keyof typeof titles;

/** What RFC 9457 asks HTTP to answer beside the status. */
const headers: Partial<Record<ProblemStatus, Readonly<Record<string, string>>>> = {
  401: { "www-authenticate": "Bearer" },
  405: { allow: "POST" },
  415: { accept: "application/json" },
};

/**
 * Why an event is not carried out, in words that anybody may read. The name is the title in one word, which is what Lambda
 * calls `errorType`; what went wrong for an operator is in `cause`.
 */
export class Problem extends Error {
  readonly status: ProblemStatus;
  readonly #detail: string;

  constructor(status: ProblemStatus, detail: string, cause?: unknown) {
    super(`${titles[status]}: ${detail}`, { cause });
    this.name = titles[status].replaceAll(" ", "");
    this.status = status;
    this.#detail = detail;
    // Lambda sends the stack to whoever invoked the function; where it was thrown is none of their business.
    this.stack = `${this.name}: ${this.message}`;
  }

  get headers(): Readonly<Record<string, string>> {
    return { "content-type": "application/problem+json", ...headers[this.status] };
  }

  /** @see https://www.rfc-editor.org/rfc/rfc9457 */
  get body(): { readonly type: string; readonly title: string; readonly status: number; readonly detail: string } {
    return { type: "about:blank", title: titles[this.status], status: this.status, detail: this.#detail };
  }
}

/** Whatever else is thrown is the operator's fault, and only theirs to read. */
export function asProblem(thrown: unknown): Problem {
  return thrown instanceof Problem ? thrown : new Problem(500, "The function could not carry this out.", thrown);
}
