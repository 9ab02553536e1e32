import { createS3Memory, type UserMemory } from "../../dist/index.js";
import { BareCalls, bucket, clientOf } from "./bare-calls.ts";
import { editedMetadata, proseOf, smallFiles } from "./files.ts";
import type { PutObject } from "./server-process.ts";
import type { Server } from "./server.ts";

/** One row of the table: the same requests sent by the library and by an application that has only the SDK. */
export interface Workload {
  readonly command: string;
  readonly files: string;
  /** Commands in one measured batch; an even number. */
  readonly batch: number;
  /** What the library's CPU may be at most, as a multiple of the bare calls'. */
  readonly goal?: number;
  /** Makes everything as it was before the last batch. Not measured. */
  readonly reset: () => Promise<void>;
  /** The n-th command of a batch. */
  readonly library: (n: number) => Promise<unknown>;
  readonly bare: (n: number) => Promise<unknown>;
}

/** Two users of equally long names, so that the keys and the listings of both sides are alike. */
const ours = "users/ours/memories/";
const theirs = "users/bare/memories/";
const [viewGoal, editGoal] = [1.1, 1.2];
const [before, after] = ["The project is called alpha.", "The project is called omega."];
const newLine = "A line that was not there before.\n";
const batch = 20;

interface Sides {
  readonly server: Server;
  /** Does not know any file's bytes: an edit reads first. */
  readonly unknowing: UserMemory;
  /** Writes at once where it knows the file's bytes. */
  readonly knowing: UserMemory;
  readonly bare: BareCalls;
}

export function workloadsOn(server: Server): readonly Workload[] {
  const client = clientOf(server);
  const sides: Sides = {
    server,
    unknowing: createS3Memory({ bucket, client, cache: { directEdits: false } }).forUser("ours"),
    knowing: createS3Memory({ bucket, client }).forUser("ours"),
    bare: new BareCalls(clientOf(server)),
  };
  return [
    ...[10, 100, 1_000].map((count) => viewDirectory(sides, count)),
    ...[1, 10, 100].map((kilobytes) => viewFile(sides, kilobytes)),
    ...[1, 10, 100].map((kilobytes) => replaceUnseen(sides, kilobytes)),
    ...[1, 10, 100].map((kilobytes) => replaceSeen(sides, kilobytes)),
    insertUnseen(sides, 10),
    insertSeen(sides, 10),
    createFile(sides, 10),
    deleteFile(sides, 10),
    renameFile(sides, 10),
  ];
}

async function execute(memory: UserMemory, input: object): Promise<void> {
  const result = await memory.execute(input);
  if (result.isError) throw new Error(`A command was refused: ${result.content}`);
}

/** The scopes of both sides hold these files and nothing else. */
async function layDown({ server }: Sides, files: (prefix: string) => readonly PutObject[]): Promise<void> {
  for (const prefix of [ours, theirs]) await server.fill(prefix, files(prefix));
}

function oneFile(kilobytes: number): (prefix: string) => readonly PutObject[] {
  const text = proseOf(kilobytes * 1_000, before);
  return (prefix) => [{ key: `${prefix}a.md`, text, metadata: editedMetadata("create") }];
}

function viewDirectory(sides: Sides, count: number): Workload {
  return {
    command: "view /memories",
    files: `${count} files`,
    batch: count < 1_000 ? batch : batch / 4,
    goal: viewGoal,
    reset: () => layDown(sides, (prefix) => smallFiles(prefix, count)),
    library: () => execute(sides.knowing, { command: "view", path: "/memories" }),
    bare: () => sides.bare.list(theirs),
  };
}

function viewFile(sides: Sides, kilobytes: number): Workload {
  return {
    command: "view a file",
    files: `${kilobytes} kB`,
    batch,
    goal: viewGoal,
    reset: () => layDown(sides, oneFile(kilobytes)),
    library: () => execute(sides.knowing, { command: "view", path: "/memories/a.md" }),
    bare: () => sides.bare.get(`${theirs}a.md`),
  };
}

/** One line becomes another and back again. */
function replacement(n: number): object {
  const [old_str, new_str] = n % 2 === 0 ? [before, after] : [after, before];
  return { command: "str_replace", path: "/memories/a.md", old_str, new_str };
}

function replaceUnseen(sides: Sides, kilobytes: number): Workload {
  const texts = [after, before].map((mark) => proseOf(kilobytes * 1_000, mark));
  return {
    command: "str_replace",
    ...edit(sides, kilobytes),
    library: (n) => execute(sides.unknowing, replacement(n)),
    bare: (n) => readAndWrite(sides, texts[n % 2] ?? ""),
  };
}

function replaceSeen(sides: Sides, kilobytes: number): Workload {
  const texts = [after, before].map((mark) => proseOf(kilobytes * 1_000, mark));
  const { reset, bare } = writeSeen(sides, kilobytes, (n) => texts[n % 2] ?? "");
  return {
    command: "str_replace after a view",
    ...edit(sides, kilobytes),
    reset,
    library: (n) => execute(sides.knowing, replacement(n)),
    bare,
  };
}

