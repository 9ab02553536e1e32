import type { Part } from "./part.ts";

/** One part of the benchmarks: loaded only when it runs, so that none burdens another. */
interface PartEntry {
  /** Its heading in `docs/performance.md`. */
  readonly heading: string;
  readonly load: () => Promise<Part>;
}

/** In the order of the page. */
export const parts: ReadonlyMap<string, PartEntry> = new Map([
  ["commands", { heading: "Commands", load: async () => (await import("./commands/commands.ts")).commands }],
  ["cpu", { heading: "CPU", load: async () => (await import("./cpu/cpu.ts")).cpu }],
  ["start", { heading: "Start", load: async () => (await import("./start/start.ts")).start }],
  ["scale", { heading: "Scale", load: async () => (await import("./scale/scale.ts")).scale }],
  ["contention", { heading: "Contention", load: async () => (await import("./contention/contention.ts")).contention }],
  ["copy", { heading: "Server-side copy", load: async () => (await import("./copy/copy.ts")).copy }],
]);
