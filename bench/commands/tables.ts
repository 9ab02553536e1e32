import type { Finding, Table } from "../part.ts";
import { figure, median, spread } from "../statistics.ts";
import type { Answers } from "./guarantees.ts";
import type { Cell, Row } from "./measure.ts";
import { peersAhead, verdict, verdictSentence } from "./verdict.ts";

export interface Measured {
  /** On the fake, 20 ms a request. */
  readonly delayed: readonly Row[];
  readonly local: readonly Row[];
  readonly disk: readonly Row[];
  readonly answers: Answers;
}

const own = "s3-memory-tool";
const uncached = "s3-memory-tool, no cache";

export function tables({ delayed, local, disk, answers }: Measured): readonly Table[] {
  return [requestTable(delayed), delayedTable(delayed), guaranteeTable(answers), localTable(local), diskTable(disk)];
}

function requestTable(rows: readonly Row[]): Table {
  return {
    title: "Requests / round trips of each command",
    ...table(rows, ({ traffic }) => (traffic === undefined ? "–" : `${traffic.requests} / ${traffic.roundTrips}`)),
    notes: [
      "Counted on the fake S3. A round trip is one wait: what is sent together counts once.",
      "`str_replace` and `insert` alone: this process does not know the file. After a view it does, and sends the PUT at once; the others read again.",
      "`@mastra/s3` and `files-sdk` know no memory tool: each command is made from the fewest of their public methods that do its work. `files-sdk` once with its plain methods, once with the `condition` that its writes take.",
      "The plain handler is GET, change, PUT, as people write it; its file says what is wrong with it.",
    ],
  };
}

function delayedTable(rows: readonly Row[]): Table {
  const { columns, rows: cells } = table(rows, ({ milliseconds }) => spread(milliseconds));
  const found = ahead(rows);
  return {
    title: "Milliseconds of each command at 20 ms per request",
    columns: [...columns, "faster than s3-memory-tool"],
    rows: cells.map((row) => row.concat(verdict(row[0] ?? "", found))),
    notes: [
      `Median (middle half) of ${rows[0]?.cells[0]?.milliseconds.length ?? 0} samples; all sides in one run, in turn, each time another one first, each sample on files of its own of 2 kB. The fake S3 runs in the same process, and its work is in every figure.`,
      "The five edits go one after another for every side. Sent all at once, as the SDK's tool runner does, ours are still made in their order; the others would lose edits (see below).",
      "Faster is a side with fewer round trips and a lower median, or one whose median is more than a tenth below ours and whose middle half lies below ours.",
      "In a rename ours reads and writes where the others let the server copy; with `serverSideCopy` it does too (see Server-side copy).",
    ],
  };
}

function guaranteeTable(answers: Answers): Table {
  const names = Object.keys(Object.values(answers)[0] ?? {}).filter((name) => name !== uncached);
  return {
    title: "What each side does when others interfere",
    columns: ["tried", ...names],
    rows: Object.entries(answers).map(([question, row]) => [question].concat(names.map((name) => row[name] ?? "–"))),
    notes: [
      "Each cell was tried on the fake S3 in this run (`bench/commands/guarantees.ts`), by two workers with clients of their own; without the cache ours does the same.",
      "`@mastra/s3`: `writeFile` and `moveFile` ask `exists` first, then send a PutObject or CopyObject without a condition; `deleteFile` empties the directory of that name where there is one, and then leaves the file (`isDirectory`, `rmdir`).",
      "`files-sdk`: `upload`, `copy`, `move` and `delete` have no condition unless one is passed; with one, a refusal is a `Conflict` that the caller has to deal with, and the AWS SDK's repetition after a lost answer is refused like a stranger's write.",
    ],
  };
}

function localTable(rows: readonly Row[]): Table {
  return {
    title: "Milliseconds on LocalStack",
    ...table(rows, ({ milliseconds }) => spread(milliseconds)),
    notes: [
      `LocalStack 4.14.0 in host mode, on the same machine, no delay added; median (middle half) of ${rows[0]?.cells[0]?.milliseconds.length ?? 0} samples.`,
      "It cannot delete on a condition. Ours runs with `conditionalDelete: false`: it looks at each version before it deletes, 2 requests a file instead of a batch, which is what the deletes and renames pay for. `files-sdk` with conditions cannot delete or rename there (–).",
      "Its time is work, not waiting: a command costs what its requests cost, and what is sent together gains less than on S3.",
    ],
  };
}

function diskTable(rows: readonly Row[]): Table {
  return {
    title: "Another medium: the tool of Anthropic's SDK on a local disk, milliseconds",
    ...table(rows, ({ milliseconds }) => spread(milliseconds)),
    notes: ["No request at all, and nothing that a second machine or the next Lambda could read."],
  };
}

function table(rows: readonly Row[], text: (cell: Cell) => string): Pick<Table, "columns" | "rows"> {
  const names = [...new Set(rows.flatMap(({ cells }) => cells.map(({ side }) => side)))];
  return {
    columns: ["command", ...names],
    rows: rows.map(({ scenario, cells }) => [
      scenario,
      ...names.map((name) => {
        const found = cells.find(({ side }) => side === name);
        return found === undefined ? "–" : text(found);
      }),
    ]),
  };
}

function ahead(rows: readonly Row[]): ReturnType<typeof peersAhead> {
  const peers = [...new Set(rows.flatMap(({ cells }) => cells.map(({ side }) => side)))];
  return peersAhead(
    rows,
    own,
    peers.filter((name) => name !== own && name !== uncached),
  );
}

export function findings({ delayed }: Measured): readonly Finding[] {
  const found = ahead(delayed);
  return [
    editFinding(delayed),
    firstViewFinding(delayed),
    {
      sentence: verdictSentence(found),
      goal: { wanted: "no command slower than that of a side that guarantees less", met: found.length === 0 },
    },
  ];
}

function editFinding(rows: readonly Row[]): Finding {
  const cells = rows.find(({ scenario }) => scenario === "str_replace after a view")?.cells ?? [];
  const mine = cells.find(({ side }) => side === own);
  const others = cells.filter(({ side }) => side !== own && side !== uncached);
  const theirs = others.map(requests);
  const times = others.map(({ milliseconds }) => median(milliseconds));
  return {
    sentence:
      `An edit of a file that was viewed takes ${mine === undefined ? "–" : requests(mine)} request and ` +
      `${figure(median(mine?.milliseconds ?? []))} ms at 20 ms per request; the others take ` +
      `${range(theirs)} requests and ${range(times)} ms.`,
    goal: { wanted: "1 request", met: mine !== undefined && requests(mine) === 1 },
  };
}

function requests(cell: Cell): number {
  return cell.traffic?.requests ?? Number.NaN;
}

function range(values: readonly number[]): string {
  return [...new Set([Math.min(...values), Math.max(...values)].map(figure))].join(" to ");
}

function firstViewFinding(rows: readonly Row[]): Finding {
  const first = rows.filter(({ scenario }) => scenario.startsWith("view `/memories`"));
  const texts = first.map(({ scenario, cells }) => {
    const mine = cells.find(({ side }) => side === own);
    const count = mine?.traffic?.requests ?? 0;
    return `${scenario}: ${count} request${count === 1 ? "" : "s"}, ${figure(median(mine?.milliseconds ?? []))} ms`;
  });
  return { sentence: `The first call of every conversation, at 20 ms per request: ${texts.join("; ")}.` };
}