const insertion = { command: "insert", path: "/memories/a.md", insert_line: 5, insert_text: newLine };

/** The file after the n-th insertion, as long as the library's. */
function grown(kilobytes: number): (n: number) => string {
  const text = proseOf(kilobytes * 1_000, before);
  const texts = Array.from({ length: batch }, (_, n) => newLine.repeat(n + 1) + text);
  return (n) => texts[n] ?? "";
}

function insertUnseen(sides: Sides, kilobytes: number): Workload {
  const textAfter = grown(kilobytes);
  return {
    command: "insert",
    ...edit(sides, kilobytes),
    library: () => execute(sides.unknowing, insertion),
    bare: (n) => readAndWrite(sides, textAfter(n)),
  };
}

function insertSeen(sides: Sides, kilobytes: number): Workload {
  const { reset, bare } = writeSeen(sides, kilobytes, grown(kilobytes));
  return {
    command: "insert after a view",
    ...edit(sides, kilobytes),
    reset,
    library: () => execute(sides.knowing, insertion),
    bare,
  };
}

function edit(sides: Sides, kilobytes: number): Pick<Workload, "files" | "batch" | "goal" | "reset"> {
  return {
    files: `${kilobytes} kB`,
    batch,
    ...(kilobytes === 10 ? { goal: editGoal } : {}),
    reset: () => layDown(sides, oneFile(kilobytes)),
  };
}

async function readAndWrite({ bare }: Sides, text: string): Promise<void> {
  const { etag } = await bare.get(`${theirs}a.md`);
  await bare.put(`${theirs}a.md`, text, { IfMatch: etag, Metadata: editedMetadata("str_replace") });
}

/** Both sides know the file from a view: each write goes on from the ETag of the one before. */
function writeSeen(
  sides: Sides,
  kilobytes: number,
  textAfter: (n: number) => string,
): Pick<Workload, "reset" | "bare"> {
  let etag = "";
  return {
    reset: async () => {
      await layDown(sides, oneFile(kilobytes));
      await execute(sides.knowing, { command: "view", path: "/memories/a.md" });
      ({ etag } = await sides.bare.get(`${theirs}a.md`));
    },
    bare: async (n) => {
      const sent = { IfMatch: etag, Metadata: editedMetadata("str_replace") };
      etag = await sides.bare.put(`${theirs}a.md`, textAfter(n), sent);
    },
  };
}

function createFile(sides: Sides, kilobytes: number): Workload {
  const text = proseOf(kilobytes * 1_000, before);
  const Metadata = { "write-ids": "bench-write-id-0000000", command: "create" };
  return {
    command: "create beside 10 files",
    files: `${kilobytes} kB`,
    batch,
    reset: () => layDown(sides, (prefix) => smallFiles(prefix, 10)),
    library: (n) => execute(sides.knowing, { command: "create", path: `/memories/new-${n}.md`, file_text: text }),
    bare: async (n) => {
      await sides.bare.list(theirs);
      await sides.bare.put(`${theirs}new-${n}.md`, text, { IfNoneMatch: "*", Metadata: { ...Metadata } });
    },
  };
}

/** As many files as a batch has commands. */
function oneFileEach(kilobytes: number): (prefix: string) => readonly PutObject[] {
  const text = proseOf(kilobytes * 1_000, before);
  return (prefix) =>
    Array.from({ length: batch }, (_, n) => ({
      key: `${prefix}old-${n}.md`,
      text,
      metadata: editedMetadata("create"),
    }));
}

function deleteFile(sides: Sides, kilobytes: number): Workload {
  return {
    command: "delete a file",
    files: `${kilobytes} kB`,
    batch,
    reset: () => layDown(sides, oneFileEach(kilobytes)),
    library: (n) => execute(sides.knowing, { command: "delete", path: `/memories/old-${n}.md` }),
    bare: (n) => {
      const key = `${theirs}old-${n}.md`;
      return Promise.all([sides.bare.remove(key, "*"), sides.bare.list(`${key}/`)]);
    },
  };
}

function renameFile(sides: Sides, kilobytes: number): Workload {
  return {
    command: `rename a file among ${batch}`,
    files: `${kilobytes} kB`,
    batch,
    reset: () => layDown(sides, oneFileEach(kilobytes)),
    library: (n) => {
      const paths = { old_path: `/memories/old-${n}.md`, new_path: `/memories/new-${n}.md` };
      return execute(sides.knowing, { command: "rename", ...paths });
    },
    bare: async (n) => {
      const source = `${theirs}old-${n}.md`;
      const [{ text, etag }] = await Promise.all([sides.bare.get(source), sides.bare.list(theirs)]);
      const Metadata = { ...editedMetadata("rename"), "moved-from": "bench-moved-from-00000" };
      await sides.bare.put(`${theirs}new-${n}.md`, text, { IfNoneMatch: "*", Metadata });
      await sides.bare.remove(source, etag);
    },
  };
}
