import type { State } from "../log.ts";
import { isUnanswered, statesDuring, statesSeen, type Course, type History, type Write } from "./history.ts";
import { endsOf, isAtOrBelow, keyOf, pathOf } from "./places.ts";
import { isUnread } from "./process-memory.ts";
import { fileView, insertAfter, replaceOnce } from "./texts.ts";

/**
 * What a conversation knows of a file: what it saw last, or wrote itself. Where it is left open which of several things
 * that is, all are candidates.
 */
export interface Knowledge {
  /** The texts that a line number of it may mean. */
  readonly texts: readonly string[];
  /** It may as well know no text: then what the call itself reads first counts. */
  readonly mayBeNone: boolean;
  /** The versions that an overwrite of it may replace. */
  readonly versions: readonly string[];
  /** It may as well know none: then what the call itself finds may be replaced. */
  readonly mayBeAny: boolean;
}

const nothing: Knowledge = { texts: [], mayBeNone: true, versions: [], mayBeAny: true };

/** What each insert and create knew of its file when it sent its first request. */
export function knowledgeOf(history: History): ReadonlyMap<number, Knowledge> {
  const known = new Map<number, Knowledge>();
  const conversations = new Map<number, Conversation>();
  for (const { course, isAnswer } of moments(history)) {
    const number = course.operation.conversation;
    let conversation = conversations.get(number);
    if (conversation === undefined) conversations.set(number, (conversation = new Conversation(history)));
    if (isAnswer) conversation.learn(course);
    else known.set(course.operation.id, conversation.of(keyOf(history.log.memories, pathOf(course.operation.input))));
  }
  return known;
}

/** Commands on overlapping paths wait for each other, so all that counts has been answered before the first request. */
function moments({ courses }: History): readonly { readonly course: Course; readonly isAnswer: boolean }[] {
  const all = courses.flatMap((course) => {
    const begins = course.requests[0]?.sentAt;
    return [
      ...(begins === undefined ? [] : [{ at: begins, course, isAnswer: false }]),
      ...(course.answer === undefined ? [] : [{ at: course.answer.at, course, isAnswer: true }]),
    ];
  });
  return all.sort((one, other) => one.at - other.at);
}

class Conversation {
  readonly #history: History;
  readonly #known = new Map<string, Knowledge>();
  /** The last view of each file: views of one file may run at once, and either may count as the last. */
  readonly #views = new Map<string, Course>();

  constructor(history: History) {
    this.#history = history;
  }

  of(key: string): Knowledge {
    return this.#known.get(key) ?? nothing;
  }

