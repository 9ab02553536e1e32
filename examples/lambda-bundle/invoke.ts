import { execFile } from "node:child_process";
import { promisify } from "node:util";

const program = `
  const { handler } = await import("./handler.mjs");
  const results = [];
  for (const event of JSON.parse(process.argv[1])) results.push(await handler(event));
  console.log(JSON.stringify(results));
`;

/** Calls the handler of a bundle once for each event, in a process of its own that sees nothing but the bundle's folder. */
export async function invoke(
  folder: string,
  events: readonly unknown[],
  environment: Readonly<Record<string, string>>,
): Promise<unknown> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--eval", program, JSON.stringify(events)],
    { cwd: folder, env: environment },
  );
  return JSON.parse(stdout);
}
