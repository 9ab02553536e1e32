import type { Finding, Part, Table } from "../part.ts";
import { figure } from "../statistics.ts";
import {
  controlName,
  measureControl,
  measureDeletes,
  measureFiles,
  measureRenames,
  measureWalks,
  time,
  type Sample,
  type Scale,
  type WalkSample,
} from "./measure.ts";

const full: Scale = { sizes: [10, 1_000, 10_000, 100_000], samples: 3, warmUps: 100, delay: 20 };
const quickly: Scale = { sizes: [10, 1_000], samples: 1, warmUps: 2, delay: 0 };

const shapes = ["flat", "100 directories", "three levels"] as const;
const deletedShapes = ["flat", "three levels"] as const;
const quickShapes = ["three levels"] as const;

/** From ten files to a hundred thousand: what grows with them, and what does not. */
export const scale: Part = async ({ quick, log }) => {
  const extent = quick ? quickly : full;
  const walks: WalkSample[] = [];
  for (const shape of quick ? quickShapes : shapes) {
    log(`view and list: ${shape}`);
    walks.push(...(await measureWalks(shape, extent)));
  }
  log("view of as many pages");
  walks.push(...(await measureControl(extent)));
  const deletes: WalkSample[] = [];
  for (const shape of quick ? quickShapes : deletedShapes) {
    log(`delete: ${shape}`);
    deletes.push(...(await measureDeletes(shape, extent)));
  }
  log("rename of directories");
  const renames = await measureRenames(extent);
  const files: Sample[] = [];
  for (const size of extent.sizes) {
    log(`single files among ${figure(size)}`);
    files.push(...(await measureFiles(size, extent)));
  }
  const whole = [...walks, ...deletes];
  return {
    findings: findings(whole, files, extent),
    tables: [
      costTable(
        "All files of a tenant",
        whole.filter(({ command }) => command !== controlName),
        extent,
        withShape,
      ),
      costTable("One file or directory of a tenant", files, extent, ({ command }) => command),
      renameTable(renames, extent),
      memoryTable(whole, extent),
    ],
    data: { walks: whole, renames, files },
  };
};

function findings(whole: readonly WalkSample[], files: readonly Sample[], { sizes }: Scale): readonly Finding[] {
  const most = sizes.at(-1) ?? 0;
  const views = whole.filter(({ command }) => command.startsWith("view"));
  const largest = views.filter((sample) => sample.files === most);
  const requests = Math.max(...largest.map((sample) => sample.requests));
  const growthOf = (samples: readonly WalkSample[]): number =>
    Math.max(
      ...samples
        .filter((sample) => sample.files === most)
        .map((sample) => sample.peakMegabytes - peakAt(samples, sample, 1_000)),
    );
  const growth = growthOf(views);
  const control = growthOf(whole.filter(({ command }) => command === controlName));
  const held = Math.max(...whole.filter((sample) => sample.files === most).map((sample) => sample.heldMegabytes));
  const unlimited = files.filter(({ command }) => !command.includes("limit of"));
  const grown = unlimited.filter((sample) => sample.requests !== requestsAt(files, sample, 10));
  return [
    {
      sentence: `\`view /memories\` of ${figure(most)} files takes ${requests} requests at most.`,
      goal: { wanted: "at most 20", met: requests <= 20 },
    },
    {
      sentence: `In a worker that has been busy before, that view raises the peak of resident memory by ${figure(Math.round(Math.max(0, growth)))} MB over the view of 1,000 files; as many pages of memories with 1,000 files raise it by ${figure(Math.round(Math.max(0, control)))} MB.`,
      goal: { wanted: "flat: no more than 10 MB above those pages", met: growth <= control + 10 },
    },
    {
      sentence: `No command that reads or deletes ${figure(most)} files holds more than ${figure(held)} MB at once.`,
      goal: { wanted: "at most 20 MB", met: held <= 20 },
    },
    {
      sentence: `Without a limit of files, view, create, edit, rename and delete of one file take as many requests among ${figure(most)} files as among 10.`,
      goal: { wanted: "none grows", met: grown.length === 0 },
    },
  ];
}

