import { faultAnswers, type FakeS3 } from "../../dist/testing/index.js";
import type { Side, Tool } from "./side.ts";

/** One worker of a side, with clients of its own. */
export type Worker = () => Side;

/** A question about a side, answered by trying. */
export interface Probe {
  readonly question: string;
  readonly ask: (worker: Worker, scene: Scene) => Promise<string>;
}

/** An empty user's files, and a fake S3 that fails on demand. */
interface Scene {
  readonly fake: FakeS3;
  readonly user: string;
  readonly put: (file: string, text: string) => void;
  /** `undefined` where there is none. */
  readonly text: (file: string) => string | undefined;
}

const path = "/memories/a.md";
const start = "first: x\nsecond: x\n";

const setFirst = (tool: Tool): Promise<unknown> =>
  tool.execute({ command: "str_replace", path, old_str: "first: x", new_str: "first: y" });
const setSecond = (tool: Tool): Promise<unknown> =>
  tool.execute({ command: "str_replace", path, old_str: "second: x", new_str: "second: y" });
const create = (tool: Tool, at: string): Promise<unknown> =>
  tool.execute({ command: "create", path: at, file_text: "mine" });

async function succeeds(attempt: Promise<unknown>): Promise<boolean> {
  return attempt.then(
    () => true,
    () => false,
  );
}

function keptEdits(text = ""): number {
  return ["first: y", "second: y"].filter((line) => text.includes(line)).length;
}

async function twoEditsAtOnce(worker: Worker, { user, put, text }: Scene): Promise<string> {
  put("a.md", start);
  const done = await Promise.all([setFirst, setSecond].map((edit) => succeeds(edit(worker().forUser(user)))));
  const reported = done.filter(Boolean).length;
  const kept = keptEdits(text("a.md"));
  if (kept < reported) return `**${kept} of ${reported} reported edits kept**`;
  return kept === 2 ? "both kept" : "one kept, the other refused";
}

/** The PUT lands, its answer never comes, and another worker's edit lands before anything is sent again. */
async function lostAnswer(worker: Worker, { fake, user, put, text }: Scene): Promise<string> {
  put("a.md", start);
  const other = worker().forUser(user);
  fake.faults.add(
    { operation: "PutObject", times: 1 },
    { commit: "now", answer: "drop", afterCommit: async () => void (await setSecond(other)) },
  );
  const reported = await succeeds(setFirst(worker().forUser(user)));
  if (keptEdits(text("a.md")) < 2) return "**the other worker's edit is wiped out**";
  return reported ? "recognised, both kept" : "both kept, but reported as failed";
}

async function lostAnswerOfCreate(worker: Worker, { fake, user }: Scene): Promise<string> {
  fake.faults.add({ operation: "PutObject", times: 1 }, { commit: "now", answer: "drop" });
  const reported = await succeeds(create(worker().forUser(user), path));
  const puts = fake.requests.of("PutObject").length;
  if (!reported) return "reported as failed, but it is there";
  return puts === 1 ? "recognised" : `written ${puts} times`;
}

async function eightCreates(worker: Worker, { user }: Scene): Promise<string> {
  const attempts = Array.from({ length: 8 }, () => succeeds(create(worker().forUser(user), path)));
  const winners = (await Promise.all(attempts)).filter(Boolean).length;
  return winners === 1 ? "one wins" : `**${winners} report success**`;
}

async function takenName(worker: Worker, { fake, user, put, text }: Scene): Promise<string> {
  put("a.md", "mine");
  const takes = { beforeCommit: () => put("b.md", "theirs") };
  for (const operation of ["CopyObject", "PutObject"] as const) fake.faults.add({ operation, times: 1 }, takes);
  await succeeds(worker().forUser(user).execute({ command: "rename", old_path: path, new_path: "/memories/b.md" }));
  return text("b.md") === "theirs" ? "refused" : "**overwritten**";
}

/** Its worker may delete nothing, so the first attempt ends after the copy. */
async function halfDoneRename(worker: Worker, { fake, user, put, text }: Scene): Promise<string> {
  put("a.md", "mine");
  const rename = { command: "rename", old_path: path, new_path: "/memories/b.md" } as const;
  const denied = fake.faults.add({ operation: "DeleteObject" }, { answer: faultAnswers.accessDenied });
  await succeeds(worker().forUser(user).execute(rename));
  denied.remove();
  await succeeds(worker().forUser(user).execute(rename));
  return text("a.md") === undefined && text("b.md") === "mine" ? "finished" : "**both names stay**";
}

