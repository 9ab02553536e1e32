/**
 * One worker of a stress run, started by `crew.ts` and killed by it at any moment. All that the next process
 * that does its work knows is the bucket and the journal.
 */
import { flushCompileCache } from "node:module";
import type { S3Client } from "@aws-sdk/client-s3";
import { createS3Memory } from "../../src/index.ts";
import { testClient } from "../support/test-client.ts";
import { editsDirectly } from "./direct-edits.ts";
import { Journal, type Outcome } from "./journal.ts";
import { chooseOperation, textOf, type Operation } from "./operations.ts";
import { user, type Message, type Order, type Plan } from "./plan.ts";
import { randomFor } from "./random.ts";

// Ends with the parent, and not before it: Ctrl-C in a terminal reaches both.
process.on("disconnect", () => process.exit(1));
process.on("SIGINT", () => undefined);

let mayGo = Promise.withResolvers<void>();
process.on("message", (order: Order) => {
  if (order.kind === "go") return mayGo.resolve();
  work(order.plan, order.worker).then(
    () => tell({ kind: "finished" }),
    (error: unknown) => {
      console.error(`worker ${order.worker}:`, error);
      process.exit(1);
    },
  );
});

async function work(plan: Plan, worker: number): Promise<void> {
  flushCompileCache(); // at the end, as by default, is too late for who is killed
  const { endpoint, bucket, conditionalDelete, seed, edits } = plan;
  const client = testClient(endpoint);
  const traffic = watchTraffic(client);
  // Everything else is as it is by default. What an operator would hear of stands in the journal.
  const cache = { directEdits: editsDirectly(plan, worker) };
  const memory = createS3Memory({ bucket, client, conditionalDelete, cache, onError: () => undefined }).forUser(user);
  const journal = new Journal(plan, worker);

  const deliver = async (operation: Operation): Promise<void> => {
    journal.deliver(operation);
    traffic.reset();
    const result = await memory.execute(operation.input, { toolUseId: operation.id });
    const outcome: Outcome = { content: textOf(result), ...traffic.counts };
    journal.answer(result.isError ? { ...outcome, code: result.code } : outcome);
  };

  const deeds = journal.deeds();
  const open = deeds.find(({ outcome }) => outcome === undefined);
  if (open) await deliver(open.operation);
  for (let number = deeds.length + 1; number <= edits; number++) {
    await turn();
    const random = randomFor(seed, worker, number);
    await deliver(await chooseOperation({ worker, number, conditionalDelete, memory, random }));
  }
}

function turn(): Promise<void> {
  mayGo = Promise.withResolvers();
  tell({ kind: "ask" });
  return mayGo.promise;
}

function tell(message: Message): void {
  process.send?.(message, () => message.kind === "finished" && process.exit(0));
}

interface Traffic {
  readonly counts: { readonly puts: number; readonly gets: number; readonly races: number };
  reset(): void;
}

function watchTraffic(client: S3Client): Traffic {
  let [puts, gets, races] = [0, 0, 0];
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const isWrite = commandName === "PutObjectCommand" || commandName === "DeleteObjectCommand";
        if (commandName === "PutObjectCommand") puts += 1;
        if (commandName === "GetObjectCommand") gets += 1;
        if (isWrite) tell({ kind: "writing" });
        try {
          return await next(args);
        } catch (error) {
          const { $metadata: { httpStatusCode = 0 } = {} } = error as { $metadata?: { httpStatusCode?: number } };
          if (isWrite && (httpStatusCode === 412 || httpStatusCode === 409)) races += 1;
          throw error;
        }
      },
    { name: "watchTraffic", step: "finalizeRequest", priority: "low" },
  );
  return {
    get counts() {
      return { puts, gets, races };
    },
    reset() {
      [puts, gets, races] = [0, 0, 0];
    },
  };
}
