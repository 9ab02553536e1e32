import type { Fault } from "./faults.ts";
import type { CommandInput } from "../support/command-input.ts";
import type { EpisodeLog, LogEvent, Operation, State } from "./log.ts";
import type { Plan, PlannedCommand, PlannedOperation } from "./plan.ts";

/** A plan, for people. */
export function describePlan(plan: Plan, faults: readonly Fault[]): string {
  const { theme, settings, limits, retry, style } = plan;
  const lines = [`Plan: ${theme}`, `  ${JSON.stringify({ ...settings, limits, retry, style })}`];
  for (const { name, text, by } of plan.initial) lines.push(`  initially ${name} by ${by}: ${quote(text)}`);
  for (const [index, { process, turns }] of plan.workers.entries()) {
    for (const { operations, death } of turns) {
      const end = death ? `, dies after ${death.afterRequests} requests, again: ${death.again}` : "";
      lines.push(`  worker ${index} (process ${process}): ${operations.map(describePlanned).join(" ‖ ")}${end}`);
    }
  }
  for (const { operation, delivery, request, kind } of faults) {
    lines.push(`  fault at request ${request} of #${operation}${"'".repeat(delivery)}: ${kind}`);
  }
  return lines.join("\n");
}

function describePlanned({ key, toolUse, command }: PlannedOperation): string {
  return `#${key}${toolUse === undefined ? "" : ` (tool ${toolUse})`} ${describeCommand(command)}`;
}

function describeCommand(command: PlannedCommand): string {
  switch (command.command) {
    case "view":
    case "delete":
      return `${command.command} ${command.name || "the root"}`;
    case "create":
      return `create ${command.name} ${quote(command.text)}`;
    case "str_replace":
      return `str_replace ${command.name} ${quote(command.fallback)} → ${quote(command.replacement)}`;
    case "insert":
      return `insert ${command.name} at the ${command.place} ${quote(command.text)}`;
    case "rename":
      return `rename ${command.from} → ${command.to}`;
  }
}

/** Everything that happened, one line each. */
export function describeLog(log: EpisodeLog): string {
  const short = (key: string): string => (key.startsWith(log.memories) ? key.slice(log.memories.length) || "/" : key);
  const who = (operation: number): string => {
    const worker = log.operations[operation]?.worker;
    return `worker ${worker ?? "?"} op ${operation}`.padEnd(15);
  };
  const states = (found: readonly State[]): string =>
    found.map((state) => describeState(state, short)).join(", ") || "nothing";
  return [
    "Before:",
    ...log.initial.map((state) => `      ${describeState(state, short)}`),
    ...log.events.map((event, index) => {
      const text = describeEvent(event, log.operations[event.operation], { short, states });
      return `${String(index).padStart(4)}  ${who(event.operation)} ${text}`;
    }),
    "After:",
    ...log.final.map((state) => `      ${describeState(state, short)}`),
  ].join("\n");
}

interface Words {
  readonly short: (key: string) => string;
  readonly states: (found: readonly State[]) => string;
}

function describeEvent(event: LogEvent, operation: Operation | undefined, { short, states }: Words): string {
  switch (event.kind) {
    case "call": {
      const repeats = operation?.repeats === undefined ? "" : ` again (first: op ${operation.repeats})`;
      return `CALL ${describeInput(operation?.input)}${repeats}, conversation ${operation?.conversation ?? "?"} in process ${operation?.process ?? "?"}`;
    }
    case "answer":
      return `ANSWER ${event.code ?? "ok"}: ${quote(event.content)}`;
    case "death":
      return "DEATH";
    case "request":
      return `  ${event.request}: ${event.method} ${event.keys.map(short).join(", ")} sent`;
    case "read":
      return `  ${event.request}: ${event.method} sees ${states(event.saw)}${event.isPartial ? ", and more" : ""}`;
    case "write": {
      const after = event.decision === "committed" ? `, now ${event.after ? states([event.after]) : "gone"}` : "";
      const before = event.before ? `was ${event.before.serial}` : "was missing";
      return `  ${event.request}: ${event.method} ${short(event.key)} if ${event.condition}: ${event.decision} (${before}${after})`;
    }
    case "response": {
      const failed = event.failedKeys ? `, failed: ${event.failedKeys.map(short).join(", ")}` : "";
      return `  ${event.request}: ${event.response}${failed}`;
    }
    case "fault":
      return `  ${event.request ?? "-"}: FAULT ${event.fault}`;
  }
}

function describeInput(input: CommandInput | undefined): string {
  const { command, ...fields } = input ?? { command: "?" };
  return `${command} ${JSON.stringify(fields)}`;
}

function describeState({ serial, key, text, version, writeIds, movedFrom }: State, short: Words["short"]): string {
  const from = movedFrom === undefined ? "" : `, from ${movedFrom}`;
  return `${short(key)}#${serial} ${version} [${writeIds.join(" ")}${from}] ${quote(text)}`;
}

const quote = (text: string): string => JSON.stringify(text);
