import type { State, Violation } from "../log.ts";
import {
  hasPartialListing,
  hasUnansweredWrite,
  isWrite,
  statesDuring,
  violation,
  wasAbsent,
  wasDirectory,
  wasEmpty,
  type Answer,
  type Course,
  type History,
} from "./history.ts";
import { isAtOrBelow, keyOf, pathOf } from "./places.ts";
import { countOf, fileView, insertAfter, linesOf, replaceOnce, rowsOf } from "./texts.ts";

/**
 * Issue of the simulation, "each single-file answer was right at some instant between call and answer": view of a
 * file, create, str_replace, insert, and the refusals that all commands share. What a directory's view, a delete and
 * a rename say is judged elsewhere.
 */
export function* singleAnswers(history: History): Generator<Violation> {
  for (const course of history.courses) {
    if (course.answer === undefined) continue;
    const complaint = judge(history, course, course.answer);
    if (complaint !== undefined) {
      const { input, id } = course.operation;
      const what = course.answer.code ?? "success";
      yield violation(`${input.command} answered ${what} untruly`, id, `${complaint}: ${course.answer.content}`);
    }
  }
}

/** What is not true of the answer; `undefined` where it was right. */
function judge(history: History, course: Course, answer: Answer): string | undefined {
  const { input } = course.operation;
  if (answer.isError !== (answer.code !== undefined)) return "a code goes with an error, and with nothing else";
  switch (answer.code) {
    case "outcome_unknown":
      return hasUnansweredWrite(course) ? undefined : "every write of it was answered";
    case "storage":
      return course.requests.some(({ response }) => response !== "answered") || failedInPart(course)
        ? undefined
        : "every request of it was answered";
    case "aborted":
      return history.log.settings.isCalm ? "nobody stopped it" : undefined;
    case "not_a_directory":
      return input.command === "create" || input.command === "rename"
        ? judgeFileAbove(history, course, answer)
        : "no such refusal";
    case "limit_reached":
      return judgeLimit(history, course, answer);
    case undefined:
    default:
      return judgeByCommand(history, course, answer);
  }
}

const failedInPart = ({ requests }: Course): boolean => requests.some(({ failedKeys }) => failedKeys.length > 0);

function judgeByCommand(history: History, course: Course, answer: Answer): string | undefined {
  const { command } = course.operation.input;
  switch (command) {
    case "view":
      return judgeView(history, course, answer);
    case "create":
      return judgeCreate(history, course, answer);
    case "str_replace":
    case "insert":
      return judgeEdit(history, course, answer);
    case "delete":
    case "rename":
      return undefined; // judged on their own
    default:
      return command satisfies never;
  }
}

function judgeFileAbove(history: History, course: Course, { content }: Answer): string | undefined {
  const { input } = course.operation;
  const { memories } = history.log;
  const target = keyOf(memories, input.command === "rename" ? input.new_path : pathOf(input));
  const above = keyOf(memories, /^Error: (\S+) is a file, not a directory$/.exec(content)?.[1] ?? "");
  if (above === target || !isAtOrBelow(target, above)) return "what it names is not above its path";
  return statesDuring(history, above, course).length > 0 ? undefined : `no file stood at ${above}`;
}

/** Contract, "Limits": refused only where a listing between call and answer was full, and with what it held. */
function judgeLimit(history: History, course: Course, { content }: Answer): string | undefined {
  const { settings } = history.log;
  const counts = history.counts.filter(({ from, to }) => from <= course.endsAt && to > course.calledAt);
  const isLoose = hasPartialListing(course); // its pages show several instants
  const files = /holds (?:at least )?(\d+) files, the limit is (\d+)/.exec(content);
  if (files !== null) {
    if (course.operation.input.command !== "create") return "only a create adds a file";
    const held = Number(files[1]);
    if (Number(files[2]) !== settings.files || held < settings.files) return "the limit was not reached";
    const isAtLeast = content.includes("at least");
    const isTrue = counts.some((count) => (isAtLeast ? count.files >= held : count.files === held));
    return isTrue || isLoose ? undefined : `never were there ${held} files`;
  }
  const bytes = /holds (\d+)B, this would/.exec(content);
  if (bytes === null) return "it says of no limit";
  const held = Number(bytes[1]);
  if (held + growthOf(history, course) <= settings.totalBytes) return "the limit was not reached";
  return isLoose || counts.some((count) => count.bytes === held) ? undefined : `never were there ${held} bytes`;
}

/** By how many bytes the scope would have grown at the most. */
function growthOf(history: History, course: Course): number {
  const { input } = course.operation;
  const states = statesDuring(history, keyOf(history.log.memories, pathOf(input)), course);
  if (input.command === "create") return Buffer.byteLength(input.file_text);
  const texts = states.map(({ text }) => [text, edited(course, text)] as const);
  return Math.max(0, ...texts.map(([before, after]) => Buffer.byteLength(after ?? "") - Buffer.byteLength(before)));
}

