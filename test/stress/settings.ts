import { parseArgs } from "node:util";
import { serverNames, type ServerName } from "../support/servers.ts";
import { mostProcesses } from "./crew.ts";

export const usage = `npm run stress -- [options]

  --processes 8     workers at a time on each server, 2 to ${mostProcesses}
  --edits 200       operations of each of them
  --seed 1          what the workers choose and when they are killed; a random one by default
  --server both     localstack, ministack or both; or seaweedfs

Exits with 1 if a line is lost or doubled, an answer is not a documented one, or a server is missing, with 2 for wrong arguments.`;

export interface Settings {
  readonly processes: number;
  readonly edits: number;
  readonly seed: number;
  readonly servers: readonly ServerName[];
}

const options = {
  processes: { type: "string", default: "8" },
  edits: { type: "string", default: "200" },
  seed: { type: "string" },
  server: { type: "string", default: "both" },
  help: { type: "boolean", default: false },
} as const;

/** `undefined` where the usage is to be shown. */
export function readSettings(args: readonly string[]): Settings | undefined {
  try {
    const { values } = parseArgs({ args: [...args], options });
    const [processes, edits] = [Number(values.processes), Number(values.edits)];
    const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000));
    const servers = serverNames.filter((name) =>
      values.server === "both" ? name !== "seaweedfs" : values.server === name,
    );
    const areSizes = isWithin(processes, 2, mostProcesses) && isWithin(edits, 1, 100_000) && isWithin(seed, 0, 2 ** 31);
    if (!values.help && areSizes && servers.length > 0) return { processes, edits, seed, servers };
  } catch (error) {
    console.error(error instanceof Error ? error.message : error); // an option that there is not
  }
  return undefined;
}

function isWithin(value: number, least: number, most: number): boolean {
  return Number.isSafeInteger(value) && least <= value && value <= most;
}
