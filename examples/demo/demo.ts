/**
 * Claude's memory on a bucket, shared by processes that have nothing else in common. Runs without an
 * account or a network; with ANTHROPIC_API_KEY and S3_MEMORY_BUCKET it does the same for real, below a
 * prefix of its own, which it deletes at the end unless S3_MEMORY_KEEP=1. Exits with 1 when anything
 * is not as expected.
 */
import { fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import { GetObjectCommand, NoSuchKey, PutObjectCommand } from "@aws-sdk/client-s3";
import type { FakeS3, LoggedRequest } from "s3-memory-tool/testing";
import { keysOf } from "../support/clean-up.ts";
import { play } from "../support/play.ts";
import type { Clients, Surroundings } from "../support/surroundings.ts";
import { Stage } from "./stage.ts";
import { note, prompts, script, secret, user } from "./story.ts";
import type { Report } from "./worker.ts";

const stage = new Stage();

await play(script, async (surroundings) => {
  const { s3, bucket, prefix, fakeS3 } = surroundings;
  stage.title(
    "s3-memory-tool",
    fakeS3 ? `embedded S3 at ${fakeS3.endpoint}, scripted Claude` : `bucket ${bucket}, prefix ${prefix}`,
  );
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key: `${prefix}/${secret.key}`, Body: secret.text }));
  for (const scene of [learn, recall, refuseToEscape, raceTwoWorkers, showBucket]) {
    if (stage.isWatched && !stage.isOver) await scene(surroundings);
  }
  if (stage.isWatched) process.exitCode = stage.end();
});

async function learn(surroundings: Surroundings): Promise<void> {
  stage.scene(1, "A conversation learns something");
  await converse(surroundings, "worker A", prompts.learn);
  const learnt = await readNote(surroundings);
  stage.check("the file holds the day and the corrected port", /Tuesday/u.test(learnt) && portOf(learnt) === "9443");
}

async function recall(surroundings: Surroundings): Promise<void> {
  stage.scene(2, "Another process, with nothing in common but the bucket, goes on");
  const reports = await converse(surroundings, "worker B", prompts.recall);
  const said = reports.flatMap(({ says }) => says).join(" ");
  stage.check("worker B knows what worker A was told", said.includes("Tuesday") && said.includes("9443"));
  stage.check("its own line stands below the deploy day", /Tuesday\n.*Dana/u.test(await readNote(surroundings)));
}

async function refuseToEscape(surroundings: Surroundings): Promise<void> {
  const { fakeS3, prefix } = surroundings;
  stage.scene(3, "A hostile page talks Claude into leaving its directory");
  stage.detail(`The demo itself has put ${prefix}/${secret.key} there: two levels above the user's memories.`);
  const reports = await converse(surroundings, "worker C", prompts.hostile);
  const attempts = reports
    .flatMap(({ calls }) => calls)
    .filter(({ input }) => /secrets\.env/u.test(JSON.stringify(input)));
  if (!fakeS3 && attempts.length === 0) stage.detail("Claude did not fall for it.");
  stage.check("every attempt was refused", attempts.every(({ failed }) => failed) && (attempts.length > 0 || !fakeS3));
  stage.check("the secret two levels up was not shown", !JSON.stringify(reports).includes(secret.text));
}

async function raceTwoWorkers(surroundings: Surroundings): Promise<void> {
  const { fakeS3 } = surroundings;
  stage.scene(4, "Two processes edit one file at the same moment");
  const race = fakeS3 && holdUntilBothWrite(fakeS3, noteKeyIn(surroundings));
  const workers = [
    startWorker(surroundings, "worker D", prompts.changeDay),
    startWorker(surroundings, "worker E", prompts.changePort),
  ];
  const conversations = await Promise.all(workers);
  if (race) stage.detail("Who wrote second is shown second: each snippet is the file right after its own edit.");
  for (const conversation of conversations.toSorted(byEdit)) show(conversation);
  const requests = race?.();
  const edited = await readNote(surroundings);
  stage.check(
    "both edits survived",
    /Wednesday/u.test(edited) && portOf(edited) === "7443" && !/Tuesday/u.test(edited),
  );
  if (requests) {
    stage.detail(`what S3 saw of the file: ${requests.map(describeRequest).join(" → ")}`);
    const lost = requests.findIndex(({ status }) => status === 412);
    const [reread, replayed] = lost < 0 ? [] : requests.slice(lost + 1);
    stage.check(
      "one write lost the race (412), was read again and replayed",
      reread?.operation === "GetObject" && replayed?.operation === "PutObject" && replayed.status === 200,
    );
  }
  for (const line of edited.trimEnd().split("\n")) stage.detail(`│ ${line}`);
}

