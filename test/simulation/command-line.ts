/** Reads the settings and runs: answers the exit code, 2 for arguments that make no sense, 0 where help was wanted. */
export async function runCommand<Settings extends { readonly seed: number }>(
  usage: string,
  readSettings: () => Settings | undefined,
  run: (settings: Settings) => Promise<number>,
): Promise<number> {
  let settings: Settings | undefined;
  try {
    settings = readSettings();
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    return 2;
  }
  if (settings === undefined) {
    console.log(usage);
    return 0;
  }
  console.log(`seed ${settings.seed}`);
  return run(settings);
}
