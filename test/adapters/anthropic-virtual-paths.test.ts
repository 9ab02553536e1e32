import { afterEach, beforeEach, expect, it } from "vitest";
import { memoryCall } from "../../examples/support/scripted-messages-api.ts";
import { createS3Memory, type MemoryError } from "../../src/index.ts";
import { faultAnswers, startFakeS3, type Fault, type FakeS3 } from "../../src/testing/index.ts";
import { converse } from "./conversation.ts";
import { testClient } from "../support/test-client.ts";

// Words that only the operator may see. Each is looked for in everything that is sent to the model.
const bucket = "confidential-bucket";
const prefix = "confidential-prefix";
const user = "confidential-user";
const path = "/memories/notes.md";

const faults: Readonly<Record<string, Fault | undefined>> = {
  "is healthy": undefined,
  "refuses access": { answer: faultAnswers.accessDenied },
  "is in another region": { answer: faultAnswers.permanentRedirect("eu-south-2") },
  "is overloaded": { answer: faultAnswers.slowDown },
  "fails before the work": { answer: faultAnswers.internalError },
  "fails after the work": { answer: faultAnswers.internalError, commit: "now" },
  "drops connections": { answer: "drop" },
  "has no such bucket": { answer: { status: 404, code: "NoSuchBucket", message: `No ${bucket}` } },
};

let s3: FakeS3;
beforeEach(async () => {
  s3 = await startFakeS3({ buckets: [bucket] });
});
afterEach(() => s3.close());

it.each(Object.entries(faults))("sends Claude virtual paths only, while the store %s", async (_, fault) => {
  const reported: MemoryError[] = [];
  const client = testClient(s3.endpoint, { maxAttempts: 1 });
  const memory = createS3Memory({
    bucket,
    prefix,
    client,
    retry: { attempts: 2 },
    onError: (error) => reported.push(error),
  }).forUser(user);
  await memory.files.write(path, "one\n", { ifAbsent: true });
  if (fault) s3.faults.add({}, fault);

  const { texts, requests } = await converse(memory, [
    [memoryCall({ command: "view", path: "/memories" })],
    [memoryCall({ command: "view", path: "/memories/../../secrets.env" })],
    [memoryCall({ command: "create", path: "/memories/a/b.md", file_text: "b" })],
    [memoryCall({ command: "str_replace", path, old_str: "one", new_str: "two" })],
    [memoryCall({ command: "insert", path, insert_line: 0, insert_text: "zero\n" })],
    [memoryCall({ command: "rename", old_path: path, new_path: "/memories/moved.md" })],
    [memoryCall({ command: "delete", path: "/memories/moved.md" })],
    [memoryCall({ command: "delete", path: "/memories/a" })],
    ["Done."],
  ]);

  expect(texts).toHaveLength(8);
  const sent = JSON.stringify(requests);
  const operators = [
    bucket,
    prefix,
    user,
    s3.endpoint,
    "127.0.0.1",
    "confidential-key",
    "us-east-1",
    "eu-south-2",
    "arn:",
    "Access Denied",
  ];
  expect(operators.filter((word) => sent.includes(word))).toEqual([]);
  expect(sent).not.toMatch(
    /users\/|AccessDenied|NoSuchBucket|InternalError|SlowDown|PermanentRedirect|ECONN|socket|node_modules\/@|UnknownError/,
  );
  expect(reported.length > 0).toBe(fault !== undefined);
});
