import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { importSimulation, type Simulation } from "./bundled.ts";
import { allFaults, type FaultKind } from "./faults.ts";
import type { EpisodeLog, LogEvent, Violation } from "./log.ts";
import type { Plan, PlannedCommand, Turn } from "./plan.ts";

let file = "";
let simulation: Simulation;
let remove = async (): Promise<void> => undefined;

beforeAll(async () => {
  ({ file, simulation, remove } = await importSimulation());
});
afterAll(() => remove());

const text = (log: EpisodeLog): string => JSON.stringify({ ...log, writeIds: [...log.writeIds] });
const digest = (log: EpisodeLog): string => createHash("sha256").update(text(log)).digest("hex");

const outline = (log: EpisodeLog): unknown => log.events.map(({ kind, operation }) => [kind, operation]);

let keys = 0;
const turn = (command: PlannedCommand, more: Partial<Turn> = {}): Turn => {
  const key = keys++;
  return { operations: [{ key, seed: key, toolUse: key, command }], ...more };
};

/** One worker, one file `a`, and what is to be done. */
function planOf(turns: readonly Turn[], more: Partial<Plan> = {}): Plan {
  return {
    theme: "test",
    settings: { etags: "content", onExisting: "error", isCalm: false, directEdits: true },
    limits: { files: 1_000 },
    retry: { attempts: 20, totalMilliseconds: 15_000 },
    style: { kind: "uniform", change: 0.1, pace: 3 },
    initial: [{ name: "a", text: "t000 t001\n", by: "memory" }],
    workers: [{ process: 0, turns }],
    faults: { seed: 1, probability: 0, kinds: [] },
    ...more,
  };
}

const eventsOf = <Kind extends LogEvent["kind"]>(log: EpisodeLog, kind: Kind): Extract<LogEvent, { kind: Kind }>[] =>
  log.events.filter((event): event is Extract<LogEvent, { kind: Kind }> => event.kind === kind);

describe("an episode", () => {
  it("is the same byte for byte, whatever ran before, and in another process", async () => {
    const first = await simulation.judgeEpisode(5, 3);
    for (let index = 10; index < 40; index++) await simulation.judgeEpisode(5, index);
    const again = await simulation.judgeEpisode(5, 3);
    expect(text(again.log)).toBe(text(first.log));
    const script =
      `import { createHash } from "node:crypto"; import { judgeEpisode } from ${JSON.stringify(file)};` +
      `const { log } = await judgeEpisode(5, 3); const text = JSON.stringify({ ...log, writeIds: [...log.writeIds] });` +
      `process.stdout.write(createHash("sha256").update(text).digest("hex"));`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
    expect(stdout).toBe(digest(first.log));
  });

  it("is another one for another seed or number", async () => {
    const logs = await Promise.all([0, 1].map(async (index) => digest((await simulation.judgeEpisode(5, index)).log)));
    logs.push(digest((await simulation.judgeEpisode(6, 0)).log));
    expect(new Set(logs).size).toBe(3);
  });

  it("is the same again with its faults listed and its order given, under any schedule seed", async () => {
    for (let index = 0; index < 60; index++) {
      const { plan, log, faults, order, scheduleSeed } = await simulation.judgeEpisode(7, index);
      const listed = { ...plan, faults: { ...plan.faults, listed: faults } };
      expect(digest((await simulation.runEpisode(listed, scheduleSeed)).log)).toBe(digest(log));
      const other = await simulation.runEpisode(listed, scheduleSeed + 1, order());
      // What ends by the clock alone may end elsewhere: the other seed moves it.
      const isTimed = plan.style.pace > 20 || faults.some(({ kind }) => kind.startsWith("silence"));
      if (!isTimed) expect(outline(other.log)).toEqual(outline(log));
    }
  });

  it("answers every operation or ends it by a death, and carries every late request out", async () => {
    for (let index = 0; index < 100; index++) {
      const { log } = await simulation.judgeEpisode(8, index);
      const ended = [...eventsOf(log, "answer"), ...eventsOf(log, "death")].map(({ operation }) => operation);
      expect(ended.toSorted((one, other) => one - other)).toEqual(log.operations.map(({ id }) => id));
      const late = eventsOf(log, "fault").filter(({ fault }) => fault.endsWith("late"));
      for (const { request } of late) {
        expect(eventsOf(log, "write").some((write) => write.request === request)).toBe(true);
      }
    }
  });

  it("has no fault at all where it is calm", async () => {
    let calm = 0;
    for (let index = 0; index < 200; index++) {
      const { log } = await simulation.judgeEpisode(9, index);
      if (!log.settings.isCalm) continue;
      calm += 1;
      expect(log.faults).toBe(0);
      expect(eventsOf(log, "response").every(({ response }) => response === "answered")).toBe(true);
    }
    expect(calm).toBeGreaterThan(20);
  });

  it("never uses a word twice, so that contents do not repeat by themselves", async () => {
    for (let index = 0; index < 60; index++) {
      const { log } = await simulation.judgeEpisode(10, index);
      const states = [...log.initial, ...eventsOf(log, "write").flatMap(({ after }) => after ?? [])];
      for (const { text: content } of states) {
        const words = content.split(/\s+/).filter((word) => word !== "");
        expect(new Set(words).size).toBe(words.length);
      }
    }
  });

  it("meets every kind of fault, every command and every theme in a few hundred", async () => {
    const seen = new Set<string>();
    for (let index = 0; index < 500; index++) {
      const plan = simulation.makePlan(index);
      const { log } = await simulation.runEpisode(plan, index);
      seen.add(plan.theme).add(plan.style.kind);
      for (const { fault } of eventsOf(log, "fault")) seen.add(fault);
      for (const { input } of log.operations) seen.add(input.command);
    }
    expect(
      [...allFaults, "death", "delivered again", "rename", "quota", "priorities"].filter((one) => !seen.has(one)),
    ).toEqual([]);
  });
});

