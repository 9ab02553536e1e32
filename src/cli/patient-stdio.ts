/* oxlint-disable unicorn/prefer-add-event-listener -- the SDK's transports know no other way */
import { Readable, type Writable } from "node:stream";
import { setTimeout } from "node:timers/promises";
import type { JSONRPCMessage, RequestId, Transport } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";

interface PatientOptions {
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** Ends the input, as the client's end of it does. */
  readonly signal: AbortSignal;
  readonly graceMilliseconds: number;
}

/**
 * The SDK's transport over stdio drops what is under way when its input ends. A write that was begun would then be of unknown
 * outcome, so this one keeps the SDK's input open until all that was asked is answered, or the time for it is up.
 */
export class PatientStdio implements Transport {
  onclose?: NonNullable<Transport["onclose"]>;
  onerror?: NonNullable<Transport["onerror"]>;
  onmessage?: NonNullable<Transport["onmessage"]>;
  readonly closed: Promise<void>;
  readonly #wire: StdioServerTransport;
  readonly #unanswered = new Set<RequestId>();
  #allAnswered = (): void => undefined;

  constructor(options: PatientOptions) {
    this.#wire = new StdioServerTransport(Readable.from(this.#input(options)), options.stdout);
    const closing = Promise.withResolvers<void>();
    this.closed = closing.promise;
    this.#wire.onmessage = (message) => {
      this.#note(message);
      this.onmessage?.(message);
    };
    this.#wire.onerror = (error) => this.onerror?.(error);
    this.#wire.onclose = () => {
      this.onclose?.();
      closing.resolve();
    };
  }

  start(): Promise<void> {
    return this.#wire.start();
  }

  close(): Promise<void> {
    return this.#wire.close();
  }

  async send(message: JSONRPCMessage): Promise<void> {
    try {
      await this.#wire.send(message);
    } finally {
      if (!("method" in message)) this.#settle(message.id);
    }
  }

  async *#input({ stdin, signal, graceMilliseconds }: PatientOptions): AsyncGenerator {
    const stop = (): unknown => stdin.destroy();
    signal.addEventListener("abort", stop, { once: true });
    try {
      if (!signal.aborted) yield* stdin;
    } catch {
      // Nothing more comes: it was stopped, or it broke.
    }
    signal.removeEventListener("abort", stop);
    if (this.#unanswered.size === 0) return;
    const answered = new Promise<void>((resolve) => {
      this.#allAnswered = resolve;
    });
    await Promise.race([answered, setTimeout(graceMilliseconds, undefined, { ref: false })]);
  }

  #note(message: JSONRPCMessage): void {
    if (!("method" in message) || message.method === "subscriptions/listen") return; // that one is answered at the end alone
    if ("id" in message) this.#unanswered.add(message.id);
    else if (message.method === "notifications/cancelled") this.#settle(message.params?.["requestId"]);
  }

  /** A request was answered, or was taken back and will not be. */
  #settle(id: unknown): void {
    if (typeof id === "string" || typeof id === "number") this.#unanswered.delete(id);
    if (this.#unanswered.size === 0) this.#allAnswered();
  }
}
