// One of several processes that have nothing in common but the bucket. It knows nothing of the tasks before this one.
import { createS3Memory, type MemoryErrorCode } from "s3-memory-tool";
import { clientsOf } from "../support/surroundings.ts";
import type { Delivery } from "./queue.ts";
import { user, type Task } from "./tasks.ts";

/** What a worker tells: that it is there, or how a task ended. */
export type Report = { readonly isReady: true } | ({ readonly isReady: false; readonly receipt: number } & Outcome);

export interface Outcome {
  /** Every call has an answer that will not change: the task need not be handed out again. */
  readonly isSettled: boolean;
  readonly failures: readonly MemoryErrorCode[];
}

/** Not Claude's doing, and possibly gone when the task comes again. */
const passing: ReadonlySet<MemoryErrorCode> = new Set(["storage", "aborted", "outcome_unknown", "conflict"]);

const { s3, bucket, prefix } = clientsOf(process.env);
const memory = createS3Memory({ bucket, prefix, client: s3 }); // once per process

process.on("message", (delivery: Delivery<Task>) => {
  void work(delivery);
});
report({ isReady: true });

async function work({ receipt, task, milliseconds }: Delivery<Task>): Promise<void> {
  const userMemory = memory.forUser(user, { actor: `worker-${process.pid}` }); // one for each task
  const signal = AbortSignal.timeout(milliseconds * 0.8); // before somebody else gets the task
  const calls = task.calls.map(({ id, input }) => userMemory.execute(input, { toolUseId: id, signal }));
  const failures = (await Promise.all(calls)).flatMap((result) => (result.isError ? [result.code] : []));
  report({ isReady: false, receipt, isSettled: !failures.some((code) => passing.has(code)), failures });
}

function report(message: Report): void {
  process.send?.(message);
}
