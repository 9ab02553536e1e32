import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { bundleSimulation } from "./bundle.ts";
import { importSimulation } from "./bundled.ts";
import { runInThreads } from "./run-in-threads.ts";

const command = fileURLToPath(new URL("simulate.ts", import.meta.url));

interface Ended {
  readonly code: number;
  readonly output: string;
  readonly errors: string;
}

function simulate(...values: readonly string[]): Promise<Ended> {
  const { promise, resolve } = Promise.withResolvers<Ended>();
  const child = execFile(process.execPath, [command, ...values], (_, output, errors) =>
    resolve({ code: child.exitCode ?? -1, output, errors }),
  );
  return promise;
}

const unconditional = {
  file: "src/stores/s3-commands.ts",
  from: '...(condition.kind === "absent" ? { IfNoneMatch: "*" } : { IfMatch: condition.version }),',
  to: "",
};

describe("npm run simulate", () => {
  it("refuses what makes no sense with 2, and helps with 0", async () => {
    const [wrong, choice, unknown, help] = await Promise.all([
      simulate("--operations", "many"),
      simulate("--cache", "maybe"),
      simulate("--speed", "1"),
      simulate("--help"),
    ]);
    expect(choice).toMatchObject({ code: 2, errors: expect.stringContaining("--cache should be on, off or both") });
    expect(wrong).toMatchObject({ code: 2, errors: expect.stringContaining("--operations should be a whole number") });
    expect(unknown.code).toBe(2);
    expect(help).toMatchObject({ code: 0, output: expect.stringContaining("--seed S") });
  });

  it("ends with the line that says it all, and replays one episode", async () => {
    const { output } = await simulate("--operations", "1000", "--seed", "3");
    expect(output.trimEnd().split("\n").at(-1)).toMatch(/^\d+ operations, \d+ faults, \d+ violations, seed 3$/);
    const { output: trace } = await simulate("--seed", "3", "--episode", "2");
    expect(trace).toMatch(/Plan: [\s\S]*CALL[\s\S]*ANSWER[\s\S]*operations, \d+ faults, \d+ violations, seed 3\n$/);
  });

  it("has workers edit what they remember in half of the episodes, in all, or in none", async () => {
    const { file, remove } = await bundleSimulation();
    const run = { file, seed: 4, operations: 1_000, jobs: 1 };
    const [both, on, off] = await Promise.all([
      runInThreads(run),
      runInThreads({ ...run, cache: "on" }),
      runInThreads({ ...run, cache: "off" }),
    ]);
    await remove();
    const shares = (result: typeof both): readonly number[] =>
      ["cache\toperations with it", "cache\twithout", "edits unread\tcommitted"].map((name) =>
        Math.sign(result.tally.get(name) ?? 0),
      );
    expect([both, on, off].map(shares)).toEqual([
      [1, 1, 1],
      [1, 0, 1],
      [0, 1, 0],
    ]);
  });

  it("says the same whatever the number of threads", async () => {
    const { file, remove } = await bundleSimulation();
    const [one, three] = await Promise.all(
      [1, 3].map((jobs) => runInThreads({ file, seed: 4, operations: 4_000, jobs })),
    );
    await remove();
    const plain = (result: typeof one): unknown =>
      result && { ...result, operations: result.operations, faults: result.faults, tally: [...result.tally] };
    expect(plain(three)).toEqual(plain(one));
  });
});

describe("a deliberate defect", () => {
  it("is found, and shrunk to a few commands that still break the same rule", async () => {
    const { simulation, remove } = await importSimulation(unconditional);
    let found = await simulation.judgeEpisode(1, 0);
    for (let index = 1; found.violations.length === 0; index++) found = await simulation.judgeEpisode(1, index);
    const rule = found.violations[0]?.rule ?? "";
    const { plan, violations } = await simulation.shrink(found, rule, 10_000);
    await remove();
    expect(violations.map((violation) => violation.rule)).toContain(rule);
    const operations = plan.workers.flatMap(({ turns }) => turns.flatMap((turn) => turn.operations));
    expect(operations.length).toBeLessThanOrEqual(4);
  });

  it("must be planted at a text that is there exactly once, in a file of the simulation", async () => {
    const failure = (mutation: typeof unconditional): Promise<string> =>
      bundleSimulation({ mutation }).then(
        () => "none",
        (error: unknown) => String(error),
      );
    expect(await failure({ ...unconditional, from: "no such text" })).toContain("0 times, not once");
    expect(await failure({ ...unconditional, from: "requests" })).toMatch(/has the text \d+ times, not once/);
    expect(await failure({ ...unconditional, file: "src/index.ts" })).toContain("is no part of the simulation");
  });
});
