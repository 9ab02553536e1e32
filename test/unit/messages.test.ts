import { describe, expect, it } from "vitest";
import * as messages from "../../src/core/messages.ts";

const a = "/memories/a.md";
const b = "/memories/b.md";

describe("the texts that Claude reads", () => {
  it.each([
    [messages.doesNotExist(a), "The path /memories/a.md does not exist. Please provide a valid path."],
    [messages.editedPathDoesNotExist(a), "Error: The path /memories/a.md does not exist. Please provide a valid path."],
    [messages.pathDoesNotExist(a), "Error: The path /memories/a.md does not exist"],
    [
      messages.directoryHeader("/memories/"),
      "Here're the files and directories up to 2 levels deep in /memories/, excluding hidden items and node_modules:",
    ],
    [messages.fileHeader(a), "Here's the content of /memories/a.md with line numbers:"],
    [messages.tooManyLines(a, 999_999), "File /memories/a.md exceeds maximum line limit of 999,999 lines."],
    [messages.tooLargeTo("view", a, 6_291_456), "Error: /memories/a.md is too large to view (6.0M)"],
    [messages.tooLargeTo("edit", a, 6_291_456), "Error: /memories/a.md is too large to edit (6.0M)"],
    [messages.tooLargeTo("rename", a, 6_291_456), "Error: /memories/a.md is too large to rename (6.0M)"],
    [messages.notText(a), "Error: /memories/a.md is neither text nor an image that can be shown"],
    [messages.created(a), "File created successfully at: /memories/a.md"],
    [messages.alreadyExists(a), "Error: File /memories/a.md already exists"],
    [messages.isADirectory("/memories/d"), "Error: /memories/d is a directory"],
    [messages.isAFile(a), "Error: /memories/a.md is a file, not a directory"],
    [
      messages.edited("     1\tx"),
      "The memory file has been edited. Here is the snippet showing the change (with line numbers):\n     1\tx",
    ],
    [messages.inserted(a), "The file /memories/a.md has been edited."],
    [messages.deleted(a), "Successfully deleted /memories/a.md"],
    [messages.cannotDeleteRoot(), "Error: Cannot delete the /memories directory itself"],
    [
      messages.changedAndKept(3, "/memories/d"),
      "3 files in /memories/d were changed meanwhile and were kept; view again",
    ],
    [messages.renamed(a, b), "Successfully renamed /memories/a.md to /memories/b.md"],
    [messages.destinationExists(b), "Error: The destination /memories/b.md already exists"],
    [messages.cannotRenameRoot(), "Error: Cannot rename the /memories directory itself"],
    [messages.cannotRenameIntoItself(a), "Error: Cannot rename /memories/a.md into itself"],
    [messages.movedBySomeoneElse(2, 5), "2 of 5 files were moved by someone else meanwhile; view again"],
    [
      messages.filesReached(1_000, 1_000),
      "Error: The memory holds 1000 files, the limit is 1000. Delete or merge files first.",
    ],
    [
      messages.totalBytesReached(1_048_576, 1_048_576),
      "Error: The memory holds 1.0M, this would take it over the limit of 1.0M. Delete or shorten files first.",
    ],
    [messages.readOnly(a), "Error: /memories/a.md is read-only"],
  ])("are those of the contract: %s", (text, expected) => expect(text).toBe(expected));

  it("say after a doubtful outcome what to look at before going on", () => {
    expect(messages.changedMeanwhile(a)).toMatch(/^Error: .*nothing was changed.*view it again/);
    expect(messages.changedSinceViewed(a)).toMatch(/^Error: .*changed since you viewed it.*nothing was written/);
    expect(messages.outcomeUnknown(a)).toMatch(/^Error: The outcome is unknown.*view \/memories\/a\.md again before/);
    expect(messages.aborted(a)).toMatch(/^Error: .*view \/memories\/a\.md again before/);
  });

  it("are neutral about the storage", () => {
    expect(messages.storageFailed()).not.toMatch(/S3|bucket|key|AWS|host|region|credential/i);
  });

  it("echo paths and texts bounded, and control characters in paths escaped", () => {
    const long = `/memories/${"x".repeat(50_000)}`;
    for (const text of [
      messages.doesNotExist(long),
      messages.renamed(long, long),
      messages.bothKept(long, long),
      messages.noMatch(long, long),
      messages.ambiguousMatch(long, [1, 2], true),
      messages.outcomeUnknown(long),
    ]) {
      expect(text.length).toBeLessThan(2_500);
      expect(text).toContain("50,010");
    }
    expect(messages.doesNotExist("/memories/\u0007")).toContain("\\u{7}");
  });
});
