import { execFileSync } from "node:child_process";
import type { Finding, Part, Table } from "../part.ts";
import { figure, median, spread } from "../statistics.ts";
import { importCost, importTable, measureImports } from "./imports.ts";
import { buildPrograms, type Form } from "./programs.ts";
import { startServer } from "./server.ts";

/** What a program says of itself, in milliseconds since its process began. */
interface Moments {
  /** Everything before the call that counts is done. */
  readonly initialised: number;
  readonly answered: number;
}

/** A program in one form, and what it said in each round. */
interface Side {
  readonly program: string;
  readonly form: Form;
  readonly moments: Moments[];
}

const memory = "`view /memories`";
const bare = "bare ListObjectsV2";

const shown = [
  { name: memory, program: "memory" },
  { name: bare, program: "bare" },
  { name: `${memory} after \`warm()\``, program: "memory-warm" },
  { name: `${bare} after another one`, program: "bare-warm" },
] as const;
const forms = ["unbundled", "bundled", "one-file"] as const;

/** Fresh process to the first answer, beside the SDK alone. */
export const start: Part = async ({ quick, log }) => {
  log("builds the programs");
  const place = buildPrograms();
  const sides = ["empty", ...shown.map(({ program }) => program)].flatMap((program) =>
    forms.map((form): Side => ({ program, form, moments: [] })),
  );
  const rounds = quick ? 2 : 30;
  log(`starts ${sides.length} programs, ${rounds} times each`);
  const server = await startServer();
  const environment = {
    AWS_ENDPOINT_URL_S3: server.endpoint,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "any",
    AWS_SECRET_ACCESS_KEY: "any",
  };
  for (let round = 0; round < rounds; round += 1) {
    for (const { program, form, moments } of sides) {
      const output = execFileSync(process.execPath, [place(program, form)], { env: environment, encoding: "utf8" });
      moments.push(JSON.parse(output) as Moments);
    }
  }
  server.close();
  log("imports each entry");
  const imports = measureImports(quick ? 2 : 20);
  return {
    findings: [importFinding(importCost(imports, "s3-memory-tool")), ...startFindings(sides), warmFinding(sides)],
    tables: [startTable(sides), importTable(imports)],
    data: { sides, imports },
  };
};

/** One moment of every round, less the median of an empty process in the same form. */
function aboveEmpty(sides: readonly Side[], program: string, form: Form, moment: keyof Moments): readonly number[] {
  const of = (name: string): readonly Moments[] =>
    sides.find((side) => side.program === name && side.form === form)?.moments ?? [];
  const empty = median(of("empty").map(({ answered }) => answered));
  return of(program).map((moments) => moments[moment] - empty);
}

/** The call alone: what a user waits for where all before it was done during init. */
function callTimes(sides: readonly Side[], program: string, form: Form): readonly number[] {
  const side = sides.find((candidate) => candidate.program === program && candidate.form === form);
  return (side?.moments ?? []).map(({ initialised, answered }) => answered - initialised);
}

function startTable(sides: readonly Side[]): Table {
  const rows = forms.flatMap((form) =>
    shown.map(({ name, program }) => [
      form.replace("-", " "),
      name,
      spread(aboveEmpty(sides, program, form, "answered")),
      spread(aboveEmpty(sides, program, form, "initialised")),
      spread(callTimes(sides, program, form)),
    ]),
  );
  return {
    title: "From a fresh process to the first answer",
    columns: ["form", "program", "all, ms", "init, ms", "the call, ms"],
    rows,
    notes: [
      "Median and, in brackets, the middle half. Measured by each program itself since its process began, less an empty program's median in the same form; all programs in turns, the fake S3 in another process.",
      "Bundled by [the recipe](bundling.md), one file by the same without `splitting`; the bare client too. Unbundled imports the installed packages.",
      "The server speaks HTTP. For that the SDK imports `node:http` as an ES module at its first request, and Node loads its `fetch` with it: the same for every program, and absent with HTTPS.",
    ],
  };
}

function startFindings(sides: readonly Side[]): readonly Finding[] {
  return (["unbundled", "bundled"] as const).map((form) => {
    const [ours, theirs] = ["memory", "bare"].map((program) =>
      median([...aboveEmpty(sides, program, form, "answered")]),
    );
    const ratio = (ours ?? NaN) / (theirs ?? NaN);
    return {
      sentence: `A fresh process, ${form}, has the first \`view\` answered after ${figure(ours ?? NaN)} ms, the bare client its first ListObjectsV2 after ${figure(theirs ?? NaN)} ms: ${ratio.toFixed(2)} ×.`,
      goal: { wanted: "at most 1.1 ×", met: ratio <= 1.1 },
    };
  });
}

function warmFinding(sides: readonly Side[]): Finding {
  const [warm, cold] = ["memory-warm", "memory"].map((program) => median([...callTimes(sides, program, "bundled")]));
  return {
    sentence: `After \`warm()\` during init the first \`view\` of a bundle takes ${figure(warm ?? NaN)} ms instead of ${figure(cold ?? NaN)} ms.`,
  };
}

function importFinding(costs: readonly number[]): Finding {
  const cost = median([...costs]);
  return {
    sentence: `Importing \`s3-memory-tool\` takes ${figure(cost)} ms more than an empty process, and loads no AWS SDK.`,
    goal: { wanted: "at most 30 ms", met: cost <= 30 },
  };
}
