import type { Mutation } from "./bundle.ts";

/** A protective rule of the library, broken on purpose. */
export interface PlantedDefect extends Mutation {
  readonly name: string;
  /** What goes wrong without the rule. */
  readonly why: string;
  /** Where the rule lives in more than one place. */
  readonly also?: readonly Mutation[];
}

/** What the simulation must find. Each text is as short as it can be, so that it breaks when its rule moves. */
export const plantedDefects: readonly PlantedDefect[] = [
  // Conditions
  {
    name: "PUT without its condition",
    why: "Of two writers the later one wins, and the other's lines are gone.",
    file: "src/stores/s3-commands.ts",
    from: '...(condition.kind === "absent" ? { IfNoneMatch: "*" } : { IfMatch: condition.version }),',
    to: "",
  },
  {
    name: "DELETE without its condition",
    why: "What was written since the look is deleted with it.",
    file: "src/stores/s3-conditional-deletes.ts",
    from: "Key: key, IfMatch: version }",
    to: "Key: key }",
  },
  {
    name: "batch delete without versions",
    why: "A directory's delete removes what nobody listed.",
    file: "src/stores/s3-conditional-deletes.ts",
    from: "({ Key: key, ETag: version })",
    to: "({ Key: key })",
  },
  {
    name: "edit without its condition",
    why: "An edit on old bytes undoes what came in between.",
    file: "src/core/commands/edit-file.ts",
    from: 'condition: { kind: "unchanged", version: draft.on.version },',
    to: 'condition: { kind: "exists" },',
  },
  {
    name: "rename deletes its source whatever it is by then",
    why: "An edit of the source after its copy is lost.",
    file: "src/core/commands/rename-file.ts",
    from: 'const condition = { kind: "unchanged", version: copy.source.version } as const;',
    to: 'const condition = { kind: "exists" } as const;',
  },
  {
    name: "directory delete follows what was changed",
    why: "What somebody wrote after the listing is deleted.",
    file: "src/core/delete-versions.ts",
    from: "else fates.set(object, result.outcome);",
    to: `else if (result.outcome !== "changed") fates.set(object, result.outcome);
      else {
        const now = await call.store.head(object.key, call.request);
        if (now.outcome === "found") again.push({ ...object, version: now.version });
      }`,
  },
  // Answers of the store
  {
    name: "409 taken for exists",
    why: "Nothing stands there: the create is refused for no reason.",
    file: "src/stores/s3-commands.ts",
    from: 'if (fault.status === 409) return { outcome: "undecided" };',
    to: 'if (fault.status === 409) return { outcome: condition.kind === "absent" ? "exists" : "changed" };',
  },
  {
    name: "404 to a conditional PUT taken for success",
    why: "The file had vanished, and nothing was written.",
    file: "src/stores/s3-commands.ts",
    from: 'isMissing(fault) ? { outcome: "missing" } : undefined;\n      },\n    });\n  };\n}\n\nfunction lister',
    to: 'isMissing(fault) ? { outcome: "written", version: condition.version } : undefined;\n      },\n    });\n  };\n}\n\nfunction lister',
  },
  {
    name: "5xx to a write taken for a refusal",
    why: "It may have been carried out all the same.",
    file: "src/stores/s3-failures.ts",
    from: "(fault.status < 500 || fault.status === 501)",
    to: "fault.status < 600",
  },
  {
    name: "errors of a batch not read",
    why: "A key that the store kept counts as deleted.",
    file: "src/stores/s3-conditional-deletes.ts",
    from: '[Key, Code ?? "Unknown"] as const',
    to: "[Key, true] as const",
  },
  {
    name: "lost race of an edit answered as success",
    why: "Claude believes in a line that was never written.",
    file: "src/core/commands/edit-file.ts",
    from: 'if (result.outcome !== "written") return lost;',
    to: "",
  },
  {
    name: "lost race of a delete answered as success",
    why: "The file is still there.",
    file: "src/core/commands/delete.ts",
    from: 'case "undecided":\n        case "changed":\n          return lost;',
    to: 'case "undecided":\n        case "changed":\n          return "file";',
  },
  // Lost answers
  {
    name: "SDK's own retry left on for writes",
    why: "It sends again without looking whether the first one landed.",
    file: "src/stores/s3-requests.ts",
    from: "if (!writes) return;",
    to: "return;",
  },
  {
    name: "blind retry after a lost answer",
    why: "The first one may have landed, and the bytes been restored.",
    file: "src/core/commands/edit-file.ts",
    from: "const result = await store.put(key,",
    to: `const put: typeof store.put = (...request) =>
        store.put(...request).catch((error) => (error.details.effect === "unknown" ? store.put(...request) : Promise.reject(error)));
      const result = await put(key,`,
  },
  {
    name: "replay without re-reading",
    why: "Whatever was there first is what the edit is made on, again and again.",
    file: "src/core/commands/edit-file.ts",
    from: "await Promise.all([getFile(call, key), totalBytesWhereLimited(call)]);",
    to: "await (call.read ??= Promise.all([getFile(call, key), totalBytesWhereLimited(call)]));",
  },
  {
    name: "time-out sent again",
    why: "The request may still arrive: then it is done twice.",
    file: "src/core/replay.ts",
    from: 'if (error.details.effect === "unsettled") return readBackOrGiveUp(intent, error);',
    to: "",
    also: [
      {
        file: "src/core/replay.ts",
        from: 'if (error.details.effect !== "unknown") throw',
        to: 'if (error.details.effect !== "unknown" && error.details.effect !== "unsettled") throw',
      },
    ],
  },
  {
    name: "refusal told as certain after an unanswered write",
    why: "What is in the way may be its own doing.",
    file: "src/core/replay.ts",
    from: "throw open ? unknownOutcome(intent, open, error) : error;",
    to: "throw error;",
  },
  {
    name: "out of attempts told as conflict after an unanswered write",
    why: '"Nothing was changed" is not known.',
    file: "src/core/replay.ts",
    from: "if (open) return readBackOrGiveUp(intent, open);",
    to: "",
  },
  {
    name: "edit does not look for its own write",
    why: "After a lost answer, or delivered again, it is made twice.",
    file: "src/core/commands/edit-file.ts",
    from: "if (answered !== undefined) return answered;",
    to: "",
  },
  {
    name: "create does not look for its own write",
    why: "After a lost answer its own file is in its way.",
    file: "src/core/commands/create.ts",
    from: "if (answered !== undefined) return answered;",
    to: "",
  },
  {
    name: "edit repeated on another file after an unanswered write",
    why: "The first one may have been moved away with the edit in it.",
    file: "src/core/commands/edit-file.ts",
    from: "} else if (isOpen) {",
    to: "} else if (false) {",
  },
  {
    name: "delete repeated without reading back",
    why: "What was created there since is deleted too.",
    file: "src/core/commands/delete.ts",
    from: "unanswered = true;\n        throw removal.reason;",
    to: "throw removal.reason;",
  },
  {
    name: "delete repeated whatever is there by then",
    why: "It deletes what came after its look, besides what it has deleted before.",
    file: "src/core/commands/delete.ts",
    from: 'condition = { kind: "unchanged", version: found.version };',
    to: "",
  },
  {
    name: "directory deleted after a lost answer",
    why: "It was a file that was deleted; the directory beside it was not meant.",
    file: "src/core/commands/delete.ts",
    from: 'if (found.outcome === "missing") return afterLostAnswer(call, sent, prefix);\n        condition =',
    to: 'if (found.outcome !== "missing") condition =',
    also: [
      {
        file: "src/core/commands/delete.ts",
        from: "if (unanswered) return afterLostAnswer(call, sent, prefix);\n",
        to: "",
      },
    ],
  },
  {
    name: "directory taken for a deleted file after a lost answer",
    why: "Its files are all there.",
    file: "src/core/commands/delete.ts",
    from: "if (await hasKeys(call.store, { prefix, ...call.request })) {",
    to: "if (false) {",
  },
  // Write ids and redelivery
  {
    name: "write ids not carried on",
    why: "Who lost an answer finds no trace of its write.",
    file: "src/core/write-record.ts",
    from: "[stamp.writeId, ...(previous ? writesOf(previous) : []).filter((id) => id !== stamp.writeId)]",
    to: "[stamp.writeId]",
  },
  {
    name: "redelivery under a new write id",
    why: "Nobody can tell that it has been done.",
    file: "src/core/memory.ts",
    from: "const redeliverable = toolUseId !== undefined && ",
    to: "const redeliverable = false && ",
  },
  {
    name: "marker not carried on by edits",
    why: "A half-done rename is not recognised any more.",
    file: "src/core/write-record.ts",
    from: "const movedFrom = marker ?? movedFromOf(before);",
    to: "const movedFrom = marker;",
  },
  {
    name: "marker carried on by a create that overwrites",
    why: "What replaced the copy counts as the copy.",
    file: "src/core/write-record.ts",
    from: "const { [names.movedFrom]: _, ...metadata } = stampWrite(previous, stamp);",
    to: "const metadata = stampWrite(previous, stamp);",
  },
  // Rename of a file
  {
    name: "delete before copy",
    why: "Who dies in between has lost the file.",
    file: "src/core/commands/rename-file.ts",
    from: "const copy = await this.#copyOf(file);",
    to: `await this.#call.store.delete(this.#source, { condition: { kind: "unchanged", version: file.version }, ...this.#call.request });
    const copy = await this.#copyOf(file);`,
  },
  {
    name: "own copy removed after an unanswered delete",
    why: "The source is gone by its own delete: the copy was the last one.",
    file: "src/core/commands/rename-file.ts",
    from: "if (this.#deleteIsOpen || !copy.made) return this.#goneByWhom(copy, sentTarget, settle);",
    to: "if (!copy.made) return this.#goneByWhom(copy, sentTarget, settle);",
  },
  {
    name: "own copy removed though edited by others",
    why: "Their edit is gone with it.",
    file: "src/core/move-copy.ts",
    from: 'if (!isNewestWrite(found.metadata, call.stamp.writeId)) return "kept";',
    to: "",
  },
  {
    name: "adopted copy removed as one's own",
    why: "Its maker relies on it: the source has gone already.",
    file: "src/core/move-copy.ts",
    from: "made: false, edited }",
    to: "made: true, edited }",
  },
  {
    name: "own id not put on an adopted copy",
    why: "Its maker takes it away again.",
    file: "src/core/move-copy.ts",
    from: "metadata: stampWrite(found, call.stamp),",
    to: "metadata: found.metadata,",
  },
  {
    name: "marker of a rename not compared",
    why: "Any file at the destination is taken for the copy, and the source is deleted.",
    file: "src/core/move-copy.ts",
    from: "if (movedFromOf(found.metadata) !== marker ||",
    to: "if (",
  },
  {
    name: "marker without the version",
    why: "Another file under the same write id is taken for what was copied.",
    file: "src/core/move-copy.ts",
    from: "\\n${version}\\n",
    to: "\\n",
  },
  {
    name: "copy taken over under a lost answer taken for one's own",
    why: "It is removed like one, and its maker has removed the source.",
    file: "src/core/move-copy.ts",
    from: "made: !takeOver,",
    to: "made: true,",
  },
  {
    name: "copy that came back taken for a finished rename",
    why: "Nobody has removed the source: it is the same file, and stands again.",
    file: "src/core/commands/rename-file.ts",
    from: 'if (!this.#deleteIsOpen) throw new MemoryError("conflict", messages.movedBack(sentSource, sentTarget));',
    to: "if (!this.#deleteIsOpen) return this.#success;",
  },
  {
    name: "another file in the source's place taken for the same",
    why: "A new file is moved that nobody asked to move.",
    file: "src/core/commands/rename-file.ts",
    from: "if (placed && !isSameFile(file, placed.source)) {",
    to: "if (false) {",
  },
  {
    name: "twin of a rename not looked for",
    why: "The file is at two names, and nobody says so.",
    file: "src/core/commands/rename-file.ts",
    from: "if (twin === undefined) return this.#success;",
    to: "return this.#success;",
  },
  {
    name: "file renamed onto a directory",
    why: "A file and a directory have the same path.",
    file: "src/core/commands/rename-file.ts",
    from: "if (!placed && around.isDirectory) return this.#refuseOccupied();",
    to: "",
  },
  // Rename of a directory
  {
    name: "directory renamed out of its scope",
    why: "The files of a user are where nobody finds them, or somebody else does.",
    file: "src/core/commands/rename-directory.ts",
    from: "const to = call.keys.prefixOf(move.target);",
    to: "const to = call.keys.prefixOf(move.target).replace(call.keys.memories, call.keys.system);",
  },
  {
    name: "directory not listed again",
    why: "What was added meanwhile stays behind, and nobody says so.",
    file: "src/core/commands/rename-directory.ts",
    from: "seen.push(key);",
    to: "void key;",
  },
  {
    name: "own copies removed after an unanswered batch",
    why: "The sources are gone by its own delete: the copies were the last ones.",
    file: "src/core/commands/remove-sources.ts",
    from: '(fate === "vanished" ||',
    to: '(fate === "vanished" || fate === "gone" ||',
  },
  {
    name: "one write id for all files of a renamed directory",
    why: "An id that is on many files does not tell which of them it is.",
    file: "src/core/move-copy.ts",
    from: "return { ...call, stamp: { ...call.stamp, writeId } };",
    to: "return call;",
  },
  {
    name: "batch of a delete repeated without a look",
    why: "With equal bytes it deletes what was moved away and back.",
    file: "src/core/delete-versions.ts",
    from: "else if (!answered) open",
    to: "else if (false) open",
  },
  {
    name: "batch of a rename repeated without a look",
    why: "With equal bytes it deletes what was moved away and back.",
    file: "src/core/delete-versions.ts",
    from: "if (attempt > 1 && where.look)",
    to: "if (false)",
  },
  {
    name: "directory renamed onto files of the same names",
    why: "Some files move, others cannot: two directories are mixed.",
    file: "src/core/commands/rename-directory.ts",
    from: "if (target.size === 0) return;",
    to: "return;",
  },
  {
    name: "directory renamed onto a file",
    why: "A file and a directory have the same path.",
    file: "src/core/commands/rename-directory.ts",
    from: "if (isFile) throw",
    to: "if (false) throw",
  },
  {
    name: "twins of a directory's rename not looked for",
    why: "Its files are at two names, and nobody says so.",
    file: "src/core/commands/rename-directory.ts",
    from: "await findTwins(call, unsure)",
    to: "[]",
  },
  // Limits and neighbours
  {
    name: "limit of files not checked",
    why: "A memory grows without end.",
    file: "src/core/commands/create.ts",
    from: "if (growth.files > 0 && around.files + growth.files > limits.files) {",
    to: "if (false) {",
  },
  {
    name: "limit of bytes not checked by edits",
    why: "A memory grows without end.",
    file: "src/core/commands/edit-file.ts",
    from: "if (total !== undefined && total + growth > call.limits.totalBytes) {",
    to: "if (false) {",
  },
  {
    name: "files above not checked",
    why: "A file is created below a file.",
    file: "src/core/survey.ts",
    from: "if (ancestorFile !== undefined) {",
    to: "if (false) {",
  },
  {
    name: "directory at the path not checked",
    why: "A file and a directory have the same path.",
    file: "src/core/commands/create.ts",
    from: "if (around.isDirectory) throw",
    to: "if (false) throw",
  },
  // What a conversation was shown
  {
    name: "insert at the literal line",
    why: "What others inserted above moves it to a wrong place.",
    file: "src/core/commands/insert.ts",
    from: "const present = rebaseLine(line, basis, text);",
    to: "const present = line;",
  },
  {
    name: "insert not re-based on what the conversation was shown",
    why: "The line number means what Claude saw, not what the call finds.",
    file: "src/core/commands/edit-file.ts",
    from: "let basis = before?.text === undefined ? undefined : ",
    to: "let basis = true ? undefined : ",
  },
  {
    name: "deleted file still known",
    why: "A new file at its path is edited by the old one's lines.",
    file: "src/core/memory.ts",
    from: "const answer = await deletePath(call, path, command.path);\n      call.shown.forgetAll(path);",
    to: "const answer = await deletePath(call, path, command.path);",
  },
  {
    name: "overwrite of a version that was never shown",
    why: "What somebody else wrote is gone, and nobody saw it.",
    file: "src/core/commands/create.ts",
    from: 'file.onExisting === "overwrite" ? file.shown : existingVersion(file)',
    to: "existingVersion(file)",
  },
  {
    name: "others' changes under an own edit taken for shown",
    why: "An overwrite then replaces what nobody saw.",
    file: "src/core/commands/edit-file.ts",
    from: "version: draft.isWhole ? result.version : undefined, body",
    to: "version: result.version, body",
  },
  // What a process remembers
  {
    name: "refused by what is remembered",
    why: "The file has changed meanwhile: the text is there, or the line.",
    file: "src/core/commands/edit-file.ts",
    from: "if (isMemoryError(error)) return undefined;",
    to: "",
  },
  {
    name: "delivery recognised by what is remembered",
    why: "The file may be another one by now, without that write.",
    file: "src/core/commands/edit-file.ts",
    from: "const direct = attempt === 1 ?",
    to: `const remembered = attempt === 1 ? call.known.get(key) : undefined;
      const repeated = remembered && landed({ outcome: "found", ...remembered });
      if (repeated !== undefined) return repeated;
      const direct = attempt === 1 ?`,
  },
  {
    name: "edit made again on what carries it",
    why: "Delivered again, it is in the file that is remembered.",
    file: "src/core/commands/edit-file.ts",
    from: "if (file === undefined || carriesWrite(file.metadata, call.stamp.writeId)) return undefined;",
    to: "if (file === undefined) return undefined;",
  },
  {
    name: "create made again on what carries it",
    why: "Delivered again, it is the file that is remembered.",
    file: "src/core/commands/create.ts",
    from: "!isMeant || carriesWrite(known.metadata, call.stamp.writeId)",
    to: "!isMeant",
  },
  {
    name: "lines counted in what was remembered, after it had changed",
    why: "They mean what the call reads first, where the conversation was shown nothing.",
    file: "src/core/commands/edit-file.ts",
    from: "const answeredAtOnce = direct",
    to: `if (direct) basis ??= { version: direct.on.version, text: decodeText(direct.on.body) ?? "" };
      const answeredAtOnce = direct`,
  },
  {
    name: "sent unread at each attempt",
    why: "After a lost answer, or a lost race, it has to be looked what is there.",
    file: "src/core/commands/edit-file.ts",
    from: "const direct = attempt === 1 ?",
    to: "const direct = attempt > 0 ?",
  },
  {
    name: "create sent unread at each attempt",
    why: "After a lost answer, or a lost race, it has to be looked what is there.",
    file: "src/core/commands/create.ts",
    from: "const atOnce = attempt === 1 ?",
    to: "const atOnce = attempt > 0 ?",
  },
  {
    name: "overwrite of what is remembered, whatever was shown",
    why: "Another conversation of the process has seen it, and this one has not.",
    file: "src/core/commands/create.ts",
    from: "const isMeant = known?.version === demanded?.version;",
    to: "const isMeant = true;",
  },
  {
    name: "limit of bytes not checked by an edit that goes out unread",
    why: "A memory grows without end.",
    file: "src/core/commands/edit-file.ts",
    from: "growthOf(draft) > 0 ? await totalBytesWhereLimited(call) : undefined",
    to: "undefined",
  },
  {
    name: "limit of bytes not checked by a create that goes out unread",
    why: "A memory grows without end.",
    file: "src/core/commands/create.ts",
    from: "if (!isRoomKnown(known.body.length)) return lost;",
    to: "",
  },
  {
    name: "still remembered while a write is under way",
    why: "What becomes of it may never be known.",
    file: "src/core/known-files.ts",
    from: "cache.delete(key);\n      const at = now();",
    to: "const at = now();",
  },
  {
    name: "remembered what was not written",
    why: "Another writer has won: the next edit stands on what never was.",
    file: "src/core/known-files.ts",
    from: 'if (result.outcome === "written") {\n        remember(key, { version: result.version,',
    to: "{\n        remember(key, { version: result.version ?? options.condition.version,",
  },
  {
    name: "remembered without its metadata",
    why: "The next edit drops the ids by which others find their writes.",
    file: "src/core/known-files.ts",
    from: "metadata: options.metadata, body",
    to: "metadata: {}, body",
  },
  {
    name: "remembered though a read has shown that it is gone",
    why: "An edit of it is sent for nothing.",
    file: "src/core/known-files.ts",
    from: "else cache.delete(key);",
    to: "",
  },
  {
    name: "remembered after an own delete",
    why: "The same bytes may come back as another file.",
    file: "src/core/known-files.ts",
    from: "delete(key, options) {\n      cache.delete(key);",
    to: "delete(key, options) {",
  },
  {
    name: "remembered after the delete of its directory",
    why: "The same bytes may come back as another file.",
    file: "src/core/known-files.ts",
    from: "for (const { key } of objects) cache.delete(key);",
    to: "",
  },
  {
    name: "remembered though a copy was put in its place",
    why: "It has a history of its own.",
    file: "src/core/known-files.ts",
    from: "cache.delete(target);",
    to: "",
  },
  {
    name: "remembered under its last name alone",
    why: "An edit of one file stands on another's history.",
    file: "src/core/known-files.ts",
    from: "cache.set(key, { version, metadata, body, at, writes });",
    to: 'cache.set(key.replace(/[^/]+\\/(?=[^/]+$)/, ""), { version, metadata, body, at, writes });',
    also: [
      {
        file: "src/core/known-files.ts",
        from: "const file = cache.get(key);",
        to: 'const file = cache.get(key.replace(/[^/]+\\/(?=[^/]+$)/, ""));',
      },
    ],
  },
  {
    name: "lost edit taken for the one that landed",
    why: "Another delivery has landed, on what this conversation has not seen.",
    file: "src/core/commands/edit-file.ts",
    from: "const isWhole = isDraft && ",
    to: "const isWhole = ",
  },
  {
    name: "viewed from what is remembered",
    why: "Claude does not see what others have written.",
    file: "src/core/commands/view.ts",
    from: "const file = async (): Promise<GetResult> => getFile(call, keys.keyOf(path, sent));",
    to: `const file = async () => {
      const remembered = call.known.get(keys.keyOf(path, sent));
      return remembered ? { outcome: "found", size: 0, ...remembered } : getFile(call, keys.keyOf(path, sent));
    };`,
  },
  {
    name: "shown to one conversation, known to all of its process",
    why: "Each has its own lines, and its own leave to overwrite.",
    file: "src/core/shown-files.ts",
    from: "const home = `${conversation}\\n`;",
    to: 'const home = "\\n";',
  },
  // The rest
  {
    name: "view of a directory ends with its first page",
    why: "Claude does not know of the other files.",
    file: "src/core/directory-listing.ts",
    from: "hasMore = page?.next !== undefined;",
    to: "hasMore = false;",
  },
  {
    name: "commands of one turn not in their order",
    why: "An edit runs before the create that it follows.",
    file: "src/core/path-queue.ts",
    from: "before.length === 0 ? task() :",
    to: "before.length >= 0 ? task() :",
  },
];
