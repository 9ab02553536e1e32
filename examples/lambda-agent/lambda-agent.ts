/**
 * Bundles the two functions and calls them as Lambda does, in a folder where there is nothing else, on an S3 server and a
 * scripted Claude inside this process.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startFakeS3 } from "s3-memory-tool/testing";
import { startScriptedMessagesApi } from "../support/scripted-messages-api.ts";
import { httpEvent, memoryUse } from "./events.ts";
import { invoke } from "./invoke.ts";
import { noted, path, recall, remember, script } from "./script.ts";

const ask = (user: string | undefined, question: unknown): unknown => httpEvent("/ask", user, { question });

const bundle = await mkdtemp(join(tmpdir(), "lambda-agent-"));
const s3 = await startFakeS3({ buckets: ["agent-memory"] });
const claude = await startScriptedMessagesApi(script);
const environment = {
  MEMORY_BUCKET: "agent-memory",
  AWS_ENDPOINT_URL_S3: s3.endpoint,
  AWS_REGION: "us-east-1",
  AWS_ACCESS_KEY_ID: "any",
  AWS_SECRET_ACCESS_KEY: "any",
  ANTHROPIC_BASE_URL: claude.url,
  ANTHROPIC_API_KEY: "scripted",
};

try {
  execFileSync(process.execPath, [fileURLToPath(new URL("build.ts", import.meta.url)), bundle]);

  // One environment notes it, another one knows it.
  const [first] = await invoke(bundle, { name: "agent-function", events: [ask("dana", remember)] }, environment);
  assert.deepEqual(first, { statusCode: 200, body: { answer: "Noted." } });
  const questions = [ask("dana", recall), ask("robin", recall), ask(undefined, recall), ask("dana", 1)];
  const answers = await invoke(bundle, { name: "agent-function", events: questions }, environment);
  console.log(answers);
  assert.deepEqual(
    answers.map(({ statusCode }) => statusCode),
    [200, 200, 401, 400],
  );
  assert.match(JSON.stringify(answers[0]?.body), /likes short answers/u);
  assert.match(JSON.stringify(answers[1]?.body), /does not exist/u);

  // Its time is up before Claude has answered: it says so, where Lambda would have ended it without a word.
  const late = { name: "agent-function", events: [ask("dana", recall)], milliseconds: 1_000 };
  const [tooLate] = await invoke(bundle, late, environment);
  assert.equal(tooLate?.statusCode, 504);

  // An event that is delivered twice is carried out once.
  const insert = memoryUse("toolu_1", { command: "insert", path, insert_line: 1, insert_text: "- lives in Lima\n" });
  const twice = Array<unknown>(2).fill(httpEvent("/memory", "dana", { content: [insert] }));
  const results = await invoke(bundle, { name: "memory-function", events: twice }, environment);
  console.log(JSON.stringify(results[0]));
  assert.deepEqual(results[0], results[1]);
  assert.equal(results[0]?.statusCode, 200);
  assert.equal(s3.objects().get(`agents/users/dana${path}`)?.text, `${noted}- lives in Lima\n`);
  assert.deepEqual([...s3.objects().keys()], [`agents/users/dana${path}`]);
} finally {
  await Promise.all([s3.close(), claude.close(), rm(bundle, { recursive: true })]);
}