const append = (line: string): PlannedCommand => ({ command: "insert", name: "a", place: "end", text: line });

describe("a fault", () => {
  const create = { command: "create", name: "b", text: "t010 t011\n" } as const;

  /** What a create, whose PUT is its second request, says and leaves. */
  async function createWith(kind: FaultKind): Promise<readonly [string | undefined, readonly string[]]> {
    const create0 = turn(create);
    const key = create0.operations[0]?.key ?? -1;
    const listed = [{ operation: key, delivery: 0, request: 1, kind }];
    const plan = planOf([create0], { retry: { attempts: 1, totalMilliseconds: 15_000 } });
    const { log } = await simulation.runEpisode({ ...plan, faults: { ...plan.faults, listed } }, 1);
    const writes = eventsOf(log, "write").map(({ decision }) => decision);
    return [eventsOf(log, "answer")[0]?.code, writes];
  }

  it.each<readonly [FaultKind, string | undefined, readonly string[]]>([
    ["409", "conflict", ["undecided"]],
    ["500 before", "storage", []],
    ["503 before", "storage", []],
    ["500 after", undefined, ["committed"]],
    ["503 after", undefined, ["committed"]],
    ["reset before", "outcome_unknown", []],
    ["reset after", undefined, ["committed"]],
    ["time-out never", "outcome_unknown", []],
    ["time-out now", undefined, ["committed"]],
    ["time-out late", "outcome_unknown", ["committed"]],
    ["silence never", "outcome_unknown", []],
    ["silence now", undefined, ["committed"]],
    ["silence late", "outcome_unknown", ["committed"]],
    ["abort never", "aborted", []],
    ["abort now", "aborted", ["committed"]],
    ["abort late", "aborted", ["committed"]],
  ])("of kind %s makes a create answer %s, and the store decide %j", async (kind, code, writes) => {
    expect(await createWith(kind)).toEqual([code, writes]);
  });

  it("on a read is sent again by the SDK, up to three times, and a write never is", async () => {
    const view = turn({ command: "view", name: "a.md" });
    const key = view.operations[0]?.key ?? -1;
    const listed = [0, 1, 2].map((request) => ({ operation: key, delivery: 0, request, kind: "503 before" as const }));
    const plan = planOf([view], { initial: [{ name: "a.md", text: "t000 t001\n", by: "memory" }] });
    const twice = await simulation.runEpisode({ ...plan, faults: { ...plan.faults, listed: listed.slice(1) } }, 1);
    const thrice = await simulation.runEpisode({ ...plan, faults: { ...plan.faults, listed } }, 1);
    expect(eventsOf(twice.log, "answer")[0]?.code).toBeUndefined();
    expect(eventsOf(thrice.log, "answer")[0]?.code).toBe("storage");
    expect(eventsOf(thrice.log, "request")).toHaveLength(3);
  });

  it("that kills a worker leaves no answer, and the next conversation is delivered the same", async () => {
    const death = { afterRequests: 2, again: "at once" } as const;
    const { log } = await simulation.runEpisode(
      planOf([turn(create, { death }), turn({ command: "view", name: "b" })]),
      4,
    );
    expect(log.operations.map(({ repeats, conversation }) => [repeats, conversation])).toEqual([
      [undefined, 0],
      [0, 1],
      [undefined, 1],
    ]);
    expect(log.operations[1]?.input).toEqual(log.operations[0]?.input);
    expect(log.writeIds.get(1)).toBe(log.writeIds.get(0));
    expect(eventsOf(log, "death")).toEqual([{ kind: "death", operation: 0 }]);
    expect(eventsOf(log, "answer").map(({ operation, code }) => [operation, code])).toEqual([
      [1, undefined],
      [2, undefined],
    ]);
  });

  it("that kills a worker has what was on its way carried out never, at once or late", async () => {
    const seen = new Set<string>();
    for (let seed = 0; seed < 40; seed++) {
      const plan = planOf([
        turn(create, { death: { afterRequests: 2, again: "never" } }),
        turn({ command: "view", name: "a" }),
      ]);
      const { log } = await simulation.runEpisode({ ...plan, faults: { ...plan.faults, seed } }, seed);
      const kinds = log.events.map((event) => (event.kind === "response" ? event.response : event.kind));
      const [died, wrote] = [kinds.indexOf("nobody"), kinds.indexOf("write")];
      if (died !== -1 && (wrote === -1 || wrote > died))
        seen.add(wrote === -1 ? "never" : wrote === died + 1 ? "now" : "late");
    }
    expect([...seen].toSorted()).toEqual(["late", "never", "now"]);
  });

  it("that kills a worker takes what it remembered, and leaves the process of another worker as it is", async () => {
    const death = { afterRequests: 1, again: "never" } as const;
    const first = [turn({ command: "view", name: "a" }), turn(append("t010"), { death }), turn(append("t011"))];
    const [second, third] = [[turn(append("t012"))], [turn(append("t013"))]];
    const workers = [first, second, third].map((turns, index) => ({ process: Math.max(0, index - 1), turns }));
    const named = [...first, ...second, ...third].flatMap(({ operations }) => operations.map(({ key }) => key));
    const [view = -1, killed = -1, after = -1, same = -1, other = -1] = named;
    const order = [
      ...[view, same].flatMap(allOf),
      `turn ${killed}.0`,
      `death turn ${killed}.0`,
      ...[after, other].flatMap(allOf),
    ];
    const { log } = await simulation.judgePlan(planOf([], { workers }), 1, order);
    const operationOf = (line: string): number | undefined =>
      log.operations.find(({ input }) => input.command === "insert" && input.insert_text === line)?.id;
    const methodsOf = (line: string): readonly string[] =>
      eventsOf(log, "request").flatMap(({ operation, method }) => (operation === operationOf(line) ? method : []));
    expect(methodsOf("t012")).toEqual(["PUT"]); // its process has viewed it in another conversation
    expect(methodsOf("t011")[0]).toBe("GET");
    expect(methodsOf("t013")[0]).toBe("GET");
  });

  it("that repeats a delivery repeats its input, whatever the other conversation knows", async () => {
    const insert = { command: "insert", name: "a", place: "end", text: "t010 t011" } as const;
    const death = { afterRequests: 1, again: "at once" } as const;
    const initial = [{ name: "a", text: "t000 t001\nt002 t003\nt004 t005\n", by: "memory" as const }];
    const plan = planOf([turn({ command: "view", name: "a" }), turn(insert, { death })], { initial });
    const { log } = await simulation.runEpisode(plan, 1);
    expect(log.operations.slice(1).map(({ input }) => input)).toEqual(
      Array(2).fill(expect.objectContaining({ insert_line: 3 })),
    );
  });

  it("gives a batch errors of its own, listed with its answer", async () => {
    const remove0 = turn({ command: "delete", name: "d" });
    const key = remove0.operations[0]?.key ?? -1;
    const listed = [{ operation: key, delivery: 0, request: 2, kind: "batch errors" as const }];
    const initial = ["d/x", "d/y"].map((name, index) => ({
      name,
      text: `t00${index} t01${index}\n`,
      by: "memory" as const,
    }));
    const plan = planOf([remove0], { initial });
    const { log } = await simulation.runEpisode({ ...plan, faults: { ...plan.faults, listed } }, 1);
    expect(eventsOf(log, "response").flatMap(({ failedKeys }) => failedKeys ?? []).length).toBeGreaterThan(0);
    expect(log.final).toEqual([]);
  });
});

