/**
 * Processes that share one memory and a queue that hands a task out twice now and then; one of them is killed in the
 * middle of a task. At the end every edit is there, once. Runs without an account; with S3_MEMORY_BUCKET on that
 * bucket, below a prefix of its own, which it deletes at the end unless S3_MEMORY_KEEP=1. Needs no Claude.
 */
import { createS3Memory } from "s3-memory-tool";
import { playOnBucket } from "../support/play.ts";
import type { Surroundings } from "../support/surroundings.ts";
import { Crew, type Worker } from "./crew.ts";
import { countEdits } from "./edits.ts";
import { Queue, type Delivery } from "./queue.ts";
import { index, indexText, logOf, tasks, unlucky, user, type Task } from "./tasks.ts";

const workers = 4;

await playOnBucket(async (surroundings) => {
  const { s3, bucket, prefix, fakeS3 } = surroundings;
  const { files } = createS3Memory({ bucket, prefix, client: s3 }).forUser(user);
  console.log(`${workers} workers, the memory of ${user}, ${fakeS3 ? "embedded S3" : `bucket ${bucket}`}`);
  await files.write(index, indexText("open"), { ifAbsent: true });

  const { deliveries, killed, started, givenUp } = await workAll(surroundings);
  for (const { ticket } of givenUp) console.error(`${ticket} was given up.`);

  if (fakeS3) {
    const writes = [...fakeS3.requests].filter(({ operation }) => operation === "PutObject");
    const races = writes.filter(({ status }) => status === 412);
    console.log(`  of ${writes.length} writes ${races.length} were refused, because somebody else had been first`);
  }
  const { expected, lost, doubled } = await countEdits(files);
  if (lost + doubled + givenUp.length > 0 || (fakeS3 && killed !== 1)) process.exitCode = 1;
  console.log(
    `${tasks.length} tasks, ${deliveries} deliveries to ${started} workers, ${killed} of them killed: ` +
      `${expected} edits, ${lost} lost, ${doubled} doubled`,
  );
});

interface Work {
  readonly deliveries: number;
  readonly started: number;
  readonly killed: number;
  readonly givenUp: readonly Task[];
}

/** Every task is acknowledged or given up when this resolves, and no worker is left. */
async function workAll(surroundings: Surroundings): Promise<Work> {
  const over = Promise.withResolvers<void>();
  let killed = 0;
  const crew = new Crew({
    environment: surroundings.environment,
    onFree: handOut,
    onOutcome: (worker, { receipt, task, attempt }, { isSettled, failures }) => {
      const heard = failures.length > 0 ? ` (${failures.join(", ")})` : "";
      console.log(`  ${worker.name}  ${task.ticket} ${task.customer}${attempt > 1 ? ", once more" : ""}${heard}`);
      if (isSettled) queue.acknowledge(receipt);
      else queue.release(receipt);
    },
    onDeath: (worker) => {
      killed += 1;
      if (killed > workers) over.reject(new Error("The workers die of something else."));
      else console.log(`  ${worker.name}  is dead; ${crew.start().name} starts in its place`);
    },
  });
  const queue = new Queue(tasks.flatMap(twiceNowAndThen), {
    // On a machine that is slow a task may come again before it is done, which does no harm.
    visibilityMilliseconds: 4_000,
    attempts: 5,
    onChange: handOut,
  });
  const accident = planAccident(surroundings, () => crew.holderOf(unlucky));

  function handOut(): void {
    if (queue.isDone) over.resolve();
    // All begin together, or the first one would have done everything before the others were there.
    if (crew.arrived < workers) return;
    for (let worker = crew.free(); worker !== undefined; worker = crew.free()) {
      const delivery: Delivery<Task> | undefined = queue.receive();
      if (delivery === undefined) return;
      crew.give(worker, delivery);
      if (delivery.task.customer === unlucky) accident();
    }
  }

  for (let worker = 0; worker < workers; worker++) crew.start();
  try {
    await over.promise;
  } finally {
    await crew.dismiss();
  }
  return { deliveries: queue.deliveries, started: crew.started, killed, givenUp: queue.givenUp };
}

/** As a queue does that could not tell whether its first message arrived. */
function twiceNowAndThen(task: Task, number: number): readonly Task[] {
  return number % 5 === 0 ? [task, task] : [task];
}

/**
 * Kills a worker at the worst moment: its line is in the bucket, and it has not heard so. A real bucket cannot be asked
 * for that; there it dies some moment after it got its task. Answers what is to be called at that time.
 */
function planAccident({ fakeS3, prefix }: Surroundings, victim: () => Worker | undefined): () => void {
  const kill = (): void => {
    const worker = victim();
    if (worker === undefined) return;
    console.log(`  ${worker.name}  is killed with ${worker.task?.task.ticket ?? "no task"} in its hands`);
    worker.process.kill("SIGKILL");
  };
  if (fakeS3 === undefined) return once(() => setTimeout(kill, 10));
  const key = `${prefix}/users/${user}${logOf(unlucky)}`;
  // The first write creates the file, the second one inserts the line.
  fakeS3.faults.add({ operation: "PutObject", key, nth: 2, times: 1 }, { afterCommit: kill, answer: "drop" });
  return () => undefined;
}

function once(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}
