import type { MemoryResult, UserMemory } from "../../src/index.ts";
import {
  claim,
  fileOf,
  movingFiles,
  otherName,
  ownFolder,
  scratchFiles,
  scratchFolder,
  sharedFiles,
} from "./places.ts";
import type { CommandInput } from "../support/command-input.ts";
import type { Random } from "./random.ts";

/** The input of a command that writes. */
export type Input = Exclude<CommandInput, { readonly command: "view" }>;

/** One operation of a worker, as it stands in its journal before it is sent. */
export interface Operation {
  /** Of the tool_use block. */
  readonly id: string;
  readonly input: Input;
  /** The line that is new with it; no other operation writes the same. */
  readonly adds?: string;
  /** The worker's own line that it replaces. */
  readonly removes?: string;
}

/** What one operation is chosen with. */
export interface Choice {
  readonly worker: number;
  /** 1 for the first operation of this worker. */
  readonly number: number;
  readonly conditionalDelete: boolean;
  readonly memory: UserMemory;
  readonly random: Random;
}

type Chooser = (choice: Choice, id: string, line: string) => Promise<Operation>;

/** How often of a hundred. Deletes and renames of files that others write to need a store that decides them. */
const everywhere: readonly (readonly [number, Chooser])[] = [
  [25, append],
  [20, insertInside],
  [25, replaceOwnLine],
  [8, claimFile],
  [6, createOwn],
  [6, renameOwn],
];
const withConditionalDelete: typeof everywhere = [
  ...everywhere,
  [8, scribble],
  [4, renameMoving],
  [3, deleteOwn],
  [2, deleteScratch],
];

/** Looks at the memory, as Claude would, and chooses what to do next. */
export function chooseOperation(choice: Choice): Promise<Operation> {
  const { worker, number, random } = choice;
  const choosers = choice.conditionalDelete ? withConditionalDelete : everywhere;
  const name = `w${worker}-${number}`;
  const lots = choosers.flatMap(([weight, chooser]) => Array.from({ length: weight }, () => chooser));
  return random.pick(lots)(choice, name, `<${name}>`);
}

async function append(choice: Choice, id: string, line: string): Promise<Operation> {
  const { path, lines } = await viewForEdit(choice);
  return insertion(id, path, lines.length, line);
}

async function insertInside(choice: Choice, id: string, line: string): Promise<Operation> {
  const { path, lines } = await viewForEdit(choice);
  // Below the heading: it shows that a file was not put together from nothing.
  return insertion(id, path, 1 + choice.random.below(Math.max(1, lines.length)), line, lines.length);
}

async function replaceOwnLine(choice: Choice, id: string, line: string): Promise<Operation> {
  const { path, lines } = await viewForEdit(choice);
  const own = lines.filter((text) => text.startsWith(`<w${choice.worker}-`));
  if (own.length === 0) return insertion(id, path, lines.length, line);
  const removes = choice.random.pick(own);
  return { id, input: { command: "str_replace", path, old_str: removes, new_str: line }, adds: line, removes };
}

/** All workers come to the same numbers at about the same time. */
async function claimFile({ number }: Choice, id: string, line: string): Promise<Operation> {
  return creation(id, claim(Math.ceil(number / 3)), line);
}

async function createOwn({ worker, number }: Choice, id: string, line: string): Promise<Operation> {
  return creation(id, `${ownFolder(worker)}/${number}.md`, line);
}

async function renameOwn(choice: Choice, id: string, line: string): Promise<Operation> {
  // Never back to an old name: a plain delete that a killed worker had sent might come late, and hit it.
  const files = (await ownFiles(choice)).filter((path) => fileOf(path) === path);
  if (files.length === 0) return createOwn(choice, id, line);
  const path = choice.random.pick(files);
  return { id, input: { command: "rename", old_path: path, new_path: otherName(path) } };
}

async function deleteOwn(choice: Choice, id: string, line: string): Promise<Operation> {
  const files = await ownFiles(choice);
  if (files.length === 0) return createOwn(choice, id, line);
  return { id, input: { command: "delete", path: choice.random.pick(files) } };
}

async function renameMoving(choice: Choice, id: string): Promise<Operation> {
  const { path } = await viewMoving(choice);
  return { id, input: { command: "rename", old_path: path, new_path: otherName(path) } };
}

async function scribble(choice: Choice, id: string, line: string): Promise<Operation> {
  const path = choice.random.pick(scratchFiles);
  const lines = await linesOf(choice.memory, path);
  return lines ? insertion(id, path, choice.random.below(lines.length + 1), line) : creation(id, path, line);
}

async function deleteScratch({ random }: Choice, id: string): Promise<Operation> {
  return { id, input: { command: "delete", path: random.pick([scratchFolder, ...scratchFiles]) } };
}

function creation(id: string, path: string, line: string): Operation {
  return { id, input: { command: "create", path, file_text: `${line}\n` }, adds: line };
}

function insertion(id: string, path: string, after: number, line: string, last = after): Operation {
  const insert_line = Math.min(after, last);
  return { id, input: { command: "insert", path, insert_line, insert_text: line }, adds: line };
}

interface Viewed {
  readonly path: string;
  readonly lines: readonly string[];
}

/** One of the three to five files that all workers edit. */
async function viewForEdit(choice: Choice): Promise<Viewed> {
  const { memory, random, conditionalDelete } = choice;
  if (conditionalDelete && random.chance(0.25)) return viewMoving(choice);
  const path = random.pick(sharedFiles);
  return { path, lines: (await linesOf(memory, path)) ?? [] };
}

async function viewMoving({ memory, random }: Choice): Promise<Viewed> {
  const file = random.pick(movingFiles);
  const path = random.chance(0.5) ? file : otherName(file);
  const lines = await linesOf(memory, path);
  if (lines) return { path, lines };
  const other = otherName(path);
  return { path: other, lines: (await linesOf(memory, other)) ?? [] };
}

/** The lines of a file as a view shows them; `undefined` where there is none. Throws for any other refusal. */
async function linesOf(memory: UserMemory, path: string): Promise<readonly string[] | undefined> {
  const text = await view(memory, path);
  return text
    ?.split("\n")
    .slice(1)
    .map((row) => row.replace(/^ *\d+\t/u, ""));
}

async function ownFiles({ memory, worker }: Choice): Promise<readonly string[]> {
  const rows = (await view(memory, ownFolder(worker)))?.split("\n") ?? [];
  return rows.map((row) => row.split("\t")[1] ?? "").filter((path) => path.endsWith(".md"));
}

async function view(memory: UserMemory, path: string): Promise<string | undefined> {
  const result = await memory.execute({ command: "view", path });
  if (!result.isError) return textOf(result);
  if (result.code === "not_found") return undefined;
  throw new Error(`view of ${path} was refused with ${result.code}: ${result.content}`, { cause: result.error });
}

/** What Claude reads; the files of a run hold nothing but text. */
export function textOf({ content }: MemoryResult): string {
  return typeof content === "string" ? content : JSON.stringify(content);
}