const replace = (fallback: string, replacement: string): Turn =>
  turn({ command: "str_replace", name: "a", fallback, replacement, usesFallback: true });

/** All that an operation does, in its own order. */
function allOf(key: number): readonly string[] {
  const requests = Array.from({ length: 9 }, (_, request) => `${key}.0.${request}`);
  return [`turn ${key}.0`, ...requests.flatMap((request) => [`${request} arrives`, `${request} is answered`])];
}

/** A request that was cut off comes late, after somebody restored the very bytes it was based on. */
async function restoreBeforeLateWrite(etags: "content" | "unique"): Promise<readonly [string, readonly Violation[]]> {
  const turns = [replace("t000", "t010"), replace("t000", "t020"), replace("t020", "t000")];
  const named = turns.flatMap(({ operations }) => operations.map(({ key }) => key));
  const [first = -1] = named;
  const listed = [{ operation: first, delivery: 0, request: 1, kind: "time-out late" as const }];
  const plan = planOf(turns, { settings: { etags, onExisting: "error", isCalm: false, directEdits: true } });
  const faulty = { ...plan, faults: { ...plan.faults, listed } };
  const order = [...named.flatMap(allOf), `${first}.0.1 arrives late`];
  const { log, violations } = await simulation.judgePlan(faulty, 1, order);
  return [log.final[0]?.text ?? "", violations];
}

describe("the one scenario in which contents repeat", () => {
  it("lets a late write through, as S3's conditions compare bytes alone, and no rule is broken by it", async () => {
    expect(await restoreBeforeLateWrite("content")).toEqual(["t010 t001\n", []]);
  });

  it("stops it where every write has its own ETag", async () => {
    expect(await restoreBeforeLateWrite("unique")).toEqual(["t000 t001\n", []]);
  });
});