  learn(course: Course): void {
    const { input } = course.operation;
    const key = keyOf(this.#history.log.memories, pathOf(input));
    switch (input.command) {
      case "view":
        return this.#learnView(course, key);
      case "create":
      case "str_replace":
      case "insert":
        return this.#learnWrite(course, key);
      case "delete":
        return this.#learnRemoval(course, key);
      case "rename":
        return this.#learnMove(course);
      default:
        return input satisfies never;
    }
  }

  /** A part of a file counts as the whole of it: its numbers are those of the file. */
  #learnView(course: Course, key: string): void {
    const { input } = course.operation;
    const { answer } = course;
    if (input.command !== "view" || answer === undefined) return;
    const read = [...statesSeen(course, key, course.endsAt)];
    const shown = read.filter(({ text }) => fileView(input.path, text, input.view_range) === answer.content);
    if (answer.isError) {
      this.#doubt(key, read);
      // There is no such directory either, so there was nothing below.
      if (answer.code === "not_found") this.#learnRemoval(course, key);
      return;
    }
    if (shown.length === 0) return; // a directory's
    const last = this.#views.get(key);
    this.#views.set(key, course);
    const isOneOfTwo = last !== undefined && last.endsAt > course.calledAt;
    const before = isOneOfTwo ? this.of(key) : undefined;
    this.#known.set(key, {
      texts: [...(before?.texts ?? []), ...textsOf(shown)],
      mayBeNone: before?.mayBeNone ?? false,
      versions: [...(before?.versions ?? []), ...versionsOf(shown)],
      mayBeAny: before?.mayBeAny ?? false,
    });
  }

  #learnWrite(course: Course, key: string): void {
    const { answer } = course;
    if (answer === undefined) return;
    if (answer.isError) {
      if (leavesDoubt(answer.code)) this.#doubt(key, this.#carrying(course, key), this.#applied(course, key));
      return;
    }
    const own = course.commits.find((commit) => commit.at < answer.at && !isUnanswered(commit.sent));
    this.#known.set(key, this.#written(course, key, own));
  }

  #written(course: Course, key: string, own: Write | undefined): Knowledge {
    const { command } = course.operation.input;
    if (command === "create") return this.#created(course, key);
    return command === "insert" ? this.#inserted(course, key, own) : this.#replaced(course, key, own);
  }

  /** However its success was found out, it knows the text that it sent, and the version that this write made. */
  #created({ operation: { input }, writeId }: Course, key: string): Knowledge {
    const landed = this.#history.commits.filter(({ after }) => after?.key === key && after.writeIds[0] === writeId);
    const texts = input.command === "create" ? [input.file_text] : [];
    const versions = versionsOf(landed.flatMap(({ after }) => after ?? []));
    return { texts, mayBeNone: false, versions, mayBeAny: false };
  }

  /** The snippet shows the lines of the file as it is by then, but not all of them. */
  #replaced(course: Course, key: string, own: Write | undefined): Knowledge {
    const states = own?.after === undefined ? this.#carrying(course, key) : [own.after];
    return { texts: textsOf(states), mayBeNone: false, ...this.#versionsAfter(course, key, own) };
  }

  /** Nothing is shown: Claude counts its own lines on top of those that it knew. */
  #inserted(course: Course, key: string, own: Write | undefined): Knowledge {
    const carrying = this.#carrying(course, key);
    const found = own === undefined ? textsOf(carrying) : [];
    const texts = [...this.#applied(course, key), ...found];
    return { texts, mayBeNone: false, ...this.#versionsAfter(course, key, own) };
  }

  /**
   * What others changed meanwhile was not shown: then no version of the file is known. Where its success was found out by
   * reading, what counts is what the write has landed on, of whichever delivery it was.
   */
  #versionsAfter(course: Course, key: string, own: Write | undefined): Pick<Knowledge, "versions" | "mayBeAny"> {
    const { versions, mayBeAny } = this.of(key);
    const landed = this.#history.commits.filter(
      ({ after, at }) => after?.key === key && after.writeIds[0] === course.writeId && at <= course.endsAt,
    );
    const whole = (own === undefined ? landed : [own]).filter(
      ({ before }) => mayBeAny || (before !== undefined && versions.includes(before.version)),
    );
    return { versions: versionsOf(whole.flatMap(({ after }) => after ?? [])), mayBeAny };
  }

  #applied(course: Course, key: string): readonly string[] {
    const known = this.of(key);
    const unread = course.commits.filter(({ sent }) => isUnread(this.#history, sent));
    const texts = unread.flatMap((commit) => basesOfCommit(this.#history, course, commit, known));
    return [...texts, ...basesIn(course, key, known)].flatMap((text) => appliedTo(course, text) ?? []);
  }

  #carrying(course: Course, key: string): readonly State[] {
    const own = course.writeId ?? "";
    return statesDuring(this.#history, key, course).filter(({ writeIds }) => writeIds.includes(own));
  }

  #learnRemoval({ answer }: Course, top: string): void {
    for (const key of this.#known.keys()) {
      if (!isAtOrBelow(key, top)) continue;
      if (answer?.isError === false) this.#known.delete(key);
      else this.#doubt(key);
    }
  }

  #learnMove(course: Course): void {
    const ends = endsOf(this.#history.log.memories, course.operation);
    if (ends === undefined) return;
    this.#learnRemoval(course, ends.source);
    this.#learnRemoval(course, ends.target);
  }

  /** What it knew, or nothing, or one of these. */
  #doubt(key: string, states: readonly State[] = [], texts: readonly string[] = []): void {
    const known = this.of(key);
    this.#known.set(key, {
      texts: [...known.texts, ...textsOf(states), ...texts],
      mayBeNone: true,
      versions: [...known.versions, ...versionsOf(states)],
      mayBeAny: true,
    });
  }
}

/** It may have been carried out, or has shown that there is nothing to know; any other refusal changes nothing. */
const leavesDoubt = (code: string | undefined): boolean =>
  code === "outcome_unknown" || code === "aborted" || code === "storage" || code === "not_found";

const textsOf = (states: readonly State[]): readonly string[] => states.map(({ text }) => text);
const versionsOf = (states: readonly State[]): readonly string[] => states.map(({ version }) => version);

/** The same of one write of it: where it went out unread, and what it was made on stood there, that is what counts. */
export function basesOfCommit(history: History, course: Course, commit: Write, known: Knowledge): readonly string[] {
  if (!isUnread(history, commit.sent)) return basesIn(course, commit.key, known);
  return known.mayBeNone && commit.before !== undefined ? [...known.texts, commit.before.text] : known.texts;
}

/** The texts that the line numbers of a call may mean: what the conversation knew, or else what the call read first. */
export function basesIn({ requests }: Course, key: string, { texts, mayBeNone }: Knowledge): readonly string[] {
  if (!mayBeNone) return texts;
  for (const { method, response, read } of requests) {
    const state = method === "GET" && response === "answered" ? read?.saw[0] : undefined;
    if (state?.key === key) return [...texts, state.text];
  }
  return texts;
}

function appliedTo({ operation: { input } }: Course, text: string): string | undefined {
  if (input.command === "str_replace") return replaceOnce(text, input.old_str, input.new_str);
  return input.command === "insert" ? insertAfter(text, input.insert_line, input.insert_text) : undefined;
}
