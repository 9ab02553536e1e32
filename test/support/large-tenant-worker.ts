// Started by test/unit/large-tenant.test.ts in a process of its own, so that its memory can be measured.
import { createS3Memory } from "../../src/index.ts";
import { testClient } from "./test-client.ts";

const [endpoint = "", bucket = "", task = ""] = process.argv.slice(2);
const client = testClient(endpoint);
const memory = createS3Memory({ bucket, client, limits: { files: Infinity } });
await memory.forUser("nobody").execute({ command: "view", path: "/memories" }); // the SDK is loaded, a connection open
const user = memory.forUser("big");

/** A collection takes long: only so many answers are looked at, which is enough to see what grows. */
const answersBetweenLooks = 8;
let answers = 0;
let mostAlive = 0;
/** What is left once garbage is collected: at the end of an answer, so that its page is part of it. */
const alive = (): number => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
client.middlewareStack.add(
  (next) => async (args) => {
    const answer = await next(args);
    answers += 1;
    if (answers % answersBetweenLooks === 1) mostAlive = Math.max(mostAlive, alive());
    return answer;
  },
  { step: "initialize", name: "lookAtMemory" },
);

async function say(input: object): Promise<string> {
  const { content } = await user.execute(input);
  return typeof content === "string" ? content : "";
}

async function carryOut(): Promise<string> {
  switch (task) {
    case "view":
      return say({ command: "view", path: "/memories" });
    case "delete":
      return say({ command: "delete", path: "/memories/a" });
    case "list": {
      let files = 0;
      for await (const { size } of user.files.list()) files += size;
      return String(files);
    }
    default:
      throw new TypeError(`no task "${task}"`);
  }
}

const idle = process.memoryUsage().rss;
const aliveBefore = alive();
let peak = idle;
const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 2);
const content = await carryOut();
clearInterval(watch);
peak = Math.max(peak, process.memoryUsage().rss);
const report = {
  content,
  megabytesAboveIdle: (peak - idle) / 1_000_000,
  megabytesHeld: (mostAlive - aliveBefore) / 1_000_000,
};
process.send?.(report, () => process.exit(0));