async function showBucket(surroundings: Surroundings): Promise<void> {
  stage.scene(5, "What is in the bucket");
  const { prefix } = surroundings;
  const planted = `${prefix}/${secret.key}`;
  const keys = await keysOf(surroundings);
  for (const { key, size } of keys) {
    stage.detail(`${String(size).padStart(5)} B  ${key}${key === planted ? "  (put there by the demo)" : ""}`);
  }
  const written = keys.map(({ key }) => key).filter((key) => key !== planted);
  const isInScope = written.every((key) => key.startsWith(`${prefix}/users/${user}/memories/`));
  stage.check(
    "all that Claude wrote is below the user's prefix",
    isInScope && written.includes(noteKeyIn(surroundings)),
  );
}

interface Conversation {
  readonly worker: string;
  readonly prompt: string;
  readonly reports: readonly Report[];
  readonly endedWell: boolean;
}

/** One conversation in a process of its own, printed when it is over. */
async function converse(surroundings: Surroundings, worker: string, prompt: string): Promise<readonly Report[]> {
  const conversation = await startWorker(surroundings, worker, prompt);
  show(conversation);
  return conversation.reports;
}

async function startWorker({ environment }: Surroundings, name: string, prompt: string): Promise<Conversation> {
  const file = fileURLToPath(new URL("worker.ts", import.meta.url));
  const child = fork(file, [user, prompt], { env: { ...environment } });
  const reports: Report[] = [];
  child.on("message", (report: Report) => reports.push(report));
  const code = await new Promise((resolve) => {
    child.on("exit", resolve);
  });
  return { worker: `${name}, process ${child.pid}`, prompt, reports, endedWell: code === 0 };
}

/** Who wrote second was shown both edits. */
function byEdit(one: Conversation, other: Conversation): number {
  const sawBoth = ({ reports }: Conversation): boolean =>
    reports
      .flatMap(({ calls }) => calls)
      .some(({ result }) => result.includes("edited") && /Wednesday/u.test(result) && /7443/u.test(result));
  return Number(sawBoth(one)) - Number(sawBoth(other));
}

function show({ worker, prompt, reports, endedWell }: Conversation): void {
  stage.prompt(`${worker}:`, prompt);
  for (const report of reports) stage.reply(report);
  if (!endedWell) stage.fail(`${worker} ended well`);
}

function noteKeyIn({ prefix }: Clients): string {
  return `${prefix}/users/${user}${note}`;
}

/** Past the library, as any S3 tool would read it. */
async function readNote(clients: Clients): Promise<string> {
  try {
    const found = await clients.s3.send(new GetObjectCommand({ Bucket: clients.bucket, Key: noteKeyIn(clients) }));
    return (await found.Body?.transformToString()) ?? "";
  } catch (error) {
    if (error instanceof NoSuchKey) return "";
    throw error;
  }
}

function portOf(text: string): string | undefined {
  return /port\D*(\d+)/iu.exec(text)?.[1];
}

/** Makes sure of the race: no write to the file is decided before both have arrived. Answers the file's requests. */
function holdUntilBothWrite({ faults, requests }: FakeS3, noteKey: string): () => readonly LoggedRequest[] {
  requests.clear();
  const both = Promise.withResolvers<void>();
  let waiting = 0;
  const beforeCommit = (): Promise<void> => {
    waiting += 1;
    if (waiting === 2) both.resolve();
    return both.promise;
  };
  faults.add({ operation: "PutObject", key: noteKey, times: 2 }, { beforeCommit });
  return () => [...requests].filter(({ key }) => key === noteKey);
}

function describeRequest({ method, conditions, status }: LoggedRequest): string {
  return `${method}${conditions["if-match"] ? " If-Match" : ""} ${status}`;
}