/** It comes once a copy is under way: every side has listed the directory by then. */
async function addedMeanwhile(worker: Worker, { fake, user, put, text }: Scene): Promise<string> {
  for (const name of ["1", "2"]) put(`dir/${name}.md`, "mine");
  const adds = { beforeCommit: () => put("dir/late.md", "theirs") };
  fake.faults.add({ key: (key) => key.endsWith("/new/1.md"), times: 1 }, adds);
  await succeeds(
    worker().forUser(user).execute({ command: "rename", old_path: "/memories/dir", new_path: "/memories/new" }),
  );
  return text("new/late.md") === "theirs" ? "moved too" : "left behind";
}

async function fileAndDirectory(worker: Worker, { user, put, text }: Scene): Promise<string> {
  put("note", "a file");
  put("note/a.md", "another file");
  await succeeds(worker().forUser(user).execute({ command: "delete", path: "/memories/note" }));
  const isGone = text("note") === undefined;
  if (text("note/a.md") === undefined)
    return isGone ? "**deletes `note/a.md` too**" : "**deletes `note/a.md`, not `note`**";
  return isGone ? "the file alone" : "nothing";
}

async function belowAFile(worker: Worker, { user, put }: Scene): Promise<string> {
  put("note", "a file");
  return (await succeeds(create(worker().forUser(user), "/memories/note/a.md"))) ? "both exist" : "refused";
}

async function escape(worker: Worker, { fake, user }: Scene): Promise<string> {
  const side = worker();
  fake.requests.clear();
  await succeeds(create(side.forUser(user), "/memories/../../other/memories/a.md"));
  const sent = [...fake.requests].some(({ key }) => key.includes(".."));
  return sent ? "sent as a key" : "refused, nothing sent";
}

async function twoSpellings(worker: Worker, { user, put }: Scene): Promise<string> {
  put("a.md", "mine");
  return (await succeeds(create(worker().forUser(user), "/memories//a.md"))) ? "two files" : "one file";
}

async function largeDirectory(worker: Worker, { fake, user, put }: Scene): Promise<string> {
  for (let index = 0; index < 1_100; index++) put(`dir/${index}.md`, "");
  const reported = await succeeds(worker().forUser(user).execute({ command: "delete", path: "/memories/dir" }));
  const left = [...fake.objects().keys()].filter((key) => key.startsWith(`users/${user}/`)).length;
  return left === 0 ? "all gone" : `**${left} left**${reported ? ", success reported" : ""}`;
}

export const probes: readonly Probe[] = [
  { question: "two workers edit one file at once", ask: twoEditsAtOnce },
  { question: "8 workers create one file at once", ask: eightCreates },
  { question: "an edit's answer gets lost, another worker edits", ask: lostAnswer },
  { question: "a create's answer gets lost", ask: lostAnswerOfCreate },
  { question: "rename onto a name that is taken meanwhile", ask: takenName },
  { question: "a rename that died half-way is repeated", ask: halfDoneRename },
  { question: "a file is added to a directory while it is renamed", ask: addedMeanwhile },
  { question: "delete `note` where `note/a.md` exists too", ask: fileAndDirectory },
  { question: "create `note/a.md` where `note` is a file", ask: belowAFile },
  { question: "`/memories/../../other/…`", ask: escape },
  { question: "`/memories//a.md` and `/memories/a.md`", ask: twoSpellings },
  { question: "delete a directory of 1,100 files", ask: largeDirectory },
];

/** By question and side. */
export type Answers = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Asks one side one question, on files that nobody else touches. */
export async function answerTo(probe: Probe, worker: Worker, fake: FakeS3, user: string): Promise<string> {
  const keyOf = (file: string): string => `users/${user}/memories/${file}`;
  fake.faults.clear();
  // So that what is sent at once is under way at once, on every machine.
  fake.faults.add({}, { beforeCommit: 20 });
  fake.requests.clear();
  return probe.ask(worker, {
    fake,
    user,
    put: (file, text) => fake.put(keyOf(file), text),
    text: (file) => fake.objects().get(keyOf(file))?.text,
  });
}
