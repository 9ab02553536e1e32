import { median } from "../statistics.ts";
import { startServer, startWorker, type Server, type Worker } from "./processes.ts";
import type { Shape } from "./tenants.ts";
import type { Done, Task } from "./worker-process.ts";

/** One command on one tenant. */
export interface Sample {
  readonly command: string;
  readonly shape: Shape;
  /** Of the tenant; of a directory that is renamed, its own. */
  readonly files: number;
  readonly requests: number;
  readonly roundTrips: number;
  readonly milliseconds: readonly number[];
  readonly isError: boolean;
}

/** The same with its memory, in a process that had been busy before. */
export interface WalkSample extends Sample {
  /** The most that the process has ever taken, and what that was before. */
  readonly peakMegabytes: number;
  readonly warmMegabytes: number;
  readonly heldMegabytes: number;
}

export interface Scale {
  readonly sizes: readonly number[];
  readonly samples: number;
  /** So many views of 1,000 files make a process as large as one that has been working for a while. */
  readonly warmUps: number;
  /** Milliseconds before each answer. */
  readonly delay: number;
}

const warm = { bucket: "warm", limit: "off", input: { command: "view", path: "/memories" } } as const;
/** A view of everything reads about as many. */
const mostPages = 18;

export const controlName = "as many pages, of memories with 1,000 files";

const viewAll = { command: "view", path: "/memories" };

/** A command on tenants of rising size, in one and the same process. */
interface Course {
  readonly command: string;
  readonly shape: Shape;
  readonly sizes: readonly number[];
  readonly times?: (files: number) => number;
  /** Before each run. */
  readonly prepare?: (files: number) => Promise<unknown>;
  readonly task: (files: number, pass: "held" | "timed") => Task;
}

/** What reads all of a tenant: the view of it, and the application's walk. */
export async function measureWalks(shape: Shape, scale: Scale): Promise<readonly WalkSample[]> {
  const { sizes, samples } = scale;
  return withServer(["warm", ...sizes.map(bucketOf)], async (server) => {
    for (const files of sizes) await server.ask({ step: "fill", bucket: bucketOf(files), tenant: { shape, files } });
    const view = { command: "view `/memories`", shape, sizes, times: () => samples, task: readerOf(viewAll) };
    const list = { command: "`files.list()`", shape, sizes, task: readerOf("list") };
    return [...(await follow(server, scale, view)), ...(await follow(server, scale, list))];
  });
}

/** As much work in as large a process, without a large tenant: what this adds to the peak is not the tenant's. */
export async function measureControl(scale: Scale): Promise<readonly WalkSample[]> {
  const { sizes, samples } = scale;
  return withServer(["warm"], async (server) =>
    follow(server, scale, {
      command: controlName,
      shape: "100 directories",
      sizes,
      times: (files) => samples * Math.min(Math.ceil(files / 1_000), mostPages),
      task: () => warm,
    }),
  );
}

function readerOf(input: Task["input"]): Course["task"] {
  return (files) => ({ bucket: bucketOf(files), limit: "off", input });
}

function bucketOf(files: number): string {
  return `tenant-${files}`;
}

/** The delete of a directory that holds all of a tenant's files. */
export async function measureDeletes(shape: Shape, scale: Scale): Promise<readonly WalkSample[]> {
  return withServer(["warm", "work"], async (server) =>
    follow(server, scale, {
      command: "delete a directory of all files",
      shape,
      sizes: scale.sizes,
      prepare: (files) => server.ask({ step: "fill", bucket: "work", tenant: { shape, files, below: "all/" } }),
      task: () => ({ bucket: "work", limit: "off", input: { command: "delete", path: "/memories/all" } }),
    }),
  );
}

/** The renames of a hundredth and of a tenth of the largest tenant. What moved in the one pass moves back in the other. */
export async function measureRenames(scale: Scale): Promise<readonly WalkSample[]> {
  const shape = "three levels";
  const all = scale.sizes.at(-1) ?? 0;
  const places = new Map([
    [all / 100, "/memories/area-1/topic-0"],
    [all / 10, "/memories/area-0"],
  ]);
  return withServer(["warm", "work"], async (server) => {
    await server.ask({ step: "fill", bucket: "work", tenant: { shape, files: all } });
    return follow(server, scale, {
      command: "rename a directory",
      shape,
      sizes: [...places.keys()],
      task: (files, pass) => {
        const ends = [places.get(files), `/memories/moved-${files}`];
        const [old_path, new_path] = pass === "held" ? ends : ends.toReversed();
        return { bucket: "work", limit: "off", input: { command: "rename", old_path, new_path } };
      },
    });
  });
}

/** Two passes: what is held, in a process that collects garbage all the time, then time and memory in one that does not. */
async function follow(server: Server, scale: Scale, course: Course): Promise<readonly WalkSample[]> {
  const { command, shape, sizes, times = () => 1, prepare, task } = course;
  const held = await inCollectingWorker(server, async (worker) => {
    const found = new Map<number, Done>();
    for (const files of sizes) {
      await prepare?.(files);
      found.set(files, await worker.run(task(files, "held")));
    }
    return found;
  });
  return inBusyWorker(server, scale, async (worker, warmMegabytes) => {
    const found: WalkSample[] = [];
    for (const files of sizes) {
      await prepare?.(files);
      const taken = await timed(server, times(files), () => worker.run(task(files, "timed")));
      const heldMegabytes = held.get(files)?.heldMegabytes ?? NaN;
      found.push({ command, shape, files, ...taken, warmMegabytes, heldMegabytes });
    }
    return found;
  });
}

