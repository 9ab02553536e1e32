#!/usr/bin/env node
import { run } from "./run.ts";

const stopping = new AbortController();
// The first one ends it in good order, the second at once.
for (const name of ["SIGINT", "SIGTERM"] as const) process.once(name, () => stopping.abort());

const { argv, env, stdin, stdout, stderr, versions } = process;
// Where nobody reads what it writes, that is lost, and nothing else.
for (const stream of [stdout, stderr]) stream.on("error", () => undefined);
const streams = { stdin, stdout, stderr };
const code = await run({ argv: argv.slice(2), env, ...streams, nodeVersion: versions.node, signal: stopping.signal });
const exit = (): never => process.exit(code);
// Not by itself: a call that did not end in time would keep the process. Not before what was written has gone out, unless
// nobody takes it.
stdout.write("", exit);
setTimeout(exit, 1_000);
