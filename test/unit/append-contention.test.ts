import { describe, expect, it } from "vitest";
import { createKeySpace } from "../../src/core/key-space.ts";
import { openStore } from "../../src/core/open-store.ts";
import { createUserMemory, type UserMemory } from "../../src/core/memory.ts";
import type { ObjectStore } from "../../src/core/object-store.ts";
import { resolveMemoryOptions } from "../../src/options.ts";
import { systemRuntime } from "../../src/runtime.ts";
import { inMemoryStore } from "../../src/stores/in-memory-store.ts";
import { seeded } from "../support/crash.ts";
import { VirtualTime } from "../support/virtual-time.ts";

const workers = 16;
const linesEach = 50;
const path = "/memories/log.md";

interface Circumstances {
  readonly seed: number;
  /** Milliseconds of a request there and back, on average; each way varies by half. */
  readonly latency: number;
  /** Whether an edit of a file that is known goes out unread. */
  readonly directEdits: boolean;
}

/** 16 memories with nothing in common but the bucket. */
function team({ seed, latency, directEdits }: Circumstances) {
  const time = new VirtualTime();
  const draw = seeded(seed);
  const bucket = inMemoryStore();
  let puts = 0;
  const oneWay = (): number => latency / 4 + draw(latency / 2 + 1);
  const onTheWay = async <T>(request: () => Promise<T>): Promise<T> => {
    await time.after(oneWay());
    const answer = await request();
    await time.after(oneWay());
    return answer;
  };
  const store: ObjectStore = {
    ...bucket,
    get: async (...values) => onTheWay(() => bucket.get(...values)),
    list: async (...values) => onTheWay(() => bucket.list(...values)),
    put: async (...values) => {
      puts += 1;
      return onTheWay(() => bucket.put(...values));
    },
  };
  const runtime = {
    ...systemRuntime,
    now: () => time.now,
    sleep: async (milliseconds: number) => time.after(milliseconds),
    random: () => draw(1_000_000) / 1_000_000,
  };
  const scope = {
    ...resolveMemoryOptions({ store, cache: { directEdits } }),
    keys: createKeySpace({ user: "team" }),
    actor: undefined,
  };
  const memories = Array.from({ length: workers }, () =>
    createUserMemory({ ...scope, ...openStore(scope, runtime.now), readOnly: false, runtime }),
  );
  return { time, memories, puts: () => puts };
}

/** One command of one worker; its answer, or what was refused. */
async function say(memory: UserMemory, input: object): Promise<string> {
  const result = await memory.execute(input);
  if (result.isError) throw new Error(`refused with ${result.code}: ${result.content}`);
  return typeof result.content === "string" ? result.content : "";
}

type Append = (memory: UserMemory, line: string) => Promise<void>;

/** The last line is a marker that every append moves down. */
const beforeMarker: Append = async (memory, line) => {
  await say(memory, { command: "str_replace", path, old_str: "END", new_str: `${line}\nEND` });
};

/** After the line that is the last one as this worker knows it. */
const afterLastLine: Append = async (memory, line) => {
  const view = await say(memory, { command: "view", path });
  // A view that was cut says in its last line how many there are.
  const lastLine = Number(/\(Cut: .* of (\d+) are shown/u.exec(view)?.[1] ?? /(\d+)\t.*$/u.exec(view)?.[1]);
  await say(memory, { command: "insert", path, insert_line: lastLine, insert_text: line });
};

async function appendLines(memory: UserMemory, worker: number, append: Append): Promise<void> {
  for (let count = 0; count < linesEach; count++) await append(memory, `worker ${worker}, line ${count}`);
}

/** As near as a server in the same rack, as the stores that answer fastest, and as S3. */
const latencies = [4, 20, 40];
const commands = [
  ["str_replace", beforeMarker],
  ["insert", afterLastLine],
] as const;

describe.each(latencies)("where a request takes %i ms, 16 workers append 50 lines each to one file", (latency) => {
  describe.each([true, false])("(known files edited unread: %s)", (directEdits) => {
    it.each(commands)("by %s, and under the default limits none is refused, lost or doubled", async (_, append) => {
      const { time, memories, puts } = team({ seed: 1, latency, directEdits });
      const [first] = memories;
      if (!first) throw new Error("There is nobody.");
      const work = async (): Promise<string | undefined> => {
        await say(first, { command: "create", path, file_text: "START\nEND\n" });
        await Promise.all(memories.map((memory, worker) => appendLines(memory, worker, append)));
        return (await first.files.read(path))?.text;
      };
      const lines = (await time.run(work()))?.split("\n") ?? [];
      const all = Array.from({ length: workers * linesEach }, (__, index) => {
        return `worker ${Math.floor(index / linesEach)}, line ${index % linesEach}`;
      });
      expect(lines.filter((line) => line.startsWith("worker")).sort()).toEqual(all.sort());
      // Measured: 1.5 to 2.6 attempts per success. Far more would be a storm.
      expect(puts() / (workers * linesEach)).toBeLessThan(3);
    });
  });
});
