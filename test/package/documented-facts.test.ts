import { describe, expect, it } from "vitest";
import * as messages from "../../src/core/messages.ts";
import type { MemoryErrorCode } from "../../src/errors.ts";
import { resolveMemoryOptions } from "../../src/options.ts";
import { resolveS3StoreOptions } from "../../src/stores/s3-options.ts";
import { inMemoryStore } from "../../src/testing/index.ts";
import { read } from "./project.ts";

type MessageName = keyof typeof messages;

const path = "{path}";
const [from, to] = ["{old_path}", "{new_path}"];

/** Numbers stand for words of the page: the texts are made with the number and shown with the word. */
function withWords(text: string, words: Readonly<Record<string, string>>): string {
  return Object.entries(words).reduce((made, [number, word]) => made.replaceAll(number, word), text);
}

const contract: Partial<Record<MessageName, string>> = {
  doesNotExist: messages.doesNotExist(path),
  editedPathDoesNotExist: messages.editedPathDoesNotExist(path),
  pathDoesNotExist: messages.pathDoesNotExist(from),
  directoryHeader: messages.directoryHeader(path),
  fileHeader: messages.fileHeader(path),
  tooManyLines: messages.tooManyLines(path, 999_999),
  badViewRange: withWords(messages.badViewRange([71, 72], 73), { 71: "{start}", 72: "{end}", 73: "{lines}" }),
  tooLargeTo: withWords(messages.tooLargeTo("view", path, 7), { "7B": "{size}" }),
  notText: messages.notText(path),
  created: messages.created(path),
  alreadyExists: messages.alreadyExists(path),
  isADirectory: messages.isADirectory(path),
  isAFile: messages.isAFile("{ancestor}"),
  edited: messages.edited(""),
  emptyOldText: messages.emptyOldText(),
  oldTextTooLong: withWords(messages.oldTextTooLong(7), { "7B": "{size}" }),
  noMatch: messages.noMatch(path, "{old_str}"),
  nearestText: withWords(messages.nearestText(71, 72, ["{what}"]), { 71: "{a}", 72: "{b}" }),
  ambiguousMatch: messages.ambiguousMatch("{old_str}", [1, 3], false),
  inserted: messages.inserted(path),
  badInsertLine: withWords(messages.badInsertLine(71, 72), { 71: "{n}", 72: "{lines}" }),
  deleted: messages.deleted(path),
  cannotDeleteRoot: messages.cannotDeleteRoot(),
  renamed: messages.renamed(from, to),
  destinationExists: messages.destinationExists(to),
  cannotRenameRoot: messages.cannotRenameRoot(),
  cannotRenameIntoItself: messages.cannotRenameIntoItself(from),
};

const errors: Partial<Record<MessageName, string>> = {
  changedMeanwhile: messages.changedMeanwhile(path),
  changedSinceViewed: messages.changedSinceViewed(path),
  changedAndKept: withWords(messages.changedAndKept(71, path), { 71: "{k}" }),
  bothKept: messages.bothKept(from, to),
  deletedInPart: messages.deletedInPart(path),
  movedAndKept: messages.movedAndKept(from, to),
  movedTwice: messages.movedTwice(from, to, "{twin}"),
  bothGone: messages.bothGone(from, to),
  movedBack: messages.movedBack(from, to),
  renameUnfinished: messages.renameUnfinished(from, to),
  filesStayed: withWords(messages.filesStayed(71, from), { 71: "{k}" }),
  movedBySomeoneElse: withWords(messages.movedBySomeoneElse(71, 72), { 71: "{k}", 72: "{n}" }),
  outcomeUnknown: messages.outcomeUnknown(path),
  aborted: messages.aborted(path),
  readOnly: messages.readOnly(path),
  storageFailed: messages.storageFailed(),
};

const limits: Partial<Record<MessageName, string>> = {
  fileTooLarge: withWords(messages.fileTooLarge(path, 7, 8), { "7B": "{size}", "8B": "{limit}" }),
  fileTooLong: withWords(messages.fileTooLong(path, 71, 72), { 71: "{n}", 72: "{limit}" }),
  filesReached: withWords(messages.filesReached(71, 72), { 71: "{n}", 72: "{limit}" }),
  totalBytesReached: withWords(messages.totalBytesReached(7, 8), { "7B": "{size}", "8B": "{limit}" }),
};

/** What is described in words: it depends on a file's content or on a field of the input. */
const inWords: readonly MessageName[] = [
  ...(["viewCut", "lineCut", "changedLinesLeftOut", "lineShortened", "snippetLeftOut"] as const),
  ...(["badInput", "notACommand", "unreadableInput", "badField", "missingField", "illFormedField"] as const),
];

describe("the documentation", () => {
  it.each([
    ["docs/contract.md", contract],
    ["docs/errors.md", errors],
    ["docs/limits.md", limits],
  ])("has in %s the texts that Claude reads, to the letter", (page, texts) => {
    const text = read(page);
    expect(Object.values(texts).filter((sentence) => !text.includes(sentence))).toEqual([]);
  });

  it("leaves no text out", () => {
    const known: readonly string[] = [...[contract, errors, limits].flatMap((texts) => Object.keys(texts)), ...inWords];
    expect(known.toSorted()).toEqual(Object.keys(messages).toSorted());
  });

  it("has every code", () => {
    const codes = {
      invalid_input: 0,
      invalid_path: 0,
      not_found: 0,
      already_exists: 0,
      is_a_directory: 0,
      not_a_directory: 0,
      no_match: 0,
      ambiguous_match: 0,
      not_text: 0,
      too_large: 0,
      limit_reached: 0,
      read_only: 0,
      conflict: 0,
      outcome_unknown: 0,
      refused_by_policy: 0,
      aborted: 0,
      storage: 0,
    } satisfies Record<MemoryErrorCode, 0>;
    const [table = ""] = read("docs/errors.md").split("\nThe texts of");
    expect(Object.keys(codes).filter((code) => !table.includes(`\n| \`${code}\` |`))).toEqual([]);
  });

  it("has the defaults of every limit", () => {
    const memory = resolveMemoryOptions({ store: inMemoryStore() });
    const store = resolveS3StoreOptions({ bucket: "any" });
    const defaults = {
      ...prefixed("limits", memory.limits),
      ...prefixed("retry", memory.retry),
      "cache.bytes": memory.cache.bytes,
      "timeouts.connect": store.connectMilliseconds,
      "timeouts.request": store.requestMilliseconds,
    };
    const page = read("docs/limits.md");
    const rows = Object.entries(defaults).map(
      ([name, value]) => `\n| \`${name}\` | ${value === Infinity ? "off" : value.toLocaleString("en-US")}`,
    );
    expect(rows.filter((row) => !page.includes(row))).toEqual([]);
  });
});

function prefixed(group: string, values: object): Record<string, number> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`${group}.${name}`, Number(value)]));
}
