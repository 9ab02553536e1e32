import type * as clientS3 from "@aws-sdk/client-s3";
import { isMemoryError } from "../errors.ts";
import { s3Failure } from "./s3-failures.ts";
import { readFault, type Fault } from "./s3-fault.ts";
import type { ResolvedS3StoreOptions } from "./s3-options.ts";
import type { S3Request, S3RequestState } from "./s3-request.ts";
import { startTimeLimit } from "./time-limit.ts";

/** What is used of the SDK. The commands must come from the same copy as the client. */
export type S3Sdk = Pick<
  typeof clientS3,
  | "S3Client"
  | "GetObjectCommand"
  | "HeadObjectCommand"
  | "PutObjectCommand"
  | "CopyObjectCommand"
  | "DeleteObjectCommand"
  | "DeleteObjectsCommand"
  | "ListObjectsV2Command"
>;

interface SentCommand {
  readonly middlewareStack: object;
}

/** What one request's work may use. */
export interface S3Attempt {
  readonly sdk: S3Sdk;
  readonly client: clientS3.S3Client;
  /** For the second argument of `client.send`. */
  readonly options: { readonly abortSignal: AbortSignal };
  /** Every command goes through this before it is sent. */
  readonly prepare: <Command extends SentCommand>(command: Command) => Command;
  /** How far the request got, for a failure that the answer itself tells of. */
  readonly state: () => S3RequestState;
  /** Gives up the rest of an answer's body and the socket it comes on. */
  readonly cancel: () => void;
}

export interface S3Call<Result> extends S3Request {
  readonly signal?: AbortSignal | undefined;
  /** Sends one command and reads its answer to the end. */
  readonly work: (attempt: S3Attempt) => Promise<Result>;
  /** The outcome that an error stands for, if it is one that was to be expected. */
  readonly outcome?: (fault: Fault) => Result | undefined;
}

/** The SDK has 50 sockets by default, and counts the wait for one as the request's own time. */
const mostUnderWay = 40;

/** Sends requests with one client: loaded at the first of them, each within its time limit. */
export class S3Requests {
  readonly #options: ResolvedS3StoreOptions;
  readonly #loadSdk: () => Promise<S3Sdk>;
  /** In the order in which they came. */
  readonly #waiting = new Set<() => void>();
  #underWay = 0;
  #loaded: Promise<{ readonly sdk: S3Sdk; readonly client: clientS3.S3Client }> | undefined;

  constructor(options: ResolvedS3StoreOptions, loadSdk: () => Promise<S3Sdk>) {
    this.#options = options;
    this.#loadSdk = loadSdk;
  }

  get bucket(): string {
    return this.#options.bucket;
  }

  /**
   * Answers the work's result or an expected outcome; throws a `MemoryError` for anything else. Waits for its turn
   * where many are under way, without its time limit running; a caller's abort ends the wait.
   */
  async run<Result>(call: S3Call<Result>): Promise<Result> {
    if (this.#underWay < mostUnderWay) this.#underWay += 1;
    else await this.#turn(call);
    try {
      return await this.#runNow(call);
    } finally {
      // Whoever waits longest takes this one's place.
      const [next] = this.#waiting;
      if (next === undefined) this.#underWay -= 1;
      else next();
    }
  }

  #turn(call: S3Call<unknown>): Promise<void> {
    const { signal } = call;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const start = (): void => {
      this.#waiting.delete(start);
      signal?.removeEventListener("abort", onAbort); // from here on it ends the request itself
      resolve();
    };
    const onAbort = (): void => {
      this.#waiting.delete(start);
      const state = { bucket: this.bucket, sent: false, stoppedBy: "caller", limitMilliseconds: 0 } as const;
      reject(s3Failure(signal?.reason, call, state));
    };
    this.#waiting.add(start);
    signal?.addEventListener("abort", onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    return promise;
  }

  async #runNow<Result>(call: S3Call<Result>): Promise<Result> {
    const { bucket, requestMilliseconds: limitMilliseconds } = this.#options;
    const limit = startTimeLimit(limitMilliseconds, call.signal);
    let sent = false;
    const onSend = (): void => {
      // Not every HTTP handler looks at the signal before it sends.
      limit.signal.throwIfAborted();
      sent = true;
    };
    const state = (): S3RequestState => ({ bucket, sent, stoppedBy: limit.stoppedBy(), limitMilliseconds });
    const work = async (): Promise<Result> => {
      const loaded = await this.#load();
      limit.signal.throwIfAborted();
      const prepare: S3Attempt["prepare"] = (command) => {
        watch(command, call.writes, onSend);
        return command;
      };
      return call.work({ ...loaded, options: { abortSignal: limit.signal }, prepare, state, cancel: limit.cancel });
    };
    try {
      return await limit.race(call.writes ? onceMoreAfterClockSkew(work) : work());
    } catch (error) {
      const outcome = call.outcome?.(readFault(error));
      if (outcome !== undefined) return outcome;
      if (isMemoryError(error)) throw error;
      throw s3Failure(error, call, state());
    } finally {
      limit.end();
    }
  }

  #load(): Promise<{ readonly sdk: S3Sdk; readonly client: clientS3.S3Client }> {
    this.#loaded ??= this.#loadOnce().catch((error: unknown) => {
      // The next call tries again.
      this.#loaded = undefined;
      throw error;
    });
    return this.#loaded;
  }

  async #loadOnce(): Promise<{ readonly sdk: S3Sdk; readonly client: clientS3.S3Client }> {
    const { client, connectMilliseconds, requestMilliseconds } = this.#options;
    const sdk = await this.#loadSdk();
    if (client !== undefined) return { sdk, client };
    const requestHandler = {
      connectionTimeout: connectMilliseconds,
      requestTimeout: requestMilliseconds,
      throwOnRequestTimeout: true,
    };
    return { sdk, client: new sdk.S3Client({ requestHandler }) };
  }
}

/** The part of a command's middleware stack that is used here, whatever its input and output are. */
interface MiddlewareStack {
  add(
    middleware: <Args, Result>(next: (args: Args) => Result) => (args: Args) => Result,
    options: {
      readonly name: string;
      readonly step: "deserialize" | "finalizeRequest";
      readonly priority: "high" | "low";
      readonly override?: boolean;
    },
  ): void;
}

function isMiddlewareStack(value: object): value is MiddlewareStack {
  return "add" in value;
}

/** Notes when a request goes to the network, and takes a write's retry away: a lost answer is read back first. */
function watch({ middlewareStack }: SentCommand, writes: boolean, onSend: () => void): void {
  if (!isMiddlewareStack(middlewareStack)) throw new TypeError("This is no command of @aws-sdk/client-s3.");
  middlewareStack.add(
    (next) => (args) => {
      onSend();
      return next(args);
    },
    { name: "noteSending", step: "deserialize", priority: "low" },
  );
  if (!writes) return;
  middlewareStack.add((next) => (args) => next(args), {
    name: "retryMiddleware",
    step: "finalizeRequest",
    priority: "high",
    override: true,
  });
}

/**
 * The SDK corrects its clock from the answer, but only its retry sends again, and that is off for
 * writes. The first request was refused, so a second one is safe.
 */
async function onceMoreAfterClockSkew<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (readFault(error).name !== "RequestTimeTooSkewed") throw error;
    return work();
  }
}
