import { bundleSimulation, type Bundle, type Mutation } from "./bundle.ts";
import type * as workerThread from "./worker-thread.ts";

/** The simulation as it is meant to be run, imported from its bundle. */
export type Simulation = typeof workerThread;

export async function importSimulation(mutation?: Mutation): Promise<Bundle & { readonly simulation: Simulation }> {
  const bundle = await bundleSimulation(mutation === undefined ? {} : { mutation });
  return { ...bundle, simulation: (await import(bundle.file)) as Simulation };
}