function peakAt(samples: readonly WalkSample[], like: WalkSample, files: number): number {
  return samples.find((sample) => sample.files === files && sample.shape === like.shape)?.peakMegabytes ?? NaN;
}

function requestsAt(samples: readonly Sample[], like: Sample, files: number): number | undefined {
  return samples.find((sample) => sample.files === files && sample.command === like.command)?.requests;
}

function withShape({ command, shape }: Sample): string {
  return `${command}, ${shape}`;
}

/** A line for each command, a column for each size. */
function grid<S extends Sample>(
  samples: readonly S[],
  { sizes }: Scale,
  nameOf: (sample: S) => string,
  cellOf: (sample: S) => string,
): Pick<Table, "columns" | "rows"> {
  const rows = Map.groupBy(samples, nameOf);
  const cell = (line: readonly S[], files: number): string => {
    const sample = line.find((candidate) => candidate.files === files);
    return sample === undefined ? "–" : cellOf(sample);
  };
  return {
    columns: ["command", ...sizes.map((files) => `${figure(files)} files`)],
    rows: [...rows].map(([name, line]) => [name].concat(sizes.map((files) => cell(line, files)))),
  };
}

function cost(sample: Sample): string {
  const { requests, roundTrips, isError } = sample;
  return `${figure(requests)} / ${figure(roundTrips)} / ${figure(time(sample))}${isError ? ", refused" : ""}`;
}

function withWarmth(sample: WalkSample): string {
  return `${withShape(sample)} (${figure(sample.warmMegabytes)} MB before)`;
}

function memory({ peakMegabytes, heldMegabytes }: WalkSample): string {
  return `${figure(peakMegabytes)} / ${figure(heldMegabytes)}`;
}

function costTable(
  title: string,
  samples: readonly Sample[],
  extent: Scale,
  nameOf: (sample: Sample) => string,
): Table {
  return {
    title,
    ...grid(samples, extent, nameOf, cost),
    notes: [
      `Requests / round trips / milliseconds, with ${extent.delay} ms before each answer of the fake S3, which is a process of its own.`,
      ...(title.startsWith("One")
        ? [
            "In 100 directories. Each command starts with nothing known of the file, but for the edit after a view.",
            "With `limits.files` at its default of 1,000 a create in a larger scope is refused; no limit is `limits: { files: Infinity }`.",
          ]
        : [
            "100 directories are one level, three levels are ten directories each. A view of a flat tenant is full after one page.",
          ]),
    ],
  };
}

function renameTable(samples: readonly WalkSample[], { sizes, delay }: Scale): Table {
  return {
    title: `Rename of a directory, among ${figure(sizes.at(-1) ?? 0)} files`,
    columns: ["files in it", "requests", "round trips", "seconds", "milliseconds a file", "held, MB"],
    rows: samples.map((sample) => [
      figure(sample.files),
      figure(sample.requests),
      figure(sample.roundTrips),
      figure(time(sample) / 1_000),
      figure(time(sample) / sample.files),
      figure(sample.heldMegabytes),
    ]),
    notes: [
      `GET and PUT of each file, 16 files at a time, ${delay} ms before each answer. All copies stand before the first source is deleted, so what is known of each is held until then.`,
    ],
  };
}

function memoryTable(samples: readonly WalkSample[], extent: Scale): Table {
  return {
    title: "Memory",
    ...grid(samples, extent, withWarmth, memory),
    notes: [
      "Peak resident memory of the process so far / the most that was alive at once, in MB.",
      `Each line is one process, from left to right. Before, it viewed a memory of 1,000 files ${extent.warmUps} times: what the runtime takes for garbage that it has not collected yet grows with the work that a process has done, not with the size of a tenant.`,
      "Alive is what is left after a collection at each answer, in a process of its own; the page just read is part of it.",
    ],
  };
}
