import { Agent, type ClientRequestArgs } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createS3Memory } from "../../dist/index.js";
import { testClient } from "../../test/support/test-client.ts";
import type { Place } from "./place.ts";

/** What a worker sent and moved. */
export interface Traffic {
  readonly requests: number;
  /** Over its sockets, in both directions, heads of requests and answers included. */
  readonly bytes: number;
}

/** One worker whose copies go one way. */
export interface Worker {
  readonly execute: (command: object) => Promise<void>;
  /** Since it began. */
  readonly traffic: () => Traffic;
  readonly close: () => void;
}

class CountingAgent extends Agent {
  readonly #opened: Socket[] = [];

  override createConnection(
    options: ClientRequestArgs,
    callback?: (error: Error | null, stream: Duplex) => void,
  ): Duplex | null | undefined {
    const socket = super.createConnection(options, callback);
    if (socket instanceof Socket) this.#opened.push(socket);
    return socket;
  }

  get bytes(): number {
    return this.#opened.reduce((sum, { bytesRead, bytesWritten }) => sum + bytesRead + bytesWritten, 0);
  }
}

export function startWorker({ endpoint, options }: Place, serverSideCopy: boolean, user: string): Worker {
  const agent = new CountingAgent({ keepAlive: true, maxSockets: 50 });
  const client = testClient(endpoint, { requestHandler: { httpAgent: agent } });
  let requests = 0;
  client.middlewareStack.add(
    (next) => (args) => {
      requests += 1;
      return next(args);
    },
    { name: "countRequests", step: "deserialize", priority: "low" },
  );
  const memory = createS3Memory({ bucket: "memory", client, ...options, serverSideCopy }).forUser(user);
  return {
    execute: async (command) => {
      const result = await memory.execute(command);
      if (result.isError) throw result.error;
    },
    traffic: () => ({ requests, bytes: agent.bytes }),
    close: () => client.destroy(),
  };
}
