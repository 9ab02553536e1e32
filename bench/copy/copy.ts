import type { Finding, Part, Table } from "../part.ts";
import { figure, median, spread } from "../statistics.ts";
import { fakePlace, seaweedPlace, type Place } from "./place.ts";
import { startWorker, type Traffic, type Worker } from "./worker.ts";

const ways = [
  { name: "GET + PUT", serverSideCopy: false },
  { name: "CopyObject", serverSideCopy: true },
] as const;

type WayName = (typeof ways)[number]["name"];

/** All renames of one directory, one way. */
interface Samples {
  readonly way: WayName;
  readonly milliseconds: readonly number[];
  /** Of each of them. */
  readonly traffic: readonly Traffic[];
}

/** One directory on one server, both ways. */
interface Case {
  readonly place: string;
  readonly fileBytes: number;
  readonly samples: readonly Samples[];
}

interface Extent {
  readonly files: number;
  readonly warmUps: number;
  readonly samples: number;
  readonly delay: number;
}

const fileSizes = [1_000, 100_000];

/** A directory's rename with `serverSideCopy` and without. */
export const copy: Part = async ({ quick, log }) => {
  const extent: Extent = quick
    ? { files: 10, warmUps: 0, samples: 1, delay: 20 }
    : { files: 100, warmUps: 1, samples: 5, delay: 20 };
  const cases: Case[] = [];
  for (const start of [() => fakePlace(extent.delay), () => seaweedPlace(log)]) {
    const place = await start();
    try {
      for (const fileBytes of fileSizes) {
        log(`${extent.files} files of ${figure(fileBytes)} B on ${place.name}`);
        cases.push(await measure(place, fileBytes, extent));
      }
    } finally {
      await place.close();
    }
  }
  return { findings: cases.slice(1, 2).map(findingOf), tables: [tableOf(cases, extent)], data: cases };
};

/** Both ways in turn, each time the other one first. A directory is renamed again and again, to a new name each time. */
async function measure(place: Place, fileBytes: number, extent: Extent): Promise<Case> {
  const sides = ways.map(({ name, serverSideCopy }) => ({
    way: name,
    worker: startWorker(place, serverSideCopy, `copy-${serverSideCopy}-${fileBytes}`),
    milliseconds: [] as number[],
    traffic: [] as Traffic[],
  }));
  await Promise.all(sides.map(({ worker }) => fill(worker, extent.files, fileBytes)));
  for (let round = 0; round < extent.warmUps + extent.samples; round++) {
    for (const side of round % 2 === 0 ? sides : sides.toReversed()) {
      const before = side.worker.traffic();
      const started = performance.now();
      await side.worker.execute({
        command: "rename",
        old_path: `/memories/dir-${round}`,
        new_path: `/memories/dir-${round + 1}`,
      });
      const milliseconds = performance.now() - started;
      const { requests, bytes } = side.worker.traffic();
      if (round < extent.warmUps) continue;
      side.milliseconds.push(milliseconds);
      side.traffic.push({ requests: requests - before.requests, bytes: bytes - before.bytes });
    }
  }
  for (const { worker } of sides) worker.close();
  return {
    place: place.name,
    fileBytes,
    samples: sides.map(({ way, milliseconds, traffic }) => ({ way, milliseconds, traffic })),
  };
}

async function fill(worker: Worker, files: number, bytes: number): Promise<void> {
  const line = "A line of a file that an agent has written down.\n";
  const text = line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes);
  const names = Array.from({ length: files }, (_, index) => `/memories/dir-0/${index}.md`);
  await Promise.all(names.map((path) => worker.execute({ command: "create", path, file_text: text })));
}

const bytesOf = ({ traffic }: Samples): number => median(traffic.map(({ bytes }) => bytes));

function tableOf(cases: readonly Case[], { files }: Extent): Table {
  return {
    title: `Rename of a directory of ${files} files`,
    columns: ["server", "each file", "copied by", "requests", "MB through the worker", "ms"],
    rows: cases.flatMap(({ place, fileBytes, samples }) =>
      samples.map((side) => [
        place,
        `${figure(fileBytes / 1_000)} kB`,
        side.way,
        figure(median(side.traffic.map(({ requests }) => requests))),
        figure(bytesOf(side) / 1e6),
        spread(side.milliseconds),
      ]),
    ),
    notes: [
      "CopyObject: the store has `serverSideCopy: true`. Both ways send 2 requests a file for the copy.",
      "MB: all that went over the worker's sockets in both directions, with the heads of requests and answers.",
      "Everything is on one machine, so bytes cost next to nothing here: over a network they cost time too. On AWS both ways send one request of the price of a PUT; a HEAD costs what a GET costs.",
      "On SeaweedFS both have `conditionalDelete: false`: two requests more a file.",
    ],
  };
}

/** Large files on the fake: the machine has no part in its requests and bytes. */
function findingOf({ fileBytes, samples }: Case): Finding {
  const [through, onServer] = samples.map(bytesOf);
  return {
    sentence: `A directory of files of ${figure(fileBytes / 1_000)} kB is renamed with ${figure((through ?? 0) / (onServer ?? 1))} times fewer bytes through the worker where the store copies (\`serverSideCopy\`), with as many requests.`,
  };
}
