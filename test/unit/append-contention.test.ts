import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { createS3Memory, type UserMemory } from "../../src/index.ts";
import { startFakeS3, type FakeS3 } from "../../src/testing/index.ts";
import { testClient } from "../support/test-client.ts";

const workers = 16;
const linesEach = 50;
const path = "/memories/log.md";

/** One command of one worker; its answer, or what was refused. */
type Append = (memory: UserMemory, line: string) => Promise<void>;

async function say(memory: UserMemory, input: object): Promise<string> {
  const result = await memory.execute(input);
  if (result.isError) throw new Error(`refused with ${result.code}: ${result.content}`);
  return typeof result.content === "string" ? result.content : "";
}

/** The last line is a marker that every append moves down. */
const appendBeforeMarker: Append = async (memory, line) => {
  await say(memory, { command: "str_replace", path, old_str: "END", new_str: `${line}\nEND` });
};

/** After the line that is the last one as this worker knows it. */
const appendAfterLastLine: Append = async (memory, line) => {
  const view = await say(memory, { command: "view", path });
  // A view that was cut says in its last line how many there are.
  const lastLine = Number(/\(Cut: .* of (\d+) are shown/u.exec(view)?.[1] ?? /(\d+)\t.*$/u.exec(view)?.[1]);
  await say(memory, { command: "insert", path, insert_line: lastLine, insert_text: line });
};

describe("16 workers that append to one file under the default limits", () => {
  let fake: FakeS3;
  let memories: UserMemory[];

  beforeEach(async () => {
    fake = await startFakeS3();
    // A request takes a few milliseconds, so that those of all workers overlap.
    fake.faults.add({}, { beforeCommit: 2, afterCommit: 2 });
    // Nothing in common but the bucket: a client, a store and a memory each.
    memories = Array.from({ length: workers }, () =>
      createS3Memory({ bucket: "memory", client: testClient(fake.endpoint) }).forUser("team"),
    );
    await say(memories[0] as UserMemory, { command: "create", path, file_text: "START\nEND\n" });
  });

  afterEach(() => fake.close());

  it.each([
    ["a replacement of its last line", appendBeforeMarker],
    ["an insert after its last line", appendAfterLastLine],
  ] as const)("get all their 800 lines in exactly once, by %s", async (_, append) => {
    await Promise.all(
      memories.map(async (memory, worker) => {
        for (let count = 0; count < linesEach; count++) await append(memory, `worker ${worker}, line ${count}`);
      }),
    );

    const file = await memories[0]?.files.read(path);
    const expected = Array.from({ length: workers * linesEach }, (__, index) => {
      return `worker ${index % workers}, line ${Math.floor(index / workers)}`;
    });
    expect(file?.text.trimEnd().split("\n").toSorted()).toEqual([...expected, "START", "END"].toSorted());
  });
});