/** The life of one file in a tenant of a hundred directories, again and again. */
export async function measureFiles(files: number, scale: Scale): Promise<readonly Sample[]> {
  const shape = "100 directories";
  return withServer(["warm", "work"], async (server) => {
    await server.ask({ step: "fill", bucket: "work", tenant: { shape, files } });
    return inBusyWorker(server, { ...scale, warmUps: 3 }, async (worker) => {
      const samples = new Map<string, Sample>();
      for (let sample = -1; sample < scale.samples; sample += 1) {
        for (const { command, isMeasured = true, ...task } of lifeOf(`new-${sample + 1}.md`)) {
          const taken = await timed(server, 1, () => worker.run({ bucket: "work", ...task }));
          const before = samples.get(command)?.milliseconds ?? [];
          if (sample < 0 || !isMeasured) continue;
          samples.set(command, { command, shape, files, ...taken, milliseconds: [...before, ...taken.milliseconds] });
        }
      }
      return [...samples.values()];
    });
  });
}

type Step = Omit<Task, "bucket"> & { readonly command: string; readonly isMeasured?: boolean };

/** Each step has a memory that remembers nothing, but for the edit of a file that was viewed just before. */
function lifeOf(name: string): readonly Step[] {
  const path = `/memories/topic-00001/${name}`;
  const moved = `/memories/topic-00002/${name}`;
  const unlimited = { limit: "off", fresh: true } as const;
  const usual = { limit: "default", fresh: true } as const;
  const create = { command: "create", path, file_text: "one\ntwo\n" };
  return [
    { ...unlimited, command: "view a directory", input: { command: "view", path: "/memories/topic-00001" } },
    { ...usual, command: "create, limit of 1,000 files", input: create },
    { ...unlimited, command: "", isMeasured: false, input: { command: "delete", path } },
    { ...unlimited, command: "create, no limit", input: create },
    { ...unlimited, command: "view a file", input: { command: "view", path } },
    {
      ...unlimited,
      fresh: false,
      command: "str_replace of a file that was viewed",
      input: { command: "str_replace", path, old_str: "one", new_str: "1" },
    },
    {
      ...unlimited,
      command: "str_replace of any other",
      input: { command: "str_replace", path, old_str: "two", new_str: "2" },
    },
    {
      ...usual,
      command: "rename a file, limit of 1,000 files",
      input: { command: "rename", old_path: path, new_path: moved },
    },
    {
      ...unlimited,
      command: "rename a file, no limit",
      input: { command: "rename", old_path: moved, new_path: path },
    },
    { ...unlimited, command: "delete a file", input: { command: "delete", path } },
  ];
}

async function withServer<T>(buckets: readonly string[], work: (server: Server) => Promise<T>): Promise<T> {
  const server = await startServer(buckets);
  try {
    await server.ask({ step: "fill", bucket: "warm", tenant: { shape: "100 directories", files: 1_000 } });
    return await work(server);
  } finally {
    await server.close();
  }
}

/** A worker that has been at work before, with the most memory that it took for that. */
async function inBusyWorker<T>(
  server: Server,
  { warmUps, delay }: Scale,
  work: (worker: Worker, warmMegabytes: number) => Promise<T>,
): Promise<T> {
  const worker = await startWorker(server.endpoint);
  try {
    let warmMegabytes = 0;
    for (let view = 0; view < warmUps; view += 1) warmMegabytes = (await worker.run(warm)).peakMegabytes;
    await server.ask({ step: "delay", milliseconds: delay });
    return await work(worker, warmMegabytes);
  } finally {
    await worker.close();
    await server.ask({ step: "delay", milliseconds: 0 });
  }
}

/** A worker in which only what is held takes memory. */
async function inCollectingWorker<T>(server: Server, work: (worker: Worker) => Promise<T>): Promise<T> {
  const worker = await startWorker(server.endpoint, { collects: true });
  try {
    for (let view = 0; view < 3; view += 1) await worker.run(warm);
    return await work(worker);
  } finally {
    await worker.close();
  }
}

type Taken = Omit<WalkSample, "command" | "shape" | "files" | "warmMegabytes" | "heldMegabytes">;

async function timed(server: Server, times: number, run: () => Promise<Done>): Promise<Taken> {
  const milliseconds: number[] = [];
  for (let round = 1; ; round += 1) {
    await server.ask({ step: "traffic" });
    const done = await run();
    const traffic = await server.ask({ step: "traffic" });
    milliseconds.push(done.milliseconds);
    if (round < times) continue;
    return { ...traffic, milliseconds, isError: done.isError, peakMegabytes: done.peakMegabytes };
  }
}

/** The median, for a table. */
export function time({ milliseconds }: Sample): number {
  return median(milliseconds);
}
