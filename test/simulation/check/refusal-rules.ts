import type { Violation } from "../log.ts";
import {
  hasGone,
  hasUnansweredRequest,
  isWrite,
  violation,
  type Answer,
  type Course,
  type History,
} from "./history.ts";
import { saysWhatStands } from "./texts.ts";

/** Concurrency, "no refusal of a later attempt is certain until…": a refusal means that nothing was changed, now or later. */
export function* refusalRules(history: History): Generator<Violation> {
  for (const course of history.courses) {
    const { answer, operation } = course;
    if (answer === undefined) continue;
    yield* judgeInFlight(course, answer);
    if (!isRefusal(course, answer)) continue;
    const effect =
      operation.input.command === "rename"
        ? effectOfRename(history, course, answer)
        : course.commits.find(
            // Gone with somebody else's rename or delete, it is not to be seen any more.
            (commit) => answer.code !== "storage" || commit.at > answer.at || !hasGone(history, commit, answer.at),
          );
    if (effect === undefined) continue;
    const when = effect.at > answer.at ? "after the answer" : "before the answer";
    yield violation(
      "refused and done",
      operation.id,
      `${effect.method} ${effect.key} was carried out ${when} ${answer.code}: ${answer.content}`,
    );
  }
}

function isRefusal(course: Course, { code, content }: Answer): boolean {
  if (code === undefined || code === "outcome_unknown" || code === "aborted") return false;
  if (code === "conflict") return !saysWhatStands(content);
  if (code !== "storage") return true;
  // The storage failed half-way: a rename or delete of several steps may be finished by a repeat. Of a single write a
  // read has shown that it is not there, or else the outcome is unknown.
  const { command } = course.operation.input;
  const isOneStep = command !== "rename" && course.commits.every(({ method }) => method !== "BATCH");
  return isOneStep || !hasUnansweredRequest(course);
}

/** A rename may have made a copy and taken it away again. */
function effectOfRename(history: History, course: Course, { at }: Answer): Course["commits"][number] | undefined {
  const keysOfCopies = new Set(course.commits.filter(({ method }) => method === "PUT").map(({ key }) => key));
  return course.commits.find(
    (commit) =>
      commit.at > at || (commit.method === "PUT" ? !hasGone(history, commit, at) : !keysOfCopies.has(commit.key)),
  );
}

/** What is still on its way when the answer is given may be carried out later, whatever the answer says. */
function* judgeInFlight({ requests, operation }: Course, answer: Answer): Generator<Violation> {
  for (const sent of requests) {
    if (isWrite(sent) && sent.sentAt < answer.at && sent.respondedAt > answer.at) {
      yield violation(
        "write in flight at the answer",
        operation.id,
        `${sent.method} ${sent.keys.join()} had no answer yet`,
      );
    }
  }
}
