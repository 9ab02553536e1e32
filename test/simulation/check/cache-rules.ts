import type { Violation } from "../log.ts";
import { violation, type Answer, type Course, type History, type Sent, type Write } from "./history.ts";
import { knowledgeOf, type Knowledge } from "./knowledge.ts";
import { keyOf, pathOf } from "./places.ts";
import { isFooled, isLook, isUnread, rememberedOf } from "./process-memory.ts";

/**
 * Requests, "What a process remembers": an edit may go out unread, on what its process heard last, once, and then it does.
 * Nothing else ever comes of that: no answer is given of a file that nobody has asked for.
 */
export function* cacheRules(history: History): Generator<Violation> {
  const knowledge = knowledgeOf(history);
  for (const course of history.courses) {
    const { command } = course.operation.input;
    if (course.answer !== undefined) yield* judgeAnswer(history, course, course.answer);
    if (command !== "create" && command !== "str_replace" && command !== "insert") continue;
    yield* judgeUnread(history, course);
    yield* judgeRead(history, course, knowledge.get(course.operation.id));
  }
}

/** What the store decided of the edits that went out unread. */
export function unreadEdits(history: History): readonly string[] {
  const sent = history.courses.flatMap(({ requests }) => requests.filter((request) => isUnread(history, request)));
  return sent.map(({ writes: [write] }) => {
    if (write === undefined) return "never arrived";
    // The limit that is documented: the bytes are right, and the history that goes on is the one that was remembered.
    return write.decision === "committed" && isFooled(history, write) ? "committed, A → B → A" : write.decision;
  });
}

function* judgeUnread(history: History, course: Course): Generator<Violation> {
  const { operation, requests } = course;
  for (const sent of requests) {
    if (!isUnread(history, sent)) continue;
    const [key = ""] = sent.keys;
    const detail = `${operation.input.command} wrote ${key} before it had read it`;
    if (!history.log.settings.directEdits) yield violation("edited unread", operation.id, detail);
    const isFirst = requests.find(({ method }) => method === "PUT") === sent;
    if (!isFirst) yield violation("edited unread again", operation.id, `${detail}, and not for the first time`);
    const [write] = sent.writes;
    const { mayBe } = rememberedOf(history, course, key);
    if (write === undefined || mayBe.some(({ version }) => version === write.condition)) continue;
    const known = mayBe.map(({ version }) => version).join() || "nothing";
    yield violation("edited what it had to forget", operation.id, `${detail}, as ${write.condition}; it knew ${known}`);
  }
}

/** Where its process knows the file that it has written on, an edit does not read it first. */
function* judgeRead(history: History, course: Course, known: Knowledge | undefined): Generator<Violation> {
  const { answer, operation, requests, writeId, commits } = course;
  const { settings } = history.log;
  const [commit] = commits;
  if (!settings.directEdits || answer?.code !== undefined || commit === undefined || known === undefined) return;
  if (settings.totalBytes !== Infinity && grows(commit)) return;
  if (operation.input.command === "create" && !isShown(known, commit)) return;
  const { is } = rememberedOf(history, course, commit.key);
  if (is === undefined || is.serial !== commit.before?.serial || is.writeIds.includes(writeId ?? "")) return;
  const isAtOnce = settings.isCalm ? requests.length === 1 : requests[0]?.method === "PUT";
  if (isAtOnce) return;
  const sent = requests.map(({ method }) => method).join();
  yield violation("read what it knew", operation.id, `${operation.input.command} of ${commit.key} sent ${sent}`);
}

function grows({ before, after }: Write): boolean {
  return Buffer.byteLength(after?.text ?? "") > Buffer.byteLength(before?.text ?? "");
}

const isShown = ({ versions, mayBeAny }: Knowledge, { before }: Write): boolean =>
  !mayBeAny && versions.length > 0 && versions.every((version) => version === before?.version);

const alwaysPossible = new Set<string | undefined>(["storage", "aborted", "outcome_unknown"]);

/** Who tells of a file, or of none, has asked the store in this very operation. */
function* judgeAnswer(history: History, course: Course, { code, content }: Answer): Generator<Violation> {
  const { operation, requests } = course;
  const { input, id } = operation;
  if (input.command === "delete" || input.command === "rename" || alwaysPossible.has(code)) return;
  const key = keyOf(history.log.memories, pathOf(input));
  if (requests.some((sent) => hasTold(sent, key, course))) return;
  yield violation(
    "answered unread",
    id,
    `${input.command} answered ${code ?? "success"} and had not asked: ${content}`,
  );
}

function hasTold(sent: Sent, key: string, { operation, answer }: Course): boolean {
  const { method, keys, response, writes } = sent;
  if (response !== "answered") return false;
  const { command } = operation.input;
  const isOfFile =
    command === "str_replace" || command === "insert" || answer?.content.startsWith("Here's the content");
  const [asked = ""] = keys;
  if (method === "LIST") return isOfFile !== true && (key.startsWith(asked) || asked.startsWith(key));
  if (method !== "PUT") return isLook(sent, key);
  // Its own write is known by its answer; a lost race tells a create that something is there.
  const [write] = writes;
  return answer?.isError === false ? write?.decision === "committed" : write?.condition === "absent";
}
