import type { S3Sdk } from "../../src/stores/s3-requests.ts";
import { isTransient } from "./wire-errors.ts";
import type { WireRequest } from "./wire-request.ts";

/** Carries one request to the bucket and its answer back. */
export type Network = (request: WireRequest, signal: AbortSignal) => Promise<object>;

type Handler = (args: undefined) => Promise<object>;
type Middleware = (next: Handler) => Handler;

interface MiddlewareOptions {
  readonly name: string;
  readonly step: string;
}

/** As much of a command of the SDK as the store uses: its input, and a stack that honours what is put on it. */
abstract class SimulatedCommand<Input> {
  readonly input: Input;
  readonly #added: (MiddlewareOptions & { readonly middleware: Middleware })[] = [];
  readonly middlewareStack = {
    add: (middleware: Middleware, { name, step }: MiddlewareOptions): void =>
      void this.#added.push({ middleware, name, step }),
  };

  constructor(input: Input) {
    this.input = input;
  }

  abstract wire(): WireRequest;

  send(network: Network, signal: AbortSignal): Promise<object> {
    let handler: Handler = () => network(this.wire(), signal);
    for (const { middleware, step } of this.#added) if (step === "deserialize") handler = middleware(handler);
    const retry = this.#added.find(({ name }) => name === "retryMiddleware")?.middleware ?? retryMiddleware;
    return retry(handler)(undefined);
  }
}

interface KeyInput {
  readonly Key: string;
}

class GetObjectCommand extends SimulatedCommand<KeyInput> {
  wire(): WireRequest {
    return { method: "GET", keys: [this.input.Key] };
  }
}

class HeadObjectCommand extends SimulatedCommand<KeyInput> {
  wire(): WireRequest {
    return { method: "HEAD", keys: [this.input.Key] };
  }
}

interface PutInput extends KeyInput {
  readonly Body: Uint8Array;
  readonly ContentType: string;
  readonly Metadata: Readonly<Record<string, string>>;
  readonly IfMatch?: string;
  readonly IfNoneMatch?: string;
}

class PutObjectCommand extends SimulatedCommand<PutInput> {
  wire(): WireRequest {
    const { Key, Body, ContentType, Metadata, IfMatch, IfNoneMatch } = this.input;
    const condition = {
      ...(IfMatch === undefined ? {} : { ifMatch: IfMatch }),
      ...(IfNoneMatch === undefined ? {} : { ifNoneMatch: IfNoneMatch }),
    };
    const object = { body: Body, contentType: ContentType, metadata: Metadata };
    return { method: "PUT", keys: [Key], object, condition };
  }
}

interface DeleteInput extends KeyInput {
  readonly IfMatch?: string;
}

class DeleteObjectCommand extends SimulatedCommand<DeleteInput> {
  wire(): WireRequest {
    const { Key, IfMatch } = this.input;
    return { method: "DELETE", keys: [Key], condition: IfMatch === undefined ? {} : { ifMatch: IfMatch } };
  }
}

interface BatchInput {
  readonly Delete: { readonly Objects: readonly { readonly Key: string; readonly ETag?: string }[] };
}

class DeleteObjectsCommand extends SimulatedCommand<BatchInput> {
  wire(): WireRequest {
    const { Objects } = this.input.Delete;
    return {
      method: "BATCH",
      keys: Objects.map(({ Key }) => Key),
      conditions: Objects.map(({ ETag }) => (ETag === undefined ? {} : { ifMatch: ETag })),
    };
  }
}

interface ListInput {
  readonly Prefix: string;
  readonly Delimiter?: string;
  readonly StartAfter?: string;
  readonly ContinuationToken?: string;
  readonly MaxKeys?: number;
}

class ListObjectsV2Command extends SimulatedCommand<ListInput> {
  wire(): WireRequest {
    const { Prefix, Delimiter, StartAfter, ContinuationToken, MaxKeys } = this.input;
    return {
      method: "LIST",
      keys: [Prefix],
      delimiter: Delimiter,
      startAfter: StartAfter ?? "",
      token: ContinuationToken ?? "",
      limit: MaxKeys ?? 1_000,
    };
  }
}

const attempts = 3;

/** The SDK's own: it sends again, without reading back, what failed in a way that may pass. */
const retryMiddleware: Middleware = (next) => async (args) => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await next(args);
    } catch (error) {
      if (attempt >= attempts || !isTransient(error)) throw error;
    }
  }
};

/** Stands for `@aws-sdk/client-s3`. The client is made by {@link simulatedClient}, one for each operation. */
export const simulatedSdk = {
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  ListObjectsV2Command,
} as unknown as S3Sdk;

export interface SimulatedClient {
  send(command: SimulatedCommand<unknown>, options: { readonly abortSignal: AbortSignal }): Promise<object>;
}

export function simulatedClient(network: Network): SimulatedClient {
  return { send: (command, { abortSignal }) => command.send(network, abortSignal) };
}
