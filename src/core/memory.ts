import { MemoryError } from "../errors.ts";
import { checkExecuteOptions } from "./call-options.ts";
import type { Call, Scope } from "./call.ts";
import { parseCommand, type Command } from "./command-input.ts";
import { view, type ViewContent } from "./commands/view.ts";
import { createMemoryFiles, type MemoryFiles } from "./files.ts";
import { parseMemoryPath, rootPath, type MemoryPath } from "./memory-path.ts";
import * as messages from "./messages.ts";
import { createPathQueue } from "./path-queue.ts";
import { report } from "./report.ts";
import type { MemoryResult } from "./result.ts";
import type { ShownFiles } from "./shown-files.ts";
import { asMemoryError } from "./unexpected.ts";

/** How one command is to be carried out. */
export interface ExecuteOptions {
  /** Ends the command before its next request; the answer then has the code `aborted`. */
  readonly signal?: AbortSignal;
  /**
   * The id of the `tool_use` block. A redelivered `create`, `str_replace` or `insert` with the same id
   * answers success without writing again, as long as its write is among the file's last 16.
   */
  readonly toolUseId?: string;
}

/** The memory of one user, or of one project of a user. */
export interface UserMemory {
  /**
   * Carries out one command of Claude: the `input` of a `tool_use` block, of any shape. Always answers,
   * whatever Claude did wrong and whatever the store did; rejects with a `TypeError` for options that make
   * no sense. Commands on overlapping paths run in the order of the calls, others in parallel.
   *
   * @see https://platform.claude.com/docs/en/agents-and-tools/tool-use/memory-tool
   */
  execute(input: unknown, options?: ExecuteOptions): Promise<MemoryResult>;
  /** The same files, for the application. */
  readonly files: MemoryFiles;
  /** How it answers, for whoever describes it to a model. */
  readonly settings: UserMemorySettings;
}

/** What a model may expect of a memory before it has tried. */
export interface UserMemorySettings {
  /** Whether every command that would write is refused. */
  readonly readOnly: boolean;
  /** What `create` does with a file that exists. */
  readonly onExisting: "error" | "overwrite";
}

export interface UserScope extends Scope {
  readonly openShownFiles: () => ShownFiles;
  readonly actor: string | undefined;
  readonly readOnly: boolean;
  readonly onError: (error: MemoryError) => void;
}

/** The commands on one scope. */
export function createUserMemory(scope: UserScope): UserMemory {
  const queue = createPathQueue();
  const shown = scope.openShownFiles();
  return Object.freeze<UserMemory>({
    async execute(input, options) {
      if (options !== undefined) checkExecuteOptions(options);
      let sent: messages.SentPaths = rootPath;
      try {
        const command = parseCommand(input);
        const paths = pathsOf(command);
        sent = sentPaths(command);
        if (scope.readOnly && command.command !== "view") {
          throw new MemoryError(
            "read_only",
            messages.readOnly(command.command === "rename" ? command.old_path : command.path),
          );
        }
        const call = startCall(scope, shown, command.command, options ?? {});
        const order = { reads: command.command === "view", ...call.request };
        const content = await queue.run(paths, order, async () => {
          if (options?.signal?.aborted) throw new MemoryError("aborted", messages.aborted(sent), { effect: "none" });
          return carryOut(call, command, paths);
        });
        return { isError: false, content: typeof content === "string" ? content : [...content] };
      } catch (error) {
        return failed(scope, error, sent);
      }
    },
    files: createMemoryFiles({
      queue,
      start: (command, fileOptions) => startCall(scope, shown, command, fileOptions),
      assertWritable: (path) => {
        if (scope.readOnly) throw new MemoryError("read_only", messages.readOnly(path));
      },
    }),
    settings: Object.freeze({ readOnly: scope.readOnly, onExisting: scope.onExisting }),
  });
}

/** Every path is judged before anything else happens; of a rename's two the first refused one is named. */
function pathsOf(command: Command): readonly [MemoryPath, ...MemoryPath[]] {
  return command.command === "rename"
    ? [parseMemoryPath(command.old_path), parseMemoryPath(command.new_path)]
    : [parseMemoryPath(command.path)];
}

function sentPaths(command: Command): messages.SentPaths {
  return command.command === "rename" ? [command.old_path, command.new_path] : command.path;
}

function startCall(scope: UserScope, shown: ShownFiles, command: string, options: ExecuteOptions): Call {
  const { toolUseId, signal } = options;
  // A rename is redelivered truthfully ("does not exist"), and two deliveries at once must be able to
  // tell whose copy is whose: its id is its own.
  const redeliverable = toolUseId !== undefined && command !== "rename";
  const writeId = redeliverable ? scope.runtime.hash(`${scope.keys.memories}\n${toolUseId}`) : scope.runtime.randomId();
  return {
    ...scope,
    stamp: { writeId, command, actor: scope.actor },
    redeliverable,
    shown,
    turn: shown.nextTurn(),
    request: signal ? { signal } : {},
  };
}

/**
 * What Claude's first act in every conversation needs, a view, is loaded with the package; the commands
 * that write are loaded when one is first used, so that a cold start does not wait for them.
 */
async function carryOut(
  call: Call,
  command: Command,
  paths: readonly [MemoryPath, ...MemoryPath[]],
): Promise<ViewContent> {
  const [path, target = path] = paths;
  switch (command.command) {
    case "view":
      return view(call, path, command.path, command.view_range);
    case "create": {
      const { createFile } = await import("./commands/writing.ts");
      const { path: sent, file_text: text } = command;
      const created = await createFile(call, {
        path,
        sent,
        text,
        onExisting: call.onExisting,
        shown: call.shown.get(path),
      });
      call.shown.set(path, created, call.turn);
      return messages.created(sent);
    }
    case "str_replace": {
      const { replaceString } = await import("./commands/writing.ts");
      return replaceString(call, path, command);
    }
    case "insert": {
      const { insert } = await import("./commands/writing.ts");
      return insert(call, path, command);
    }
    case "delete": {
      const { deletePath } = await import("./commands/writing.ts");
      const answer = await deletePath(call, path, command.path);
      call.shown.forgetAll(path);
      return answer;
    }
    case "rename": {
      const { rename } = await import("./commands/writing.ts");
      const move = { source: path, target, sentSource: command.old_path, sentTarget: command.new_path };
      const answer = await rename(call, move);
      for (const end of paths) call.shown.forgetAll(end);
      return answer;
    }
    default:
      return command satisfies never;
  }
}

function failed(scope: UserScope, thrown: unknown, sent: messages.SentPaths): MemoryResult {
  const found = asMemoryError(thrown);
  // A store knows no virtual path to name.
  const error =
    found.code === "aborted"
      ? new MemoryError("aborted", messages.aborted(sent), found.details, { cause: found })
      : found;
  if (error.code === "storage" || error.code === "outcome_unknown") void report(scope.onError, error);
  return { isError: true, content: error.message, code: error.code, error };
}