/** The text after this edit; an insert may go anywhere. */
function edited({ operation: { input } }: Course, text: string): string | undefined {
  if (input.command === "str_replace") return replaceOnce(text, input.old_str, input.new_str);
  return input.command === "insert" ? insertAfter(text, linesOf(text).length, input.insert_text) : undefined;
}

function judgeView(history: History, course: Course, { code, content }: Answer): string | undefined {
  const { input } = course.operation;
  if (input.command !== "view") return undefined;
  const key = keyOf(history.log.memories, input.path);
  const states = statesDuring(history, key, course);
  if (code === "not_found") return judgeMissing(history, course, key);
  if (code === "invalid_input") {
    const [first] = input.view_range ?? [1];
    return states.some(({ text }) => linesOf(text).length < first) ? undefined : "the lines were there";
  }
  if (code !== undefined) return "no such refusal";
  if (content.startsWith("Here're the files")) return undefined; // a directory's, judged on its own
  const isShown = states.some(({ text }) => fileView(input.path, text, input.view_range) === content);
  return isShown ? undefined : "the file never had this text";
}

/** "Does not exist": no file, and nothing below, each at some instant, since each is asked by a request of its own. */
function judgeMissing(history: History, course: Course, key: string): string | undefined {
  if (!wasAbsent(history, key, course.calledAt, course.endsAt)) return "the file was there all the time";
  return wasEmpty(history, `${key}/`, course) ? undefined : "the directory was never empty";
}

function judgeCreate(history: History, course: Course, answer: Answer): string | undefined {
  const { input } = course.operation;
  if (input.command !== "create") return undefined;
  const key = keyOf(history.log.memories, input.path);
  switch (answer.code) {
    case undefined:
      return judgeWritten(history, course, answer);
    case "already_exists": {
      if (history.log.settings.onExisting === "overwrite") return "an existing file is to be overwritten";
      const isTaken = strangersAt(history, key, course).length > 0;
      return isTaken ? undefined : "nothing stood there but what it had written itself";
    }
    case "is_a_directory":
      return wasDirectory(history, `${key}/`, course) ? undefined : "nothing was below it";
    case "conflict":
      return judgeConflict(course, key, answer);
    default:
      return "no such refusal";
  }
}

/** The states between call and answer that do not carry this very write, of this or an earlier delivery. */
function strangersAt(history: History, key: string, course: Course): readonly State[] {
  const own = course.writeId;
  return statesDuring(history, key, course).filter(({ writeIds }) => own === undefined || !writeIds.includes(own));
}

function judgeEdit(history: History, course: Course, answer: Answer): string | undefined {
  const { input } = course.operation;
  if (input.command !== "str_replace" && input.command !== "insert") return undefined;
  const key = keyOf(history.log.memories, input.path);
  switch (answer.code) {
    case undefined:
      return judgeWritten(history, course, answer);
    case "not_found":
      return wasAbsent(history, key, course.calledAt, course.endsAt) ? undefined : "the file was there all the time";
    case "conflict":
      return judgeConflict(course, key, answer);
    case "no_match":
    case "ambiguous_match": {
      if (input.command !== "str_replace") return "no such refusal";
      const counts = strangersAt(history, key, course).map(({ text }) => countOf(text, input.old_str));
      const isTrue = counts.some((count) => (answer.code === "no_match" ? count === 0 : count > 1));
      return isTrue ? undefined : "it was there exactly once, or its own write had replaced it";
    }
    case "invalid_input":
      return undefined; // an insert's line, judged with its basis
    default:
      return "no such refusal";
  }
}

/** Success: this very write has landed by now, by this delivery or by another one, and the snippet is of such a file. */
function judgeWritten(history: History, course: Course, { at, content }: Answer): string | undefined {
  const { writeId } = course;
  const landed = history.commits.filter((commit) => commit.at <= at && commit.after?.writeIds[0] === writeId);
  if (writeId === undefined || landed.length === 0) return "its write has not landed";
  const rows = content.split("\n").filter((row) => /^ {0,5}\d+\t/.test(row));
  if (rows.length === 0) return undefined;
  const key = keyOf(history.log.memories, pathOf(course.operation.input));
  const texts = [...landed.flatMap(({ after }) => after ?? []), ...statesDuring(history, key, course)];
  const isOfIt = texts.some(({ text }) => {
    const all = new Set(rowsOf(text));
    return rows.every((row) => all.has(row));
  });
  return isOfIt ? undefined : "the snippet is of no text that stood there";
}

/**
 * "Was changed": some write of it lost its race or was undecided. What "since you viewed it" may mean depends on what
 * the conversation knew, and is judged with that.
 */
function judgeConflict(course: Course, key: string, { content }: Answer): string | undefined {
  const hasLost = course.requests.some(
    (sent) => isWrite(sent) && sent.writes.some((write) => write.key === key && write.decision !== "committed"),
  );
  return hasLost || content.includes("since you viewed it") ? undefined : "nobody else had changed it";
}
