import type { CommandInput } from "../../support/command-input.ts";
import type { EpisodeLog, LogEvent, Operation, Response, Settings, State } from "../log.ts";
import { writesOf } from "./write-rules.ts";

export const memories = "users/u/memories/";

/** How a hand-written request differs from what a faultless core would send. */
export interface RequestTraits {
  /** What the worker was told. @default "answered" */
  readonly response?: Response;
  /** @default that of what stands there, or `absent` */
  readonly condition?: string;
  readonly ids?: readonly string[];
  readonly movedFrom?: string | undefined;
  /** The store decides so, and carries nothing out. */
  readonly decision?: "precondition failed" | "missing" | "undecided";
  readonly failedKeys?: readonly string[];
  readonly isPartial?: boolean;
}

export interface CallTraits {
  /** @default one of its own */
  readonly conversation?: number;
  /** @default one of the conversation's own */
  readonly process?: number;
  readonly writeId?: string;
}

/** A request that has left; what comes of it is told later. */
export interface Open {
  readonly operation: number;
  readonly request: number;
}

const calm: Settings = {
  etags: "unique",
  onExisting: "error",
  files: Infinity,
  totalBytes: Infinity,
  directEdits: false,
  isCalm: false,
};

/** Writes a log by hand, for the tests of the checker: what is not said is as a faultless core would do it. Names are below `/memories/`. */
export class LogBuilder {
  readonly #settings: Settings;
  readonly #operations: Operation[] = [];
  readonly #events: LogEvent[] = [];
  readonly #initial: State[] = [];
  readonly #standing = new Map<string, State>();
  readonly #lastVersions = new Map<string, string>();
  readonly #writeIds = new Map<number, string>();
  #serial = 0;
  #request = 0;

  constructor(settings: Partial<Settings> = {}) {
    this.#settings = { ...calm, ...settings };
  }

  /** What stood there before. Without ids: another tool's. */
  file(name: string, text: string, ids: readonly string[] = ["i0"], movedFrom?: string): this {
    const state = this.#newState(memories + name, text, ids, movedFrom);
    this.#initial.push(state);
    this.#standing.set(state.key, state);
    return this;
  }

  call(input: CommandInput, traits: CallTraits = {}): number {
    const id = this.#operations.length;
    const { conversation = id, process = conversation, writeId = `w${id}` } = traits;
    const names = { id, worker: conversation, process, conversation };
    this.#operations.push({ ...names, input, toolUseId: undefined, repeats: undefined });
    this.#writeIds.set(id, writeId);
    this.#events.push({ kind: "call", operation: id });
    return id;
  }

  answer(operation: number, content: string, code?: string): this {
    this.#events.push({ kind: "answer", operation, content, code, isError: code !== undefined });
    return this;
  }

  death(operation: number): this {
    this.#events.push({ kind: "death", operation });
    return this;
  }

  get(operation: number, name: string, { response = "answered" }: RequestTraits = {}): this {
    const key = memories + name;
    const open = this.send(operation, "GET", [key]);
    if (response === "answered")
      this.#read(
        open,
        "GET",
        [key],
        [...this.#standing.values()].filter((state) => state.key === key),
      );
    return this.respond(open, response);
  }

