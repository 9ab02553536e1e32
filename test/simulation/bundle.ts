import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

/** A deliberate defect: one exact text of one source file, in another form. */
export interface Mutation {
  /** From the root of the project. */
  readonly file: string;
  /** Found exactly once, else it is an error. */
  readonly from: string;
  readonly to: string;
}

export interface Bundle {
  /** To be imported, or to be run as a worker. */
  readonly file: string;
  readonly remove: () => Promise<void>;
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const path = (file: string): string => join(root, "test/simulation", file);

/**
 * Bundles the simulation with the library's sources into one file. Only in a bundle an `import()` of the library's own
 * commands takes no more than microtasks, and only there its timers can be replaced. A mutant exists nowhere else.
 */
export async function bundleSimulation({
  mutation = [],
}: { readonly mutation?: Mutation | readonly Mutation[] } = {}): Promise<Bundle> {
  const folder = await mkdtemp(join(tmpdir(), "simulation-"));
  const remove = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const file = join(folder, "simulation.mjs");
  try {
    await build({
      entryPoints: [path("worker-thread.ts")],
      outfile: file,
      absWorkingDir: root,
      bundle: true,
      format: "esm",
      platform: "node",
      target: "node24",
      external: ["@aws-sdk/*"],
      inject: [path("simulated-timers.ts")],
      define: { "Math.random": "nothingIsRandom", "Date.now": "virtualNow" },
      sourcemap: "inline",
      logLevel: "silent",
      plugins: [mutate([mutation].flat())],
    });
  } catch (error) {
    await remove();
    throw error;
  }
  return { file, remove };
}

function mutate(mutations: readonly Mutation[]): Plugin {
  return {
    name: "mutate",
    setup(bundling) {
      const absent = new Set(mutations.map(({ file }) => file));
      bundling.onLoad({ filter: /\.ts$/ }, async (found) => {
        const file = relative(root, found.path);
        if (!absent.delete(file)) return undefined;
        let contents = await readFile(found.path, "utf8");
        for (const { from, to } of mutations.filter((mutation) => mutation.file === file)) {
          const parts = contents.split(from);
          if (parts.length !== 2) {
            return { errors: [{ text: `${file} has the text ${parts.length - 1} times, not once: ${from}` }] };
          }
          contents = parts.join(to);
        }
        return { contents, loader: "ts" };
      });
      bundling.onEnd(() => ({
        errors: [...absent].map((file) => ({ text: `${file} is no part of the simulation.` })),
      }));
    },
  };
}