  list(operation: number, prefix = "", { response = "answered", isPartial = false }: RequestTraits = {}): this {
    const key = memories + prefix;
    const open = this.send(operation, "LIST", [key]);
    const saw = [...this.#standing.values()].filter((state) => state.key.startsWith(key));
    if (response === "answered") this.#read(open, "LIST", [key], saw, isPartial);
    return this.respond(open, response);
  }

  put(operation: number, name: string, text: string, traits: RequestTraits = {}): this {
    const open = this.send(operation, "PUT", [memories + name]);
    return this.putNow(open, name, text, traits).respond(open, traits.response ?? "answered");
  }

  /** A rename's: the source's text and ids, and a marker. */
  copy(operation: number, from: string, to: string, traits: RequestTraits = {}): this {
    const source = this.#standing.get(memories + from);
    if (source === undefined) throw new Error(`There is nothing to copy at ${from}.`);
    const ids = [this.#idAt(operation, to), ...writesOf(source)];
    return this.put(operation, to, source.text, {
      ids,
      movedFrom: `m ${from} ${source.version} ${writesOf(source)[0]}`,
      ...traits,
    });
  }

  delete(operation: number, name: string, traits: RequestTraits = {}): this {
    const open = this.send(operation, "DELETE", [memories + name]);
    return this.deleteNow(open, "DELETE", name, traits).respond(open, traits.response ?? "answered");
  }

  batch(operation: number, names: readonly string[], traits: RequestTraits = {}): this {
    const open = this.send(
      operation,
      "BATCH",
      names.map((name) => memories + name),
    );
    for (const name of names) this.deleteNow(open, "BATCH", name, traits);
    return this.respond(open, traits.response ?? "answered", traits.failedKeys);
  }

  send(operation: number, method: "GET" | "LIST" | "PUT" | "DELETE" | "BATCH", keys: readonly string[]): Open {
    const open = { operation, request: this.#request++ };
    this.#events.push({ kind: "request", ...open, method, keys });
    return open;
  }

  putNow(open: Open, name: string, text: string, traits: RequestTraits = {}): this {
    const key = name.startsWith("!") ? name.slice(1) : memories + name;
    const before = this.#standing.get(key);
    const { decision = "committed", condition = before?.version ?? "absent" } = traits;
    const own = this.#idOf(open.operation);
    const ids = traits.ids ?? [own, ...(before ? writesOf(before) : []).filter((id) => id !== own)].slice(0, 16);
    const movedFrom = "movedFrom" in traits ? traits.movedFrom : before?.movedFrom;
    const after = decision === "committed" ? this.#newState(key, text, ids, movedFrom) : before;
    if (after !== undefined) this.#standing.set(key, after);
    this.#events.push({ kind: "write", ...open, method: "PUT", key, decision, condition, before, after });
    return this;
  }

  deleteNow(open: Open, method: "DELETE" | "BATCH", name: string, traits: RequestTraits = {}): this {
    const key = memories + name;
    const before = this.#standing.get(key);
    const { decision = before === undefined ? "missing" : "committed" } = traits;
    const condition = traits.condition ?? before?.version ?? this.#lastVersions.get(key) ?? "exists";
    if (decision === "committed") this.#standing.delete(key);
    const after = decision === "committed" ? undefined : before;
    this.#events.push({ kind: "write", ...open, method, key, decision, condition, before, after });
    return this;
  }

  respond(open: Open, response: Response, failedKeys?: readonly string[]): this {
    this.#events.push({ kind: "response", ...open, response, ...(failedKeys ? { failedKeys } : {}) });
    return this;
  }

  /** The version of what stands there now. */
  versionOf(name: string): string {
    return this.#standing.get(memories + name)?.version ?? "none";
  }

  build(changes: Partial<EpisodeLog> = {}): EpisodeLog {
    return {
      settings: this.#settings,
      memories,
      operations: this.#operations,
      initial: this.#initial,
      events: this.#events,
      final: [...this.#standing.values()],
      writeIds: this.#writeIds,
      faults: 0,
      ...changes,
    };
  }

  /** In the rename of a directory each file has an id of its own. */
  #idAt(operation: number, name: string): string {
    const { input } = this.#operations[operation] ?? {};
    const isFile = input?.command === "rename" && input.new_path === `/memories/${name}`;
    return isFile ? this.#idOf(operation) : `${this.#idOf(operation)}-${name}`;
  }

  #idOf(operation: number): string {
    return this.#writeIds.get(operation) ?? "";
  }

  #read(open: Open, method: "GET" | "LIST", keys: readonly string[], saw: readonly State[], isPartial = false): void {
    this.#events.push({ kind: "read", ...open, method, keys, saw, isPartial });
  }

  #newState(key: string, text: string, writeIds: readonly string[], movedFrom: string | undefined): State {
    const serial = ++this.#serial;
    const version = this.#settings.etags === "unique" ? `"u${serial}"` : `"c-${text}"`;
    this.#lastVersions.set(key, version);
    return { serial, key, text, version, writeIds, movedFrom };
  }
}
